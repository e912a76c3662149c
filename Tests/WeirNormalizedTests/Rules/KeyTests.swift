import Testing
import Weir
import WeirNormalized

/// Which objects are one entity, and which are embedded (N1).
@Suite(.timeLimit(.minutes(10)))
struct KeyTests {
  /// Writes an object at `a`, changes it at `b`, and expects `a` to show the change if `shared`.
  private static func shared(
    _ name: String, a: String, b: String, is shared: Bool, selection: String = "id",
    selectionB: String? = nil,
    configure: (inout NormalizedCacheConfiguration) -> Void = { _ in }
  ) -> Script {
    let both = "\(selection) v"
    return Script(
      name,
      [
        .write("{ a { \(both) } }", #"{"a":{\#(a),"v":1}}"#),
        .write("{ b { \(selectionB ?? selection) v } }", #"{"b":{\#(b),"v":2}}"#),
        .read("{ a { v } }", #"{"a":{"v":\#(shared ? 2 : 1)}}"#),
        .read("{ b { v } }", #"{"b":{"v":2}}"#),
      ], configure: configure)
  }

  static let scripts: [Script] = [
    shared(
      "Objects with the same type and id are one entity (N1.1)", a: #""__typename":"T","id":"1""#,
      b: #""__typename":"T","id":"1""#, is: true),
    shared(
      "1 and \"1\" are the same id (N1.1)", a: #""__typename":"T","id":1"#,
      b: #""__typename":"T","id":"1""#, is: true
    ),
    shared(
      "0 is an id (N1.1)", a: #""__typename":"T","id":0"#, b: #""__typename":"T","id":0"#, is: true),
    shared(
      "An empty id is not a key (N1.1)", a: #""__typename":"T","id":"""#,
      b: #""__typename":"T","id":"""#,
      is: false),
    shared(
      "A null id is not a key (N1.1)", a: #""__typename":"T","id":null"#,
      b: #""__typename":"T","id":null"#, is: false),
    shared(
      "_id is a key (N1.1)", a: #""__typename":"T","_id":"x""#, b: #""__typename":"T","_id":"x""#,
      is: true,
      selection: "_id"),
    shared(
      "Objects of different types are different entities (N1.1)", a: #""__typename":"T","id":"1""#,
      b: #""__typename":"S","id":"1""#,
      is: false),
    Script(
      "An object without a type name is not an entity (N1.1)",
      [
        .write("{ a { id v } }", #"{"a":{"__typename":"T","id":"1","v":1}}"#),
        .answer(
          "{ b { id v } c { id v } }", #"{"b":{"id":"1","v":2},"c":{"id":"1","v":3}}"#, nulled: []),
        .read("{ a { v } }", #"{"a":{"v":1}}"#),
      ]),
    shared(
      "Ids beyond 2^31 and 2^63 are keys (N1.1, defect 3)",
      a: #""__typename":"T","id":92233720368547758070"#,
      b: #""__typename":"T","id":"92233720368547758070""#, is: true),
    shared(
      "An id may contain an unbalanced parenthesis (N1.1, defect 3)",
      a: #""__typename":"T","id":"a(b:\"c""#,
      b: #""__typename":"T","id":"a(b:\"c""#, is: true),
    shared(
      "An escaped character equals the character itself (N1.1)", a: #""__typename":"T","id":"é\/""#,
      b: #""__typename":"T","id":"\u00e9/""#, is: true),
    shared(
      "Composed and decomposed é differ (N1.1)", a: #""__typename":"T","id":"\u00e9""#,
      b: #""__typename":"T","id":"e\u0301""#, is: false),
    shared(
      "A long id is a key (N1.1)", a: #""__typename":"T","id":"0123456789-0123456789-0123456789""#,
      b: #""__typename":"T","id":"0123456789-0123456789-0123456789""#, is: true),
    shared(
      "An alias does not change a key (N1.3)", a: #""__typename":"T","x":"1""#,
      b: #""__typename":"T","id":"1""#,
      is: true, selection: "x: id", selectionB: "id"),
    shared(
      "An alias beside a condition that does not hold gives the key (N1.3)",
      a: #""__typename":"T","x":"1""#,
      b: #""__typename":"T","id":"1""#, is: true, selection: "... on I { id } x: id",
      selectionB: "id"),
    shared(
      "Another field with the alias id is not a key (N1.3)", a: #""__typename":"T","id":"1""#,
      b: #""__typename":"T","id":"1""#, is: false, selection: "id: other"),
    shared(
      "A key can be a field with another name (N1.2)", a: #""__typename":"B","isbn":"7""#,
      b: #""__typename":"B","isbn":7"#,
      is: true, selection: "isbn"
    ) { $0.keys["B"] = .field("isbn") },
    shared(
      "A key can consist of several fields (N1.2)", a: #""__typename":"P","x":1,"y":"2""#,
      b: #""__typename":"P","y":2,"x":"1""#, is: true, selection: "x y", selectionB: "y x"
    ) { $0.keys["P"] = .fields(["x", "y"]) },
    shared(
      "Keys of several fields do not collide (N1.3)", a: #""__typename":"P","x":"1\",\"2","y":"3""#,
      b: #""__typename":"P","x":"1","y":"2\",\"3""#, is: false, selection: "x y"
    ) { $0.keys["P"] = .fields(["x", "y"]) },
    shared(
      "An object without all key fields has no key (N1.2)", a: #""__typename":"P","x":1"#,
      b: #""__typename":"P","x":1"#,
      is: false, selection: "x"
    ) { $0.keys["P"] = .fields(["x", "y"]) },
    shared(
      "A key can be computed by a closure (N1.2)", a: #""__typename":"C","code":"AbC""#,
      b: #""__typename":"C","code":"aBc""#,
      is: true, selection: "code"
    ) { $0.keys["C"] = .computed { $0["code"]?.string?.lowercased() } },
    shared(
      "A key closure sees field names, not aliases (N1.3)",
      a: #""__typename":"C","code":"2","k":"1""#,
      b: #""__typename":"C","code":"1""#, is: true, selection: "code: other k: code",
      selectionB: "code"
    ) { $0.keys["C"] = .computed { $0["code"]?.string } },
    shared(
      "A key closure may return no key (N1.2)", a: #""__typename":"C","id":"1""#,
      b: #""__typename":"C","id":"1""#, is: false
    ) { $0.keys["C"] = .computed { _ in nil } },
    shared(
      "An embedded type has no key (N1.2)", a: #""__typename":"M","id":"1""#,
      b: #""__typename":"M","id":"1""#, is: false
    ) { $0.keys["M"] = .embedded },
    shared(
      "A key can be configured for an interface, with given possible types (N1.2)",
      a: #""__typename":"B","isbn":"7""#,
      b: #""__typename":"B","isbn":"7""#, is: true, selection: "isbn"
    ) {
      $0.possibleTypes["Product"] = ["B", "C"]
      $0.keys["Product"] = .field("isbn")
    },
    shared(
      "A key can be configured for a union, with a schema (N1.2)",
      a: #""__typename":"B","isbn":"7""#,
      b: #""__typename":"B","isbn":"7""#, is: true, selection: "isbn"
    ) {
      $0.schema = try? GraphQLSchema(
        sdl: "type Query { a: U b: U } union U = B type B { isbn: ID v: Int }")
      $0.keys["U"] = .field("isbn")
    },
    shared(
      "A type's own key takes precedence over its interface's (N1.2)",
      a: #""__typename":"B","isbn":"7""#,
      b: #""__typename":"B","isbn":"7""#, is: false, selection: "isbn"
    ) {
      $0.possibleTypes["Product"] = ["B", "C"]
      $0.keys = ["Product": .field("isbn"), "B": .embedded]
    },
    shared(
      "Types of one group share their ids (N1.2)", a: #""__typename":"A","id":"1""#,
      b: #""__typename":"B","id":"1""#, is: true
    ) { $0.groups = ["A": "G", "B": "G"] },
    Script(
      "A nested object of the root type is the root (N1.5)",
      [
        .write(
          "{ a { id query { n } } }",
          #"{"a":{"__typename":"T","id":"1","query":{"__typename":"Query","n":5}}}"#),
        .read("{ n }", #"{"n":5}"#), .write("{ n }", #"{"n":6}"#),
        .read("{ a { query { n } } }", #"{"a":{"query":{"n":6}}}"#),
      ]),
    Script(
      "A mutation's root is not kept (N1.5, defect 8)",
      [
        .answer(
          "mutation { n t { id v } }", #"{"n":1,"t":{"__typename":"T","id":"1","v":3}}"#, nulled: []
        ),
        .miss("mutation { n }"), .miss("{ n }"),
        .write("{ t { id } }", #"{"t":{"__typename":"T","id":"1"}}"#),
        .read("{ t { v } }", #"{"t":{"v":3}}"#),
      ]),
    Script(
      "An object whose key changes is another entity (N1.6)",
      [
        .write("{ a { id v } }", #"{"a":{"__typename":"T","id":"1","v":1}}"#),
        .write("{ a { id } }", #"{"a":{"__typename":"T","id":"2"}}"#), .miss("{ a { v } }"),
        .write("{ a { v } }", #"{"a":{"__typename":"T","v":4}}"#),
        .read("{ a { v } }", #"{"a":{"v":4}}"#), .miss("{ a { id v } }"),
      ]),
  ]

  @Test("Objects are one entity exactly if their keys are equal (N1)", arguments: scripts)
  func key(_ script: Script) async throws { try await script.run() }
}
