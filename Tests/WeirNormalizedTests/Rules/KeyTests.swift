import Testing
import Weir
import WeirNormalized

/// N1: which objects are one entity, and which are embedded.
@Suite(.timeLimit(.minutes(10)))
struct KeyTests {
  /// Writes an object at `a` and changes it at `b`: whether `a` shows the change.
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
      "N1.1 one id", a: #""__typename":"T","id":"1""#, b: #""__typename":"T","id":"1""#, is: true),
    shared(
      "N1.1 1 and \"1\"", a: #""__typename":"T","id":1"#, b: #""__typename":"T","id":"1""#, is: true
    ),
    shared(
      "N1.1 0 is a key", a: #""__typename":"T","id":0"#, b: #""__typename":"T","id":0"#, is: true),
    shared(
      "N1.1 an empty id is none", a: #""__typename":"T","id":"""#, b: #""__typename":"T","id":"""#,
      is: false),
    shared(
      "N1.1 a null id is none", a: #""__typename":"T","id":null"#,
      b: #""__typename":"T","id":null"#, is: false),
    shared(
      "N1.1 _id", a: #""__typename":"T","_id":"x""#, b: #""__typename":"T","_id":"x""#, is: true,
      selection: "_id"),
    shared(
      "N1.1 other type", a: #""__typename":"T","id":"1""#, b: #""__typename":"S","id":"1""#,
      is: false),
    Script(
      "N1.1 without a type's name there is no entity",
      [
        .write("{ a { id v } }", #"{"a":{"__typename":"T","id":"1","v":1}}"#),
        .write("{ b { id v } c { id v } }", #"{"b":{"id":"1","v":2},"c":{"id":"1","v":3}}"#),
        .read("{ a { v } }", #"{"a":{"v":1}}"#),
      ]),
    shared(
      "N1.1 ids beyond 2^31 and 2^63 (defect 3)", a: #""__typename":"T","id":92233720368547758070"#,
      b: #""__typename":"T","id":"92233720368547758070""#, is: true),
    shared(
      "N1.1 an unbalanced parenthesis (defect 3)", a: #""__typename":"T","id":"a(b:\"c""#,
      b: #""__typename":"T","id":"a(b:\"c""#, is: true),
    shared(
      "N1.1 escapes are the character", a: #""__typename":"T","id":"é\/""#,
      b: #""__typename":"T","id":"\u00e9/""#, is: true),
    shared(
      "N1.1 é composed and decomposed differ", a: #""__typename":"T","id":"\u00e9""#,
      b: #""__typename":"T","id":"e\u0301""#, is: false),
    shared(
      "N1.1 a long id", a: #""__typename":"T","id":"0123456789-0123456789-0123456789""#,
      b: #""__typename":"T","id":"0123456789-0123456789-0123456789""#, is: true),
    shared(
      "N1.3 aliases do not count", a: #""__typename":"T","x":"1""#,
      b: #""__typename":"T","id":"1""#,
      is: true, selection: "x: id", selectionB: "id"),
    shared(
      "N1.3 an alias beside a condition that does not hold", a: #""__typename":"T","x":"1""#,
      b: #""__typename":"T","id":"1""#, is: true, selection: "... on I { id } x: id",
      selectionB: "id"),
    shared(
      "N1.3 another field under the alias id", a: #""__typename":"T","id":"1""#,
      b: #""__typename":"T","id":"1""#, is: false, selection: "id: other"),
    shared(
      "N1.2 a field by name", a: #""__typename":"B","isbn":"7""#, b: #""__typename":"B","isbn":7"#,
      is: true, selection: "isbn"
    ) { $0.keys["B"] = .field("isbn") },
    shared(
      "N1.2 several fields", a: #""__typename":"P","x":1,"y":"2""#,
      b: #""__typename":"P","y":2,"x":"1""#, is: true, selection: "x y", selectionB: "y x"
    ) { $0.keys["P"] = .fields(["x", "y"]) },
    shared(
      "N1.3 several fields do not collide", a: #""__typename":"P","x":"1\",\"2","y":"3""#,
      b: #""__typename":"P","x":"1","y":"2\",\"3""#, is: false, selection: "x y"
    ) { $0.keys["P"] = .fields(["x", "y"]) },
    shared(
      "N1.2 not all key fields", a: #""__typename":"P","x":1"#, b: #""__typename":"P","x":1"#,
      is: false, selection: "x"
    ) { $0.keys["P"] = .fields(["x", "y"]) },
    shared(
      "N1.2 a closure", a: #""__typename":"C","code":"AbC""#, b: #""__typename":"C","code":"aBc""#,
      is: true, selection: "code"
    ) { $0.keys["C"] = .computed { $0["code"]?.string?.lowercased() } },
    shared(
      "N1.3 a closure sees no aliases", a: #""__typename":"C","code":"2","k":"1""#,
      b: #""__typename":"C","code":"1""#, is: true, selection: "code: other k: code",
      selectionB: "code"
    ) { $0.keys["C"] = .computed { $0["code"]?.string } },
    shared(
      "N1.2 a closure that knows no key", a: #""__typename":"C","id":"1""#,
      b: #""__typename":"C","id":"1""#, is: false
    ) { $0.keys["C"] = .computed { _ in nil } },
    shared(
      "N1.2 embedded", a: #""__typename":"M","id":"1""#, b: #""__typename":"M","id":"1""#, is: false
    ) { $0.keys["M"] = .embedded },
    shared(
      "N1.2 by interface, from possible types", a: #""__typename":"B","isbn":"7""#,
      b: #""__typename":"B","isbn":"7""#, is: true, selection: "isbn"
    ) {
      $0.possibleTypes["Product"] = ["B", "C"]
      $0.keys["Product"] = .field("isbn")
    },
    shared(
      "N1.2 by union, from the schema", a: #""__typename":"B","isbn":"7""#,
      b: #""__typename":"B","isbn":"7""#, is: true, selection: "isbn"
    ) {
      $0.schema = try? GraphQLSchema(
        sdl: "type Query { a: U b: U } union U = B type B { isbn: ID v: Int }")
      $0.keys["U"] = .field("isbn")
    },
    shared(
      "N1.2 the type itself counts before its interface", a: #""__typename":"B","isbn":"7""#,
      b: #""__typename":"B","isbn":"7""#, is: false, selection: "isbn"
    ) {
      $0.possibleTypes["Product"] = ["B", "C"]
      $0.keys = ["Product": .field("isbn"), "B": .embedded]
    },
    shared(
      "N1.2 a group", a: #""__typename":"A","id":"1""#, b: #""__typename":"B","id":"1""#, is: true
    ) { $0.groups = ["A": "G", "B": "G"] },
    Script(
      "N1.5 a nested root is the root",
      [
        .write(
          "{ a { id query { n } } }",
          #"{"a":{"__typename":"T","id":"1","query":{"__typename":"Query","n":5}}}"#),
        .read("{ n }", #"{"n":5}"#), .write("{ n }", #"{"n":6}"#),
        .read("{ a { query { n } } }", #"{"a":{"query":{"n":6}}}"#),
      ]),
    Script(
      "N1.5 a mutation's root is not kept (defect 8)",
      [
        .answer(
          "mutation { n t { id v } }", #"{"n":1,"t":{"__typename":"T","id":"1","v":3}}"#, nulled: []
        ),
        .miss("mutation { n }"), .miss("{ n }"),
        .write("{ t { id } }", #"{"t":{"__typename":"T","id":"1"}}"#),
        .read("{ t { v } }", #"{"t":{"v":3}}"#),
      ]),
    Script(
      "N1.6 a key that changes",
      [
        .write("{ a { id v } }", #"{"a":{"__typename":"T","id":"1","v":1}}"#),
        .write("{ a { id } }", #"{"a":{"__typename":"T","id":"2"}}"#), .miss("{ a { v } }"),
        .write("{ a { v } }", #"{"a":{"__typename":"T","v":4}}"#),
        .read("{ a { v } }", #"{"a":{"v":4}}"#), .miss("{ a { id v } }"),
      ]),
  ]

  @Test("N1", arguments: scripts)
  func key(_ script: Script) async throws { try await script.run() }
}

/// N1.4: objects without a key.
@Suite(.timeLimit(.minutes(10)))
struct EmbeddingTests {
  static let scripts: [Script] = [
    Script(
      "N1.4 two responses along one path merge",
      [
        .write("{ m { x } }", #"{"m":{"__typename":"M","x":1}}"#),
        .write(
          "{ m { y in { p } } }", #"{"m":{"__typename":"M","y":2,"in":{"__typename":"N","p":1}}}"#),
        .write("{ m { in { q } } }", #"{"m":{"__typename":"M","in":{"__typename":"N","q":2}}}"#),
        .read("{ m { x y in { p q } } }", #"{"m":{"x":1,"y":2,"in":{"p":1,"q":2}}}"#),
      ]),
    Script(
      "N1.4 a change of type replaces",
      [
        .write("{ m { x } }", #"{"m":{"__typename":"M","x":1}}"#),
        .write("{ m { y } }", #"{"m":{"__typename":"N","y":2}}"#), .miss("{ m { x } }"),
        .read("{ m { y } }", #"{"m":{"y":2}}"#),
      ]),
    Script(
      "N1.4 null and back does not bring old fields back",
      [
        .write("{ m { x y } }", #"{"m":{"__typename":"M","x":1,"y":1}}"#),
        .write("{ m { x } }", #"{"m":null}"#),
        .write("{ m { x } }", #"{"m":{"__typename":"M","x":2}}"#), .miss("{ m { x y } }"),
      ]),
    Script(
      "N1.4 a reordered list is no mix (defect 1)",
      [
        .write(
          "{ l { x y } }", #"{"l":[{"__typename":"M","x":1,"y":1},{"__typename":"M","x":2,"y":2}]}"#
        ),
        .write("{ l { x } }", #"{"l":[{"__typename":"M","x":2},{"__typename":"M","x":1}]}"#),
        .miss("{ l { x y } }"), .read("{ l { x } }", #"{"l":[{"x":2},{"x":1}]}"#),
      ]),
    Script(
      "N1.4 nor are the objects in its elements (defect 1)",
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
      "N1.4 nor are lists of lists (defect 1)",
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
      "N1.4 entities in elements keep what they have",
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
      "N2.3 two selections of one list in one response merge",
      [
        .write(
          "{ l { x } ...F } fragment F on Query { l { y in { p } in { q } } }",
          #"{"l":[{"__typename":"M","x":1,"y":1,"in":{"__typename":"N","p":1,"q":2}}]}"#),
        .read("{ l { x y in { p q } } }", #"{"l":[{"x":1,"y":1,"in":{"p":1,"q":2}}]}"#),
      ]),
    Script(
      "N2.3 two places of one entity's keyless list in one response merge",
      [
        .write(
          "{ a { id l { x } } b { id l { y } } }",
          #"{"a":{"__typename":"T","id":"1","l":[{"__typename":"M","x":1}]},"b":{"__typename":"T","id":"1","l":[{"__typename":"M","y":2}]}}"#
        ),
        .read("{ a { l { x y } } }", #"{"a":{"l":[{"x":1,"y":2}]}}"#),
      ]),
    Script(
      "N2.3 an entity within its own keyless object",
      [
        .write(
          "{ a { id c { n { id c { total } } } } }",
          #"{"a":{"__typename":"T","id":"1","c":{"__typename":"C","n":{"__typename":"T","id":"1","c":{"__typename":"C","total":9}}}}}"#
        ),
        .read("{ a { c { total n { id } } } }", #"{"a":{"c":{"total":9,"n":{"id":"1"}}}}"#),
      ]),
    Script(
      "N2.3 an entity within its own keyless list",
      [
        .write(
          "{ a { id c { n { id c { total } } } } }",
          #"{"a":{"__typename":"T","id":"1","c":[{"__typename":"C","n":{"__typename":"T","id":"1","c":[{"__typename":"C","total":9}]}}]}}"#
        ),
        .read("{ a { c { total n { id } } } }", #"{"a":{"c":[{"total":9,"n":{"id":"1"}}]}}"#),
      ]),
    Script(
      "N3.6 a list that contradicts itself within one response corrupts nothing",
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
      "N1.4 a scalar in the place of a list of objects",
      [
        .write(
          "{ t { id m { x } } m { x } }",
          #"{"t":{"__typename":"T","id":"1","m":[[{"__typename":"M","x":1}],[{"__typename":"M","x":2}]]},"m":[{"__typename":"M","x":1}]}"#
        ),
        .write("{ t { id m } m }", #"{"t":{"__typename":"T","id":"1","m":7},"m":null}"#),
        .miss("{ t { m { x } } }"),
      ]),
    Script(
      "N1.4 a list of lists that is discarded",
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
      "N1.4 a scalar in the place of an object, and back",
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

  @Test("N1.4", arguments: scripts)
  func embedding(_ script: Script) async throws { try await script.run() }
}
