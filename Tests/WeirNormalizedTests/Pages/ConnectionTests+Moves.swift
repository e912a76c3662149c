import Weir

extension ConnectionTests {
  /// An element moves between two loads, so that two pages have it.
  static let casesOfMoves = [
    Case(
      name: "nothing precedes a first page that an element has moved to",
      steps: [
        Step(["first": 2], [1, 2], ">"), Step(["first": 2, "after": "c2"], [3, 4], "<"),
        Step(["first": 2], [4, 1], ">"),
      ],
      reads: [(["first": 2], "4 1> c4…c1")]),
    Case(
      name: "nothing precedes a first page that an element of a third page has moved to",
      steps: [
        Step(["first": 2], [1, 2], ">"), Step(["first": 2, "after": "c2"], [3, 4], "<>"),
        Step(["first": 2, "after": "c4"], [5, 6], "<"), Step(["first": 2], [5, 1], ">"),
      ],
      reads: [(["first": 2], "5 1> c5…c1"), (["first": 2, "after": "c2"], "<3 4> c3…c4")]),
    Case(
      name: "nothing follows a last page that an element has moved to",
      steps: [
        Step(["last": 2], [5, 6], "<"), Step(["last": 2, "before": "c5"], [3, 4], ">"),
        Step(["last": 2], [6, 3], "<"),
      ],
      reads: [(["last": 2], "<6 3 c6…c3")]),
    Case(
      name: "a first page stays first if its first element moves to the next one",
      steps: [
        Step(["first": 3], [1, 2, 3], ">"), Step(["first": 2, "after": "c3"], [4, 1], "<"),
      ],
      reads: [(["first": 3], "2 3 4 1 c1…c1")]),
    Case(
      name: "a first page stays first if an element moves to the middle of the next one",
      steps: [
        Step(["first": 3], [1, 2, 3], ">"), Step(["first": 3, "after": "c3"], [4, 2, 5], "<>"),
        Step(["first": 3, "after": "c5"], [6, 7], "<"),
      ],
      reads: [(["first": 3], "1 3 4 2 5 6 7 c1…c7")]),
    Case(
      name: "a last page stays last if an element moves to the one before",
      steps: [
        Step(["last": 3], [5, 6, 7], "<"),
        Step(["last": 3, "before": "c5"], [3, 6, 4], ">"),
      ],
      reads: [(["last": 3], "3 6 4 5 7 c3…c7")]),
    Case(
      name: "a page stays behind the one that an element of it has moved to",
      steps: [
        Step(["first": 2], [1, 2], ">"), Step(["first": 3, "after": "c2"], [3, 4, 5], "<>"),
        Step(["first": 3, "after": "c5"], [6, 4, 7], "<"), Step(["first": 2], [2, 1], ">"),
        Step(["first": 2], [1, 2], ">"),
      ],
      reads: [(["first": 2], "1 2 3 4 5 6 7 c1…c7")]),
    Case(
      name: "pages that were loaded before a first page stay there when that changes",
      steps: [
        Step(["first": 2], [3, 4], ">"), Step(["last": 2, "before": "c3"], [1, 2], ">"),
        Step(["first": 2], [3, 5], ">"),
      ],
      reads: [(["first": 2], "1 2 3 5> c1…c5")]),
  ]
}
