import Testing
import Weir
import WeirTesting

extension LocalServerExecutionTests {
  // MARK: - Requests that are refused

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
      ("{ echo(id: 1.0) }", [:], "ID cannot represent a non-string and non-integer value: 1.0", 12),
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

  // MARK: - Errors of fields

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

  @Test("A value that JSON cannot represent is an error of its field alone")
  func unwritable() async throws {
    let server = try LocalServer(schema: "type Query { s: String any: Any } scalar Any") {
      $0.query("s") { _ in "a" }
      $0.query("any") { _ in JSONValue.double(.nan) }
    }
    let response = await server.execute("{ s any }")
    #expect(response["data"]?.description == #"{"s":"a","any":null}"#)
    #expect(
      response["errors"]?[0]?["message"]?.string
        == #"Any cannot represent the value of "Query.any"."#)
    let untyped = LocalServer { $0.query("any") { _ in JSONValue.double(.infinity) } }
    #expect(await untyped.execute("{ any }")["data"]?["any"]?.isNull == true)
  }
}
