import Testing
import Weir
import WeirTesting

@Suite(
  "A local server executes operations according to the specification", .timeLimit(.minutes(10)))
struct LocalServerExecutionTests {
  @Test(
    "Fields, fragments and directives give a response in the order of the selections",
    arguments: [
      ("{ post(id: 1) { title id } }", #"{"post":{"title":"A","id":"1"}}"#),
      ("{ b: post(id: 1) { x: id } a: post(id: 2) { id } }", #"{"b":{"x":"1"},"a":{"id":"2"}}"#),
      (
        "{ __typename post(id: 1) { __typename author { __typename } } }",
        #"{"__typename":"Query","post":{"__typename":"Post","author":{"__typename":"User"}}}"#
      ),
      (
        "{ post(id: 1) { ...T ...T title } } fragment T on Node { id }",
        #"{"post":{"id":"1","title":"A"}}"#
      ),
      (
        "{ post(id: 1) { ... on Node { ... on User { name } id } ... { title } } }",
        #"{"post":{"id":"1","title":"A"}}"#
      ),
      (
        "{ post(id: 1) { author { id } author { name } } }",
        #"{"post":{"author":{"id":"u1","name":"Ann"}}}"#
      ),
      (
        "query ($y: Boolean = true) { post(id: 1) { id @skip(if: $y) title @include(if: $y) tags @include(if: false) } }",
        #"{"post":{"title":"A"}}"#
      ),
      (
        "{ post(id: 1) { id @skip(if: false) @include(if: false) tags } }",
        #"{"post":{"tags":null}}"#
      ),
      ("query A { post(id: 1) { id } } query B { post(id: 2) { id } }", nil),
    ] as [(String, String?)])
  func selections(query: String, data: String?) async throws {
    let answer = try await LocalServer.blog().answer(query)
    let error = "Must provide operation name if query contains multiple operations."
    #expect(answer == data.map { #"{"data":\#($0)}"# } ?? #"{"errors":[{"message":"\#(error)"}]}"#)
  }

  @Test("A condition that a variable makes null neither skips nor includes")
  func nullConditions() async throws {
    let query = """
      query ($y: Boolean = true) { post(id: 1) { id title @skip(if: $y) tags @include(if: $y) } }
      """
    let answer = try await LocalServer.blog().answer(query, ["y": nil])
    #expect(answer == #"{"data":{"post":{"id":"1","title":"A"}}}"#)
  }

  @Test(
    "Arguments are coerced, defaults are filled in, and missing arguments stay missing",
    arguments: [
      ("{ echo }", [:], "{}"),
      (
        "{ echo(int: 1, float: 1, id: 7, string: \"x\") }", [:],
        #"{"int":1,"float":1.0,"string":"x","id":"7"}"#
      ),
      (
        "query ($id: ID) { echo(id: $id, any: 18446744073709551615) }", ["id": .uint(.max)],
        #"{"id":"18446744073709551615","any":18446744073709551615}"#
      ),
      ("{ echo(id: 18446744073709551616) }", [:], #"{"id":"18446744073709551616"}"#),
      (
        "{ echo(int: null, list: 3, color: GREEN) }", [:],
        #"{"int":null,"color":"GREEN","list":[3]}"#
      ),
      ("{ echo(filter: { words: \"a\" }) }", [:], #"{"filter":{"color":"RED","words":["a"]}}"#),
      (
        "query ($f: Filter, $i: Int) { echo(filter: $f, int: $i) }",
        ["f": ["words": ["a"], "limit": nil]],
        #"{"filter":{"color":"RED","words":["a"],"limit":null}}"#
      ),
      (
        "query ($i: Int = 5, $w: String!) { echo(int: $i, filter: { words: [$w] }) }", ["w": "z"],
        #"{"int":5,"filter":{"color":"RED","words":["z"]}}"#
      ),
      ("query ($i: Int = 5) { echo(int: $i) }", ["i": nil], #"{"int":null}"#),
      ("{ echo(any: { a: [1, B] }) }", [:], #"{"any":{"a":[1,"B"]}}"#),
      (
        "query ($x: Int, $y: Int) { echo(any: { a: $y, b: $x, c: [$x] }) }", ["y": nil],
        #"{"any":{"a":null,"c":[null]}}"#
      ),
    ] as [(String, JSONObject, String)])
  func arguments(query: String, variables: JSONObject, echo: String) async throws {
    let answer = try await LocalServer.blog().answer(query, variables)
    #expect(answer == #"{"data":{"echo":\#(echo)}}"#)
  }

  @Test(
    "The type of an abstract value comes from __typename or a closure; without either it is an error"
  )
  func abstractTypes() async throws {
    let server = try LocalServer.blog {
      let nodes: [LocalValue?] = [
        .object("Post", ["id": 1, "title": "T"]), .object("User", ["id": 2, "name": "N"]), nil,
      ]
      $0.query("nodes") { _ in .list(nodes.map { $0 ?? nil }) }
      $0.query("search") { _ in ["id": "9", "name": "Ann"] }
      $0.query("node") { _ in ["id": "9"] }
      $0.typename(of: "SearchResult") { $0["name"] == nil ? "Post" : "User" }
    }
    #expect(
      await server.answer("{ nodes { id ... on Post { title } ... on User { __typename } } }")
        == #"{"data":{"nodes":[{"id":"1","title":"T"},{"id":"2","__typename":"User"},null]}}"#)
    #expect(
      await server.answer("{ search { __typename ... on User { name } } }")
        == #"{"data":{"search":{"__typename":"User","name":"Ann"}}}"#)
    #expect(await server.answer("{ node { id } }").contains(#"abstract type \"Node\" has no"#))
  }

  @Test("Query fields run concurrently, mutation fields one after the other")
  func order() async throws {
    let clock = ManualClock()
    let log = Log()
    let server = try LocalServer.blog(clock: clock) {
      $0.query("node") { request in
        try await request.sleep(for: .seconds(request.path == [.key("a")] ? 2 : 1))
        log.add(request.path.description)
        return .object("Post", ["id": 1])
      }
      $0.mutation("log") { request in
        log.add("begin \(request["word"])")
        await Task.yield()
        log.add("end \(request["word"])")
        return 1
      }
    }
    async let answer = server.answer("{ a: node { id } b: node { id } }")
    await clock.sleepers(2)
    clock.advance(by: .seconds(2))
    #expect(await answer == #"{"data":{"a":{"id":"1"},"b":{"id":"1"}}}"#)
    #expect(log.entries.count == 2)
    _ = await server.answer(#"mutation { a: log(word: "a") b: log(word: "b") }"#)
    #expect(
      log.entries.suffix(4) == [#"begin "a""#, #"end "a""#, #"begin "b""#, #"end "b""#])
  }

  @Test("Objects may be Encodable values or contain closures, which run only if selected")
  func values() async throws {
    struct Author: Codable { var id = 5, name = "Ann" }
    let log = Log()
    let server = try LocalServer.blog {
      $0.query("search") { _ in
        .object(
          "Post",
          [
            "id": 1,
            "title": .field { _ in
              log.add("title"); return "T"
            },
            "author": .value(Author()), "views": .value(Double.nan),
          ])
      }
    }
    #expect(
      await server.answer("{ search { ... on Post { author { id name } } } }")
        == #"{"data":{"search":{"author":{"id":"5","name":"Ann"}}}}"#)
    #expect(log.entries.isEmpty)
    let answer = await server.execute("{ search { ... on Post { title views } } }")
    #expect(answer["data"]?.description == #"{"search":{"title":"T","views":null}}"#)
    #expect(answer["errors"]?.count == 1)
    #expect(log.entries == ["title"])
  }

  @Test("The resolvers of a root type apply wherever the type occurs")
  func nestedRoots() async throws {
    let schema = """
      schema { query: Root mutation: Change }
      type Root { words: [String!]! root: Root! }
      type Change { add: Payload }
      type Payload { query: Root! }
      """
    let server = try LocalServer(schema: schema) {
      $0.query("words") { _ in ["a"] }
      $0.query("root") { _ in [:] as LocalValue }
      $0.mutation("add") { _ in ["query": [:]] as LocalValue }
    }
    #expect(
      await server.answer("{ root { root { words } __schema { queryType { name } } } }")
        == #"{"data":{"root":{"root":{"words":["a"]},"__schema":{"queryType":{"name":"Root"}}}}}"#)
    #expect(
      await server.answer("mutation { add { query { words } } }")
        == #"{"data":{"add":{"query":{"words":["a"]}}}}"#)
    let untyped = LocalServer {
      $0.query("words") { _ in ["a"] }
      $0.mutation("add") { _ in ["query": .object("Query", [:])] as LocalValue }
    }
    #expect(
      await untyped.answer("mutation { add { query { words } } }")
        == #"{"data":{"add":{"query":{"words":["a"]}}}}"#)
  }

  @Test(
    "A @oneOf input object has exactly one field, which is not null",
    arguments: [
      (["id": "1"], #"{"data":{"post":"{\"id\":\"1\"}"}}"#), (["id": "1", "slug": "a"], nil),
      ([:], nil), (["id": nil], nil), (["id": "1", "slug": nil], nil),
    ] as [(JSONObject, String?)])
  func oneOf(by: JSONObject, expected: String?) async throws {
    let server = try LocalServer(
      schema: "type Query { post(by: By!): String } input By @oneOf { id: ID slug: String }"
    ) { $0.query("post") { "\($0["by"])" } }
    let answer = await server.answer(
      "query ($by: By!) { post(by: $by) }", ["by": .object(by)])
    let isRefused =
      answer.hasPrefix(#"{"errors":[{"message":"Variable \"$by\""#) && !answer.contains("data")
    #expect(expected.map { answer == $0 } ?? isRefused, "\(answer)")
  }

  @Test("Arguments can be decoded as your own types")
  func typedArguments() async throws {
    struct Rename: Decodable { var id: String, title: String }
    let server = try LocalServer.blog {
      $0.mutation("rename") { request in
        let rename = try request.arguments(as: Rename.self)
        return ["id": rename.id, "title": try request.argument("title", as: String.self)]
      }
    }
    #expect(
      await server.answer(#"mutation { rename(id: 1, title: "N") { id title } }"#)
        == #"{"data":{"rename":{"id":"1","title":"N"}}}"#)
  }

  @Test("Requests are counted by the name of their operation, which a request need not repeat")
  func counts() async throws {
    let server = try LocalServer.blog()
    _ = await server.execute("query First { post(id: 1) { id } }")
    _ = await server.execute("{ post(id: 1) { id } }")
    let two = "query First { post(id: 1) { id } } query Second { post(id: 2) { id } }"
    _ = await server.execute(two)
    _ = await server.execute(two, operationName: "Second")
    _ = await server.execute("query First {")
    #expect(server.requestCount(of: "First") == 1 && server.requestCount(of: "Second") == 1)
    #expect(server.requestCount == 5)
  }
}
