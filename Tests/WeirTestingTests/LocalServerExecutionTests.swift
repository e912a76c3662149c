import Testing
import Weir
import WeirTesting

@Suite("A local server executes operations according to the specification")
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

  @Test(
    "Arguments are coerced, defaults are filled in, and missing arguments stay missing",
    arguments: [
      ("{ echo }", [:], "{}"),
      (
        "{ echo(int: 1, float: 1, id: 7, string: \"x\") }", [:],
        #"{"int":1,"float":1.0,"string":"x","id":"7"}"#
      ),
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
    ] as [(String, JSONObject, String)])
  func arguments(query: String, variables: JSONObject, echo: String) async throws {
    let answer = try await LocalServer.blog().answer(query, variables)
    #expect(answer == #"{"data":{"echo":\#(echo)}}"#)
  }

  @Test(
    "An invalid request gives request errors without data",
    arguments: [
      ("{ post(id: 1) { nope } }", [:], #"Cannot query field \"nope\" on type \"Post\"."#, 17),
      (
        "{ post { id } }", [:],
        #"Argument \"Query.post(id:)\" of type \"ID!\" is required, but it was not provided."#, 3
      ),
      (
        "{ post(id: 1, x: 2) { id } }", [:], #"Unknown argument \"x\" on field \"Query.post\"."#, 15
      ),
      ("{ post(id: 1) { ...F } }", [:], #"Unknown fragment \"F\"."#, 20),
      (
        "{ post(id: 1) { ... on Nope { id } } }", [:],
        #"Unknown type \"Nope\". Did you mean \"Node\"?"#, 24
      ),
      (
        "{ post(id: 1) }", [:],
        #"Field \"post\" of type \"Post\" must have a selection of subfields. Did you mean \"post { ... }\"?"#,
        3
      ),
      (
        "{ post(id: 1) { id { x } } }", [:],
        #"Field \"id\" must not have a selection since type \"ID!\" has no subfields."#, 20
      ),
      ("{ post(id: $id) { id } }", [:], #"Variable \"$id\" is not defined."#, 12),
      ("{ echo(int: \"1\") }", [:], #"Int cannot represent non-integer value: \"1\""#, 13),
      (
        "{ echo(int: 2147483648) }", [:],
        "Int cannot represent non 32-bit signed integer value: 2147483648", 13
      ),
      (
        "{ echo(color: \"RED\") }", [:],
        #"Enum \"Color\" cannot represent non-enum value: \"RED\". Did you mean the enum value \"RED\" or \"GREEN\"?"#,
        15
      ),
      (
        "{ echo(filter: { color: RED }) }", [:],
        #"Expected value of type \"Filter\" to include required field \"words\", found: { color: RED }."#,
        16
      ),
      (
        "query ($id: ID!) { post(id: $id) { id } }", [:],
        #"Variable \"$id\" of type \"ID!\" got an invalid value: It is required, but was not provided."#,
        8
      ),
      (
        "query ($c: Color) { echo(color: $c) }", ["c": "secret"],
        #"Variable \"$c\" of type \"Color\" got an invalid value: Expected a value of \"Color\"."#,
        8
      ),
      (
        "query ($p: Post) { echo @skip(if: true, x: $p) }", [:],
        #"Variable \"$p\" cannot be non-input type \"Post\"."#, 12
      ),
      (
        "{ post(id: 1) { id @skip } }", [:],
        #"Argument \"@skip(if:)\" of type \"Boolean!\" is required, but it was not provided."#,
        20
      ),
      ("{", [:], "Syntax Error: Expected Name, found <EOF>.", 2),
    ] as [(String, JSONObject, String, Int)])
  func requestErrors(
    query: String, variables: JSONObject, message: String, column: Int
  ) async throws {
    let answer = try await LocalServer.blog().answer(query, variables)
    let start = #"{"errors":[{"message":"\#(message)","locations":[{"line":1,"column":\#(column)}"#
    #expect(answer.hasPrefix(start) && !answer.contains("data"), "\(answer)")
  }

  @Test(
    "A document that breaks any rule of the specification is refused",
    arguments: [
      ("{ post(id: 1) { id title: id title } }", "Fields \\\"title\\\" conflict"),
      ("{ post(id: 1) { ... on User { id } } }", "can never be of type"),
      ("query A($x: Int) { post(id: 1) { id } }", "is never used in operation"),
      ("{ post(id: 1) { id } } fragment F on Post { id }", "is never used"),
      ("{ post(id: 1) { id @nope } }", "Unknown directive"),
      ("query ($i: Int) { post(id: $i) { id } }", "used in position expecting"),
    ])
  func allRules(query: String, message: String) async throws {
    let answer = try await LocalServer.blog().answer(query)
    #expect(answer.contains(message) && !answer.contains("data"), "\(answer)")
  }

  @Test("A fragment that spreads itself is refused")
  func fragmentCycle() async throws {
    let answer = try await LocalServer.blog().answer(
      "{ post(id: 1) { ...A } } fragment A on Post { ...B } fragment B on Post { ...A }")
    #expect(answer.contains(#"Cannot spread fragment \"A\" within itself via \"B\"."#))
    #expect(!answer.contains("data"))
  }

  @Test("A chain of fragments that nests too deeply is refused", arguments: [249, 250, 20_000])
  func deepFragments(count: Int) async throws {
    let chain = (1..<count).map { "fragment F\($0) on Query { ...F\($0 + 1) }" }
    let text = "{ ...F1 } \(chain.reversed().joined()) fragment F\(count) on Query { __typename }"
    let isTooDeep = try await LocalServer.blog().answer(text).contains("nests deeper than 250")
    #expect(isTooDeep == (count > 249))
  }

  @Test(
    "The type of an abstract value comes from __typename or a closure; without either it is an error"
  )
  func abstractTypes() async throws {
    let server = try LocalServer.blog {
      $0.query("nodes") { _ in
        [.object("Post", ["id": 1, "title": "T"]), .object("User", ["id": 2, "name": "N"]), nil]
      }
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

  @Test(
    "A null in a non-null field propagates to the nearest nullable parent",
    arguments: [
      ("{ strict { one } }", #"{"strict":null}"#, #"["strict","one"]"#),
      ("{ strict { list } }", #"{"strict":null}"#, #"["strict","list",1]"#),
      (
        "{ strict { maybe { deep { one } } } }", #"{"strict":{"maybe":null}}"#,
        #"["strict","maybe","deep","one"]"#
      ),
    ])
  func nullPropagation(query: String, data: String, path: String) async throws {
    let server = try LocalServer.blog {
      $0.query("strict") { _ in ["list": [1, nil], "maybe": ["deep": [:]]] }
    }
    let answer = await server.execute(query)
    #expect(answer["data"]?.description == data)
    #expect(answer["errors"]?.count == 1)
    #expect(answer["errors"]?[0]?["path"]?.description == path)
    #expect(answer["errors"]?[0]?["message"]?.string?.hasPrefix("Cannot return null") == true)
  }

  @Test(
    "A thrown error becomes a field error with path and location, and the other data stays",
    arguments: ["\n", "\r\n", "\r"])
  func fieldErrors(lineEnd: String) async throws {
    let server = try LocalServer.blog {
      $0.query("posts") { _ in
        [["id": "1", "title": "A"], ["id": "2", "title": "B"]] as JSONValue
      }
      $0.field("Post", "author") { request -> JSONValue in
        guard request.parent["id"] != "2" else {
          throw GraphQLError(message: "hidden", extensions: ["code": "FORBIDDEN"])
        }
        return ["id": "u", "name": 3]
      }
    }
    #expect(
      await server.answer("{\(lineEnd)  posts { author { name } }\(lineEnd)}")
        == #"{"errors":[{"message":"hidden","locations":[{"line":2,"column":11}],"path":["posts",1,"author"],"extensions":{"code":"FORBIDDEN"}}],"data":{"posts":[{"author":{"name":"3"}},{"author":null}]}}"#
    )
  }

  @Test("A leaf that does not fit its type is an error instead of a silent null")
  func leaves() async throws {
    let server = try LocalServer(
      schema: "enum Color { RED } type Query { color: Color size: Float }"
    ) {
      $0.query("color") { _ in "BLUE" as LocalValue }
      $0.query("size") { _ in JSONValue.double(.infinity) }
    }
    let response = await server.execute("{ color size }")
    #expect(response["errors"]?.count == 2)
    #expect(response["data"]?["color"]?.isNull == true && response["data"]?["size"]?.isNull == true)
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
}

@Suite("A local server without a schema, and mistakes in one")
struct LocalServerSchemaTests {
  @Test(
    "Without a schema, the form of the data decides",
    arguments: [
      (
        "{ post(id: 3) { id __typename ... on User { name } } }",
        #"{"data":{"post":{"id":3,"__typename":"Post"}}}"#
      ),
      (
        "{ things { a __typename } }",
        #"{"data":{"things":[{"a":1,"__typename":null},{"a":null,"__typename":null},null]}}"#
      ),
      ("{ things }", #"{"data":{"things":[{"a":1},{},null]}}"#),
      (
        "{ nope }",
        #"{"errors":[{"message":"Cannot query field \"nope\" on type \"Query\".","locations":[{"line":1,"column":3}]}]}"#
      ),
    ])
  func schemaless(query: String, answer: String) async {
    let server = LocalServer {
      $0.query("post") { .object("Post", ["id": .value($0["id"]), "name": "hidden"]) }
      $0.query("things") { _ in [["a": 1], [:], nil] }
    }
    #expect(await server.answer(query) == answer)
  }

  @Test(
    "An invalid schema or a resolver for a missing field is an error at once",
    arguments: [
      ("type Query {", "line 1, column 13"),
      ("type Query { a: Nope }", #"schema:1:17: error: Unknown type "Nope"."#),
      ("type Thing { a: Int }", "Query root type must be provided"),
      ("type Query { a(x: Query): Int }", "Query.a(x:)"),
      ("type Query { b: Int }", "Query.a"),
      ("{ a }", "an operation"),
    ])
  func badSchema(sdl: String, message: String) {
    let error = #expect(throws: LocalServerError.self) {
      try LocalServer(schema: sdl) { $0.query("a") { _ in 1 } }
    }
    #expect(error?.message.contains(message) == true)
  }

  @Test("Resolvers can be replaced at run time, root types renamed, and types extended")
  func update() async throws {
    let server = try LocalServer(
      schema: "schema { query: Root } type Root { a: Int } extend type Root { b: Int }"
    ) { $0.query("b") { _ in 1 } }
    #expect(await server.answer("{ b __typename }") == #"{"data":{"b":1,"__typename":"Root"}}"#)
    try server.update { $0.query("b") { _ in 2 } }
    #expect(await server.answer("{ b }") == #"{"data":{"b":2}}"#)
    #expect(throws: LocalServerError.self) { try server.update { $0.query("c") { _ in 2 } } }
    #expect(await server.answer("mutation { c }").contains("has no mutation type"))
  }
}
