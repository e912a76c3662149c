import Testing
import Weir
import WeirNormalized

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
