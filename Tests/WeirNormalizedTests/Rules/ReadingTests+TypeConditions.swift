import Weir
import WeirNormalized

extension ReadingTests {
  private static let card = "{ s { id ... on A { x } ... on B { y } ... on Node { n } } }"

  static let typeConditions: [Script] = [
    Script(
      "Type conditions are learned from responses (N3.2)",
      [
        .write(
          card,
          #"{"s":[{"__typename":"A","id":"1","x":1},{"__typename":"B","id":"2","y":2,"n":3},{"__typename":"C","id":"3"}]}"#
        ),
        .read(card, #"{"s":[{"id":"1","x":1},{"id":"2","y":2,"n":3},{"id":"3"}]}"#),
      ]),
    Script(
      "No object has two types (N3.2)",
      [
        .write(
          "{ a { id x } b { id } }",
          #"{"a":{"__typename":"A","id":"1","x":1},"b":{"__typename":"B","id":"2"}}"#),
        .read("{ a { id ... on B { y } ... on A { x } } }", #"{"a":{"id":"1","x":1}}"#),
      ]),
    Script(
      "A condition within another condition teaches nothing wrong (N3.2)",
      [
        .answer(
          "{ s { id ... on Actor { ... on Node { x } } } }", #"{"s":{"__typename":"A","id":"1"}}"#,
          nulled: []),
        .answer(
          "{ s { id ... on Node { y } } }", #"{"s":{"__typename":"A","id":"1","y":2}}"#, nulled: []),
        .read("{ s { id ... on Node { y } } }", #"{"s":{"id":"1","y":2}}"#),
        .read("{ s { id ... on Actor { ... on Node { x } } } }", #"{"s":{"id":"1"}}"#),
      ]),
    Script(
      "A condition that only selects more of a nested object is learned (N3.2)",
      [
        .write(
          "{ s { id o { id a } ... on I { o { b l { c } } } } }",
          #"{"s":[{"__typename":"A","id":"1","o":{"__typename":"O","id":"1","a":1}},{"__typename":"B","id":"2","o":{"__typename":"O","id":"2","a":2,"b":3,"l":[]}}]}"#
        ),
        .read(
          "{ s { id o { id a } ... on I { o { b l { c } } } } }",
          #"{"s":[{"id":"1","o":{"id":"1","a":1}},{"id":"2","o":{"id":"2","a":2,"b":3,"l":[]}}]}"#),
      ]),
    Script(
      "Two conditions with the same selection are both learned (N3.2)",
      [
        .write(
          "{ s { id ... on I { x } ... on J { x } } }", #"{"s":{"__typename":"A","id":"1"}}"#),
        .read("{ s { id ... on I { x } ... on J { x } } }", #"{"s":{"id":"1"}}"#),
      ]),
    Script(
      "Missing parts of the data teach nothing (N3.2)",
      [
        .write("{ s { id n ... on I { x } } }", #"{"s":{"__typename":"A","id":"1"}}"#),
        .write("{ s { id x } }", #"{"s":{"__typename":"A","id":"1","x":5}}"#),
        .read("{ s { id ... on I { x } } }", #"{"s":{"id":"1","x":5}}"#),
      ]),
    Script(
      "One alias can stand for fields of two types (N3.2)",
      [
        .write(
          "{ s { id ... on B { v: y } ... on A { v: x } } }",
          #"{"s":{"__typename":"A","id":"1","v":5}}"#),
        .read("{ s { id ... on A { x } } }", #"{"s":{"id":"1","x":5}}"#),
        .miss("{ s { y } }"),
        .read("{ s { id ... on B { v: y } ... on A { v: x } } }", #"{"s":{"id":"1","v":5}}"#),
      ]),
    Script(
      "One alias can stand for fields of two interfaces (N3.2)",
      [
        .write(
          "{ s { id ... on I { v: y } ... on J { v: x } } }",
          #"{"s":{"__typename":"A","id":"1","v":5}}"#),
        .read("{ s { id ... on I { v: y } ... on J { v: x } } }", #"{"s":{"id":"1","v":5}}"#),
        .miss("{ s { x y } }"),
      ]),
    Script(
      "With possible types nothing is guessed (N3.2)",
      [
        .write(
          "{ s { id ... on Node { n } } }",
          #"{"s":[{"__typename":"A","id":"1"},{"__typename":"B","id":"2","n":3}]}"#),
        .read("{ s { id ... on Node { n } } }", #"{"s":[{"id":"1"},{"id":"2","n":3}]}"#),
        .miss("{ s { id ... on Node { m } } }"),
      ], configure: { $0.possibleTypes["Node"] = ["B"] }),
  ]
}
