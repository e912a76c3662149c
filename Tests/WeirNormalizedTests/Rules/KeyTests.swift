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

/// Objects without a key (N1.4).
@Suite(.timeLimit(.minutes(10)))
struct EmbeddingTests {
  static let scripts: [Script] = [
    Script(
      "Two responses along one path merge (N1.4)",
      [
        .write("{ m { x } }", #"{"m":{"__typename":"M","x":1}}"#),
        .write(
          "{ m { y in { p } } }", #"{"m":{"__typename":"M","y":2,"in":{"__typename":"N","p":1}}}"#),
        .write("{ m { in { q } } }", #"{"m":{"__typename":"M","in":{"__typename":"N","q":2}}}"#),
        .read("{ m { x y in { p q } } }", #"{"m":{"x":1,"y":2,"in":{"p":1,"q":2}}}"#),
      ]),
    Script(
      "A change of type replaces the object (N1.4)",
      [
        .write("{ m { x } }", #"{"m":{"__typename":"M","x":1}}"#),
        .write("{ m { y } }", #"{"m":{"__typename":"N","y":2}}"#), .miss("{ m { x } }"),
        .read("{ m { y } }", #"{"m":{"y":2}}"#),
      ]),
    Script(
      "An object that was null in between does not regain its old fields (N1.4)",
      [
        .write("{ m { x y } }", #"{"m":{"__typename":"M","x":1,"y":1}}"#),
        .write("{ m { x } }", #"{"m":null}"#),
        .write("{ m { x } }", #"{"m":{"__typename":"M","x":2}}"#), .miss("{ m { x y } }"),
      ]),
    Script(
      "A reordered list of keyless objects is replaced, not merged (N1.4, defect 1)",
      [
        .write(
          "{ l { x y } }", #"{"l":[{"__typename":"M","x":1,"y":1},{"__typename":"M","x":2,"y":2}]}"#
        ),
        .write("{ l { x } }", #"{"l":[{"__typename":"M","x":2},{"__typename":"M","x":1}]}"#),
        .miss("{ l { x y } }"), .read("{ l { x } }", #"{"l":[{"x":2},{"x":1}]}"#),
      ]),
    Script(
      "Objects within the elements of a replaced list are replaced, too (N1.4, defect 1)",
      [
        .write(
          "{ l { in { x y } } }",
          #"{"l":[{"__typename":"M","in":{"__typename":"N","x":1,"y":1}},{"__typename":"M","in":{"__typename":"N","x":2,"y":2}}]}"#
        ),
        .write(
          "{ l { in { x } } }",
          #"{"l":[{"__typename":"M","in":{"__typename":"N","x":2}},{"__typename":"M","in":{"__typename":"N","x":1}}]}"#
        ),
        .miss("{ l { in { x y } } }"),
      ]),
    Script(
      "Lists of lists are replaced, too (N1.4, defect 1)",
      [
        .write(
          "{ l { x y } }",
          #"{"l":[[{"__typename":"M","x":1,"y":1}],null,[{"__typename":"M","x":2,"y":2}]]}"#),
        .read("{ l { x y } }", #"{"l":[[{"x":1,"y":1}],null,[{"x":2,"y":2}]]}"#),
        .write(
          "{ l { x } }", #"{"l":[[{"__typename":"M","x":2}],null,[{"__typename":"M","x":1}]]}"#),
        .miss("{ l { x y } }"),
      ]),
    Script(
      "Entities within replaced elements keep their fields (N1.4)",
      [
        .write(
          "{ l { t { id x o { p } } } }",
          #"{"l":[{"__typename":"M","t":{"__typename":"T","id":"1","x":1,"o":{"__typename":"N","p":1}}}]}"#
        ),
        .write(
          "{ l { t { id o { q } } } }",
          #"{"l":[{"__typename":"M","t":{"__typename":"T","id":"1","o":{"__typename":"N","q":2}}}]}"#
        ),
        .read("{ l { t { x o { p q } } } }", #"{"l":[{"t":{"x":1,"o":{"p":1,"q":2}}}]}"#),
      ]),
    Script(
      "Two selections of one list in one response merge (N2.3)",
      [
        .write(
          "{ l { x } ...F } fragment F on Query { l { y in { p } in { q } } }",
          #"{"l":[{"__typename":"M","x":1,"y":1,"in":{"__typename":"N","p":1,"q":2}}]}"#),
        .read("{ l { x y in { p q } } }", #"{"l":[{"x":1,"y":1,"in":{"p":1,"q":2}}]}"#),
      ]),
    Script(
      "Two occurrences of an entity's keyless list in one response merge (N2.3)",
      [
        .write(
          "{ a { id l { x } } b { id l { y } } }",
          #"{"a":{"__typename":"T","id":"1","l":[{"__typename":"M","x":1}]},"b":{"__typename":"T","id":"1","l":[{"__typename":"M","y":2}]}}"#
        ),
        .read("{ a { l { x y } } }", #"{"a":{"l":[{"x":1,"y":2}]}}"#),
      ]),
    Script(
      "An entity may lie within its own keyless object (N2.3)",
      [
        .write(
          "{ a { id c { n { id c { total } } } } }",
          #"{"a":{"__typename":"T","id":"1","c":{"__typename":"C","n":{"__typename":"T","id":"1","c":{"__typename":"C","total":9}}}}}"#
        ),
        .read("{ a { c { total n { id } } } }", #"{"a":{"c":{"total":9,"n":{"id":"1"}}}}"#),
      ]),
    Script(
      "An entity may lie within its own keyless list (N2.3)",
      [
        .write(
          "{ a { id c { n { id c { total } } } } }",
          #"{"a":{"__typename":"T","id":"1","c":[{"__typename":"C","n":{"__typename":"T","id":"1","c":[{"__typename":"C","total":9}]}}]}}"#
        ),
        .read("{ a { c { total n { id } } } }", #"{"a":{"c":[{"total":9,"n":{"id":"1"}}]}}"#),
      ]),
    Script(
      "A list that contradicts itself within one response corrupts nothing (N3.6)",
      [
        .write(
          "{ z { id l { x } } }",
          #"{"z":{"__typename":"T","id":"9","l":[{"__typename":"M","x":7}]}}"#),
        .answer(
          "{ a { id l { id l { x id } } } }",
          #"{"a":{"__typename":"T","id":"1","l":[{"__typename":"T","id":"1","l":[{"__typename":"M","x":1},{"__typename":"T","id":"2","x":5}]}]}}"#,
          nulled: []),
        .answer(
          "{ a { id l { id l { x id } } } }",
          #"{"a":{"__typename":"T","id":"1","l":[{"__typename":"T","id":"1","l":[{"__typename":"T","id":"2","x":3}]},{"__typename":"T","id":"3","l":[]}]}}"#,
          nulled: []),
        .write(
          "{ y { id l { x } } }",
          #"{"y":{"__typename":"T","id":"8","l":[{"__typename":"M","x":8}]}}"#),
        .read("{ z { id l { x } } }", #"{"z":{"id":"9","l":[{"x":7}]}}"#),
        .read("{ y { id l { x } } }", #"{"y":{"id":"8","l":[{"x":8}]}}"#),
        .read("{ a { l { id } } }", #"{"a":{"l":[{"id":"1"},{"id":"3"}]}}"#),
      ]),
    Script(
      "A scalar can replace a list of objects (N1.4)",
      [
        .write(
          "{ t { id m { x } } m { x } }",
          #"{"t":{"__typename":"T","id":"1","m":[[{"__typename":"M","x":1}],[{"__typename":"M","x":2}]]},"m":[{"__typename":"M","x":1}]}"#
        ),
        .write("{ t { id m } m }", #"{"t":{"__typename":"T","id":"1","m":7},"m":null}"#),
        .miss("{ t { m { x } } }"),
      ]),
    Script(
      "A list of lists can be discarded (N1.4)",
      [
        .answer(
          "{ a { id l { id l { id l { x } } } } }",
          #"{"a":{"__typename":"T","id":"1","l":[[{"__typename":"T","id":"1","l":[[{"__typename":"M","l":[[{"__typename":"M","x":1}]]}],[]]}],[{"__typename":"M","l":[[]]}]]}}"#,
          nulled: []),
        .answer(
          "{ a { id l { id l { id l { x } } } } }",
          #"{"a":{"__typename":"T","id":"1","l":[[{"__typename":"T","id":"1","l":[]}]]}}"#,
          nulled: []),
        .read("{ a { l { id } } }", #"{"a":{"l":[[{"id":"1"}]]}}"#),
      ]),
    Script(
      "A scalar can replace an object, and an object a scalar (N1.4)",
      [
        .write(
          "{ t { id m { x } } }", #"{"t":{"__typename":"T","id":"1","m":{"__typename":"M","x":1}}}"#
        ),
        .write("{ t { id m } }", #"{"t":{"__typename":"T","id":"1","m":7}}"#),
        .miss("{ t { m { x } } }"),
        .write(
          "{ t { id m { x } } }", #"{"t":{"__typename":"T","id":"1","m":{"__typename":"M","x":2}}}"#
        ),
        .read("{ t { m { x } } }", #"{"t":{"m":{"x":2}}}"#),
      ]),
  ]

  @Test("Objects without a key are embedded at their path (N1.4)", arguments: scripts)
  func embedding(_ script: Script) async throws { try await script.run() }
}
