import Testing
import Weir
import WeirNormalized

/// Values, nulls and selections (N2.2–N3).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct ReadingTests {
  private static let long = String(repeating: #"0123 \"é\\ \ud83d\ude00 "#, count: 500)
  private static let directives = """
    query($yes: Boolean!, $no: Boolean!, $d: Boolean! = true) {
      a @include(if: $yes) b @include(if: $no) c @skip(if: $yes) d @skip(if: $no)
      e @include(if: true) @skip(if: true) f @include(if: $yes) @skip(if: $yes)
      g @include(if: $d) ... @include(if: $no) { h } ... @include(if: $yes) @skip(if: $no) { i }
    }
    """

  static let scripts = valuesAndSelections + typeConditions

  private static let valuesAndSelections: [Script] = [
    Script(
      "Custom scalars are kept whole (N2.2, defect 3)",
      [
        .write(
          "{ j k l m }",
          #"{"j":{"$reference":"T:1","id":"1","__ref":"x"},"k":[[],{},[null,1.50,"\u0041"]],"l":-0.0,"m":12345678901234567890123}"#
        ),
        .read(
          "{ j k }", #"{"j":{"$reference":"T:1","id":"1","__ref":"x"},"k":[[],{},[null,1.50,"A"]]}"#
        ),
        .read("{ m }", #"{"m":12345678901234567890123}"#),
      ]),
    Script(
      "Long strings, escapes, empty lists and empty strings are kept (N2.2)",
      [
        .write("{ a b c { x } d }", #"{"a":"\#(long)","b":"","c":[],"d":"\u0000\n\u2028"}"#),
        .read("{ a b c { x } d }", #"{"a":"\#(long)","b":"","c":[],"d":"\u0000\n\u2028"}"#),
        .write("{ a }", #"{"a":"x"}"#), .read("{ a }", #"{"a":"x"}"#),
      ]),
    Script(
      "A write never removes other fields (N2.3)",
      [
        .write("{ t { id x y } }", #"{"t":{"__typename":"T","id":"1","x":1,"y":2}}"#),
        .write("{ u { id z x } }", #"{"u":{"__typename":"T","id":"1","z":3,"x":4}}"#),
        .read("{ t { x y z } }", #"{"t":{"x":4,"y":2,"z":3}}"#),
      ]),
    Script(
      "One entity may appear many times in one response (N2.3)",
      [
        .write(
          "{ a { id x } b { id y } l { id z p { id w } } }",
          #"{"a":{"__typename":"T","id":"1","x":1},"b":{"__typename":"T","id":"1","y":2},"l":[{"__typename":"T","id":"1","z":3,"p":{"__typename":"T","id":"1","w":4}},{"__typename":"T","id":"1","z":3,"p":{"__typename":"T","id":"1","w":4}}]}"#
        ),
        .read("{ a { x y z w p { x } } }", #"{"a":{"x":1,"y":2,"z":3,"w":4,"p":{"x":1}}}"#),
      ]),
    Script(
      "Two selections of one field merge even if only one has the key (N2.3)",
      [
        .write(
          "{ a: t { y } b: t { id x } }",
          #"{"a":{"__typename":"T","y":2},"b":{"__typename":"T","id":"1","x":1}}"#),
        .read("{ a: t { y } b: t { id x } }", #"{"a":{"y":2},"b":{"id":"1","x":1}}"#),
        .write(
          "{ b: t { id x } a: t { y } }",
          #"{"b":{"__typename":"T","id":"2","x":3},"a":{"__typename":"T","y":4}}"#),
        .read("{ t { id x y } }", #"{"t":{"id":"2","x":3,"y":4}}"#),
        .read("{ a: t { y } b: t { id x } }", #"{"a":{"y":4},"b":{"id":"2","x":3}}"#),
        // In another response it may be another object.
        .write("{ t { z } }", #"{"t":{"__typename":"T","z":5}}"#),
        .miss("{ t { id } }"),
      ]),
    Script(
      "Two selections of one field with arguments merge even if only one has the key (N2.3)",
      [
        .write(
          "{ a: t(n: 1) { y } b: t(n: 1) { id x } c: t(n: 2) { y } }",
          #"{"a":{"__typename":"T","y":2},"b":{"__typename":"T","id":"1","x":1},"c":{"__typename":"T","y":3}}"#
        ),
        .read(
          "{ t(n: 1) { id x y } c: t(n: 2) { y } }", #"{"t":{"id":"1","x":1,"y":2},"c":{"y":3}}"#),
      ]),
    Script(
      "Two selections of one list merge even if only one has keys (N2.3)",
      [
        .write(
          "{ a: l { y in { p } } b: l { id x in { q } } }",
          #"{"a":[{"__typename":"T","y":1,"in":{"__typename":"N","p":1}},null,{"__typename":"T","y":2,"in":null}],"b":[{"__typename":"T","id":"1","x":1,"in":{"__typename":"N","q":1}},null,{"__typename":"T","id":"2","x":2,"in":null}]}"#
        ),
        .read(
          "{ l { id x y in { p q } } }",
          #"{"l":[{"id":"1","x":1,"y":1,"in":{"p":1,"q":1}},null,{"id":"2","x":2,"y":2,"in":null}]}"#
        ),
      ]),
    Script(
      "A null caused by an error is not stored, and good values stay (N2.4, defect 4)",
      [
        .answer(
          "{ t { id x y } }", #"{"t":{"__typename":"T","id":"1","x":1,"y":null}}"#, nulled: []),
        .read("{ t { x y } }", #"{"t":{"x":1,"y":null}}"#),
        .answer(
          "{ t { id x z } }", #"{"t":{"__typename":"T","id":"1","x":null,"z":null}}"#,
          nulled: [[.key("t"), .key("x")], [.key("t"), .key("z")]]),
        .read("{ t { x y } }", #"{"t":{"x":1,"y":null}}"#), .miss("{ t { z } }"),
      ]),
    Script(
      "A null that an error propagated to a parent, list or element is not stored (N2.4)",
      [
        .answer(
          "{ t { id x { y } } l { x } m { x } }",
          #"{"t":null,"l":[{"__typename":"M","x":1},null],"m":null}"#,
          nulled: [
            [.key("t"), .key("x"), .key("y")], [.key("l"), .index(1), .key("x")],
            [.key("m"), .index(0), .key("x")],
          ]),
        .miss("{ t { id } }"), .miss("{ l { x } }"), .miss("{ m { x } }"),
      ]),
    Script(
      "A null that an error caused in a list of entities is not stored (N2.4)",
      [
        .answer(
          "{ l { id } }", #"{"l":[{"__typename":"T","id":"1"},{"__typename":"T","id":"2"}]}"#,
          nulled: []),
        .answer(
          "{ l { id } }", #"{"l":[{"__typename":"T","id":"1"},null]}"#,
          nulled: [[.key("l"), .index(1)]]),
        .read("{ l { id } }", #"{"l":[{"id":"1"},{"id":"2"}]}"#),
        .answer(
          "{ l { id } }", #"{"l":[null,{"__typename":"T","id":"1"}]}"#,
          nulled: [[.key("l"), .index(0)]]),
        .miss("{ l { id } }"),
      ]),
    Script(
      "A null that an error caused in a list of a keyless element is not stored (N2.4)",
      [
        .answer(
          "{ l { m { id } } }", #"{"l":[{"__typename":"M","m":[{"__typename":"T","id":"1"}]}]}"#,
          nulled: []),
        .answer(
          "{ l { m { id } } }", #"{"l":[{"__typename":"M","m":[null]}]}"#,
          nulled: [[.key("l"), .index(0), .key("m"), .index(0)]]),
        .miss("{ l { m { id } } }"),
      ]),
    Script(
      "Errors without a path, or with a wrong one, nullify nothing (N2.4)",
      [
        .answer(
          "{ x y }", #"{"x":1,"y":null}"#,
          nulled: [[], [.key("nothing")], [.key("x")], [.key("x"), .index(3)]]),
        .read("{ x y }", #"{"x":1,"y":null}"#),
      ]),
    Script(
      "@include and @skip must both pass, with defaults (N3.3, defect 10)",
      [
        .write(directives, ["yes": true, "no": false], #"{"a":1,"d":4,"g":7,"i":9}"#),
        .read(directives, ["yes": true, "no": false], #"{"a":1,"d":4,"g":7,"i":9}"#),
        .miss(directives, ["yes": true, "no": true]),
        .read("{ a d g i }", #"{"a":1,"d":4,"g":7,"i":9}"#), .miss("{ e }"), .miss("{ f }"),
        .miss("{ b }"), .miss("{ h }"),
      ]),
    Script(
      "Fragments work in any order, nested, and with shared fields (N3.3)",
      [
        .write(
          "fragment B on T { y ...C } query { t { ...B ...A id } } fragment C on T { o { q } } fragment A on T { x o { p } }",
          #"{"t":{"__typename":"T","y":2,"o":{"__typename":"O","q":4,"p":3},"x":1,"id":"1"}}"#),
        .read("{ t { id x y o { p q } } }", #"{"t":{"id":"1","x":1,"y":2,"o":{"p":3,"q":4}}}"#),
      ]),
    Script(
      "Members may be in another order than selected, with unknown ones between (N3.3)",
      [
        .write(
          "{ t { id x o { p q } } }",
          #"{"zz":[{}],"t":{"o":{"q":2,"p":1,"more":{},"__typename":"O"},"x":1,"id":"1","__typename":"T"}}"#
        ),
        .read("{ t { id x o { p q } } }", #"{"t":{"id":"1","x":1,"o":{"p":1,"q":2}}}"#),
      ]),
    Script(
      "__typename is read with an alias and on the root (N3.3)",
      [
        .write("{ t { kind: __typename id } }", #"{"t":{"kind":"T","id":"1","__typename":"T"}}"#),
        .read(
          "{ t { kind: __typename id what: __typename } }",
          #"{"t":{"kind":"T","id":"1","what":"T"}}"#),
        .write("{ r: __typename }", #"{"r":"query_root"}"#),
        .read("{ r: __typename }", #"{"r":"query_root"}"#),
      ]),
    Script(
      "An empty selection and an invalid document are misses (N3.1)",
      [.miss("{ a "), .miss("{ a }"), .write("{ a }", "{}"), .miss("{ a }")]),
    Script(
      "Cycles end with the selection (N3.6)",
      [
        .write(
          "{ t { id o { id o { id } } } }",
          #"{"t":{"__typename":"T","id":"1","o":{"__typename":"T","id":"2","o":{"__typename":"T","id":"1"}}}}"#
        ),
        .read("{ t { o { o { o { o { id } } } } } }", #"{"t":{"o":{"o":{"o":{"o":{"id":"1"}}}}}}"#),
      ]),
    Script(
      "Deep nesting is read (N3.6)",
      [
        .write(
          "{ t { id o { id } } }",
          #"{"t":{"__typename":"T","id":"1","o":{"__typename":"T","id":"1"}}}"#),
        .read(
          "{ t " + String(repeating: "{ o ", count: 100) + "{ id }"
            + String(repeating: "}", count: 101),
          #"{"t":"# + String(repeating: #"{"o":"#, count: 100) + #"{"id":"1"}"#
            + String(repeating: "}", count: 101)),
      ]),
    Script(
      "Dangling references are dropped from lists if so configured (N3.4)",
      [
        .write("{ l { id x } }", #"{"l":[{"__typename":"T","id":"1","x":1},null]}"#),
        .read("{ l { id x } }", #"{"l":[{"id":"1","x":1},null]}"#),
      ], configure: { $0.dropsDangling = true }),
    Script(
      "Conditions may have more variables than a word has bits (N2.1)",
      [
        .write(many, manyVariables, #"{"f3":1,"f68":2}"#),
        .read(many, manyVariables, #"{"f3":1,"f68":2}"#), .miss("{ f66 }"),
      ]),
    Script(
      "An object may have more fields than a row has slots (N2.2)",
      [
        .write("{ t { id \(wide) } }", #"{"t":{"__typename":"T","id":"1",\#(wideData)}}"#),
        .read("{ t { id \(wide) } }", #"{"t":{"id":"1",\#(wideData)}}"#),
        .write("{ t { id w70 } }", #"{"t":{"__typename":"T","id":"1","w70":"new"}}"#),
        .read("{ t { w69 w70 } }", #"{"t":{"w69":69,"w70":"new"}}"#),
      ]),
  ]

  private static let wide = (0..<100).map { "w\($0)" }.joined(separator: " ")
  private static let wideData = (0..<100).map { #""w\#($0)":\#($0)"# }.joined(separator: ",")
  private static let many =
    "query(" + (0..<70).map { "$v\($0): Boolean!" }.joined(separator: ", ") + ") { "
    + (0..<70).map { "f\($0) @include(if: $v\($0))" }.joined(separator: " ") + " }"
  private static let manyVariables: JSONValue = .object(
    JSONObject((0..<70).map { ("v\($0)", .bool($0 == 3 || $0 == 68)) }))

  @Test("Written data is read as the selections and directives say (N2, N3)", arguments: scripts)
  func reading(_ script: Script) async throws { try await script.run() }
}
