import Foundation
import GraphQLLanguage
import Testing
import WeirTesting

@testable import Weir

@Suite("Identity of operations", .timeLimit(.minutes(10)))
struct OperationKeyTests {
  static let text = "query A($id: ID!) { a(id: $id) { b ...F } } fragment F on A { c d(x: [1, 2]) }"

  @Test(
    "The notation of a document does not change its identity (K1)",
    arguments: [
      "query A($id:ID!){a(id:$id){b...F}}fragment F on A{c d(x:[1 2])}",
      "# a comment\nquery A(\n  $id: ID!,\n) {\n  a(id: $id) { b, ...F }\n}\n\nfragment F on A { c, d(x: [1, 2,]) }",
      "fragment F on A { c d(x: [1, 2]) } query A($id: ID!) { a(id: $id) { b ...F } }",
      text + " fragment Unused on A { z }",
      "query A($id: ID!) { a(id: $id) { b ...F __typename } } fragment F on A { c d(x: [1, 2]) __typename }",
    ])
  func notation(text: String) {
    let reference = GraphQLOperation(GraphQLDocument(Self.text), variables: ["id": "1"])
    #expect(
      GraphQLOperation(GraphQLDocument(text), variables: ["id": "1"]).identity == reference.identity
    )
  }

  @Test(
    "Neither the form of a document nor the order of variables changes identity (K1)")
  func forms() throws {
    let tree = try Document(parsing: Self.text)
    let fromText = GraphQLOperation(GraphQLDocument(Self.text), variables: ["id": "1", "n": 1])
    let fromTree = GraphQLOperation(GraphQLDocument(tree), variables: ["n": 1, "id": "1"])
    struct Variables: Encodable, Sendable { var n = 1, id = "1" }
    let encoded = GraphQLOperation(GraphQLDocument(Self.text), variables: Variables())
    #expect(fromText.identity == fromTree.identity && fromText.key == fromTree.key)
    #expect(fromText.identity == encoded.identity)
  }

  @Test(
    "Different documents or variables have different keys (K1, K2)",
    arguments: [
      GraphQLOperation("query A($id: ID) { a(id: $id) { b } }", variables: ["id": "1"]),
      GraphQLOperation("query A($id: ID) { a(id: $id) { b } }", variables: ["id": 1]),
      GraphQLOperation("query A($id: ID) { a(id: $id) { b } }", variables: ["id": nil]),
      GraphQLOperation("query A($id: ID) { a(id: $id) { b } }"),
      GraphQLOperation("query A($id: ID) { a(id: $id) { c } }"),
      GraphQLOperation("query B($id: ID) { a(id: $id) { b } }"),
      GraphQLOperation("query A($id: ID) { x: a(id: $id) { b } }"),
    ])
  func differences(operation: GraphQLOperation) {
    let reference = GraphQLOperation(
      "query A($id: ID) { a(id: $id) { b } }", variables: ["id": "2"])
    #expect(operation.key != reference.key)
    #expect(operation.key == operation.with { $0.requestPolicy = .networkOnly }.key)
  }

  @Test("Absent and null variables differ, and integers are exact to 64 bits (K2)")
  func values() {
    let document: GraphQLDocument = "query A($id: ID) { a(id: $id) }"
    let keys = Set(
      [
        [:], ["id": nil], ["id": .int(.max)], ["id": .int(.max - 1)], ["id": 1], ["id": "1"],
        ["id": true], ["id": [1]], ["id": ["a": 1]], ["id": 1.5],
      ].map { (variables: JSONValue) in GraphQLOperation(document, variables: variables).key })
    #expect(keys.count == 10)
    struct Big: Encodable, Sendable { var id = Int64.max }
    let big = GraphQLOperation(document, variables: Big())
    #expect(String(decoding: big.variables, as: UTF8.self) == #"{"id":9223372036854775807}"#)
    struct Optional: Encodable, Sendable { var id: String? }
    #expect(GraphQLOperation(document, variables: Optional()).key == GraphQLOperation(document).key)
  }

  @Test("Texts are compared by their bytes, not by Unicode equivalence (K1)")
  func spelling() {
    let (composed, decomposed) = ("\u{e9}", "e\u{301}")
    #expect(composed == decomposed)
    let operations = [composed, decomposed].map {
      GraphQLOperation(GraphQLDocument(#"{ a(x: "\#($0)") }"#))
    }
    #expect(operations[0].key != operations[1].key)
    #expect(!operations[0].text.utf8.elementsEqual(operations[1].text.utf8))
    let collision = GraphQLOperation(operations[1], key: operations[0].key)
    #expect(collision.identity != operations[0].identity)
  }

  @Test("Another endpoint, or another value of a header, is another key (K3, K8)")
  func scope() throws {
    let plain = GraphQLOperation("{ a }")
    let elsewhere = plain.with { $0.endpoint = URL(string: "https://example.com/graphql") }
    #expect(plain.key != elsewhere.key && plain.identity != elsewhere.identity)
    let german = plain.with { $0.headers["Accept-Language"] = "de" }
    let english = german.with { $0.headers["accept-language"] = "en" }
    #expect(german.key != plain.key && german.key != english.key)
    #expect(german.key == german.with { $0.requestPolicy = .networkOnly }.key)
  }

  @Test("A hash collision never serves another operation's data (K4)", arguments: [true, false])
  func collision(inFlight: Bool) async {
    let gate = Gate(isOpen: !inFlight)
    let server = ScriptedExchange { operation in
      await gate.pass()
      return .data(#"{"id":\#(String(decoding: operation.variables, as: UTF8.self))}"#)
    }
    let client = GraphQLClient([.dedup, .documentCache, server])
    let document: GraphQLDocument = "query A($id: ID) { id(id: $id) }"
    let key = OperationKey(rawValue: 7)
    let first = GraphQLOperation(GraphQLOperation(document, variables: ["id": "Ab"]), key: key)
    let second = GraphQLOperation(GraphQLOperation(document, variables: ["id": "BA"]), key: key)
    #expect(first.key == second.key)
    async let one = client.query(first)
    await server.received(1)
    async let two = client.query(second)
    await server.received(2)
    gate.open()
    let (a, b) = await (one, two)
    #expect(a.data?["id"]?["id"]?.string == "Ab" && b.data?["id"]?["id"]?.string == "BA")
    #expect(client.peek(first)?.data == a.data && client.peek(second)?.data == b.data)
  }

  @Test("Keys are the same in every process (K5)")
  func goldenValues() {
    let operation = GraphQLOperation(GraphQLDocument(Self.text), variables: ["id": "1"])
    #expect(GraphQLOperation("{ a }").key.description == "802a82961c11e6de")
    #expect(operation.key.description == "cf73e468f65521a1")
    let scoped = operation.with { $0.endpoint = URL(string: "https://example.com/graphql") }
    #expect(scoped.key.description == "eed27fd8c782ed83")
  }

  @Test(
    "__typename is added to every selection set except an operation's root (K6)",
    arguments: [
      ("{ a { b } }", "{\n  a {\n    b\n    __typename\n  }\n}"),
      ("subscription S { a { b } }", "subscription S {\n  a {\n    b\n    __typename\n  }\n}"),
      ("{ a { __typename b } }", "{\n  a {\n    __typename\n    b\n  }\n}"),
      (
        "{ a { __typename: __typename b } }",
        "{\n  a {\n    __typename: __typename\n    b\n  }\n}"
      ),
      ("{ a { kind: __typename } }", "{\n  a {\n    kind: __typename\n    __typename\n  }\n}"),
      (
        "{ a { __typename @include(if: true) b } }",
        "{\n  a {\n    __typename @include(if: true)\n    b\n    __typename\n  }\n}"
      ),
      (
        "{ a { ...F } } fragment F on A { __typename @skip(if: false) }",
        "{\n  a {\n    ...F\n    __typename\n  }\n}\n\n"
          + "fragment F on A {\n  __typename @skip(if: false)\n  __typename\n}"
      ),
      ("{ ...R } fragment R on Query { a }", "{\n  ...R\n}\n\nfragment R on Query {\n  a\n}"),
      (
        "{ ... on Query { a { b } } }",
        "{\n  ... on Query {\n    a {\n      b\n      __typename\n    }\n  }\n}"
      ),
      (
        "{ a { ... @include(if: true) { b } } }",
        "{\n  a {\n    ... @include(if: true) {\n      b\n      __typename\n    }\n    __typename\n  }\n}"
      ),
    ])
  func typenames(text: String, sent: String) {
    #expect(GraphQLOperation(GraphQLDocument(text)).text == sent)
  }

  @Test(
    "A document that cannot be executed yields an error with the reason (K7)",
    arguments: [
      ("query A { a } query B { b }", "several operations (A, B)"),
      ("fragment F on A { a }", "no operation"),
      ("{ ...F }", "F is not defined"),
      ("{ ...F } fragment F on A { ...G } fragment G on A { ...F }", "spreads itself"),
      ("{ a { }", "line 1, column 7"),
      ("", "line 1, column 1"),
      ("{ a }\n  query ?", "line 2, column 9"),
    ])
  func defects(text: String, message: String) async {
    let client = GraphQLClient([.dedup, .documentCache, postServer()])
    for result in [
      await client.query(GraphQLOperation(GraphQLDocument(text))),
      await client.mutate(GraphQLOperation(GraphQLDocument(text))),
    ] {
      #expect(result.error?.code == .document)
      #expect(result.error?.message.contains(message) == true, "\(result.error?.message ?? "")")
    }
    #expect(await client.watch(GraphQLOperation(GraphQLDocument(text))).all() == ["error"])
    #expect(client.peek(GraphQLOperation(GraphQLDocument(text))) == nil)
  }

  @Test("The operation name selects one of several operations (K7)")
  func operationName() {
    let document: GraphQLDocument = "query A { a } mutation B { b }"
    #expect(GraphQLOperation(document, name: "A").kind == .query)
    #expect(GraphQLOperation(document, name: "B").kind == .mutation)
    #expect(GraphQLOperation(document, name: "A").key == GraphQLOperation("query A { a }").key)
    #expect(GraphQLOperation(document, name: "C").defect?.code == .document)
  }

  @Test("Fragments are composed from several documents, and conflicts between them are reported")
  func fragments() {
    let card: GraphQLDocument =
      "fragment Card on User { name ...Face } fragment Face on User { url }"
    let face: GraphQLDocument = "fragment Face on User { url }"
    let other: GraphQLDocument = "fragment Face on User { id }"
    let broken: GraphQLDocument = "fragment Face on User {"
    let text = "{ user { ...Card } }"
    let composed = GraphQLOperation(GraphQLDocument(text, fragments: [card, face]))
    #expect(composed.defect == nil && composed.text.contains("fragment Face"))
    let conflict = GraphQLOperation(GraphQLDocument(text, fragments: [card, other]))
    #expect(conflict.defect?.message.contains("two different fragments") == true)
    #expect(GraphQLOperation(GraphQLDocument(text, fragments: [card, broken])).defect != nil)
  }

  @Test("Variables that cannot be encoded yield an error that does not reveal them")
  func badVariables() async {
    struct Infinite: Encodable, Sendable { var x = Double.infinity }
    struct NoObject: Encodable, Sendable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode("secret")
      }
    }
    let client = GraphQLClient([postServer()])
    for operation in [
      GraphQLOperation("query A { a }", variables: Infinite()),
      GraphQLOperation("query A { a }", variables: NoObject()),
      GraphQLOperation("query A { a }", variables: ["secret"]),
      GraphQLOperation("query A { a }", variables: ["a": .double(.nan)]),
    ] {
      let error = await client.query(operation).error
      #expect(error?.code == .variables)
      #expect(error?.description.contains("secret") == false)
    }
  }

  @Test(
    "A number that JSON cannot express is named by its place, however variables are passed (Q2)")
  func places() async {
    struct Input: Encodable, Sendable { var prices = [1, Double.nan] }
    let client = GraphQLClient([postServer()])
    let literal: JSONValue = ["input": ["prices": [1, .double(.nan)]]]
    for operation in [
      GraphQLOperation("query A { a }", variables: ["input": Input()]),
      GraphQLOperation("query A { a }", variables: literal),
    ] {
      let error = await client.query(operation).error
      #expect(error?.message.hasSuffix("(at input.prices[1])") == true)
    }
  }

  @Test("A context is a value and carries values for exchanges")
  func context() {
    enum Screen: OperationContextKey { static let defaultValue = "none" }
    let plain = GraphQLOperation("{ a }")
    let tagged = plain.with {
      $0[Screen.self] = "feed"
      $0.additionalTypenames = ["Post"]
    }
    let again = tagged.with { $0[Screen.self] = "detail" }
    #expect(plain.context[Screen.self] == "none" && plain.context.additionalTypenames.isEmpty)
    #expect(tagged.context[Screen.self] == "feed" && again.context[Screen.self] == "detail")
    #expect(again.context.additionalTypenames == ["Post"])
  }
}
