import Testing
import Weir
import WeirNormalized

extension ConnectionTests {
  struct Step: Sendable {
    let arguments: JSONValue
    let numbers: [Int]
    var previous = false
    var next = false

    init(_ arguments: JSONValue, _ numbers: [Int], _ more: String = "") {
      self.arguments = arguments
      self.numbers = numbers
      previous = more.contains("<")
      next = more.contains(">")
    }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let steps: [Step]
    /// The arguments of each read, and what it shows.
    let reads: [(JSONValue, String?)]
    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "forward pages are joined in order, whichever one is read",
      steps: [
        Step(["first": 2], [1, 2], ">"), Step(["first": 2, "after": "c2"], [3, 4], "<>"),
        Step(["first": 2, "after": "c4"], [5], "<"),
      ],
      reads: [
        (["first": 2], "1 2 3 4 5 c1…c5"), (["first": 2, "after": "c2"], "1 2 3 4 5 c1…c5"),
        (["first": 3], nil), (["first": 2, "after": "c9"], nil),
      ]),
    Case(
      name: "pages that arrive in another order are sorted by cursor",
      steps: [
        Step(["first": 2, "after": "c4"], [5, 6], "<"),
        Step(["first": 2, "after": "c2"], [3, 4], "<>"), Step(["first": 2], [1, 2], ">"),
      ],
      reads: [(["first": 2], "1 2 3 4 5 6 c1…c6")]),
    Case(
      name: "backward pages are joined, too",
      steps: [
        Step(["last": 2], [5, 6], "<"), Step(["last": 2, "before": "c5"], [3, 4], "<>"),
        Step(["last": 2, "before": "c3"], [1, 2], ">"),
      ],
      reads: [(["last": 2], "1 2 3 4 5 6 c1…c6")]),
    Case(
      name: "forward and backward pages are two runs until they meet",
      steps: [Step(["first": 2], [1, 2], ">"), Step(["last": 2], [5, 6], "<")],
      reads: [(["first": 2], "1 2> c1…c2"), (["last": 2], "<5 6 c5…c6")]),
    Case(
      name: "forward and backward pages that share an edge are one run",
      steps: [
        Step(["first": 2], [1, 2], ">"), Step(["last": 2], [4, 5], "<"),
        Step(["first": 2, "after": "c2"], [3, 4], "<>"),
      ],
      reads: [(["first": 2], "1 2 3 4 5 c1…c5"), (["last": 2], "1 2 3 4 5 c1…c5")]),
    Case(
      name: "a gap stays a gap: a run ends before an unknown page",
      steps: [
        Step(["first": 2], [1, 2], ">"), Step(["first": 2, "after": "c6"], [7, 8], "<"),
      ],
      reads: [
        (["first": 2], "1 2> c1…c2"), (["first": 2, "after": "c6"], "<7 8 c7…c8"),
      ]),
    Case(
      name: "a page that fills a gap joins the pages around it",
      steps: [
        Step(["first": 2], [1, 2], ">"), Step(["first": 2, "after": "c4"], [5, 6], "<"),
        Step(["first": 2, "after": "c2"], [3, 4], "<>"),
      ],
      reads: [(["first": 2], "1 2 3 4 5 6 c1…c6")]),
    Case(
      name: "an element that a refetched page has lost does not return behind it",
      steps: [
        Step(["first": 2], [1, 2], ">"), Step(["first": 1, "after": "c1"], [2], "<>"),
        Step(["first": 2], [1, 3], ">"),
      ],
      reads: [(["first": 2], "1 3> c1…c3")]),
    Case(
      name: "a page whose place nothing tells any more is not appended",
      steps: [
        Step(["first": 3], [1, 2, 3], ">"), Step(["first": 2, "after": "c3"], [4, 6], "<>"),
        Step(["first": 3, "after": "c6"], [7, 8, 9], "<"),
        Step(["first": 5], [1, 2, 3, 4, 5], ">"),
      ],
      reads: [(["first": 3], "1 2 3 4 5> c1…c5"), (["first": 5], "1 2 3 4 5> c1…c5")]),
    Case(
      name: "a page that is refetched in place leaves no duplicates",
      steps: [
        Step(["first": 2], [1, 2], ">"), Step(["first": 2, "after": "c2"], [3, 4], "<"),
        Step(["first": 2], [1, 2], ">"), Step(["first": 2, "after": "c2"], [3, 4], "<"),
      ],
      reads: [(["first": 2], "1 2 3 4 c1…c4")]),
    Case(
      name: "a new first element separates the old pages until they are loaded again",
      steps: [
        Step(["first": 2], [1, 2], ">"), Step(["first": 2, "after": "c2"], [3, 4], "<"),
        Step(["first": 2], [0, 1], ">"),
      ],
      reads: [(["first": 2], "0 1> c0…c1"), (["first": 2, "after": "c2"], "<3 4 c3…c4")]),
    Case(
      name: "once the old pages are loaded again, they overlap and form one run",
      steps: [
        Step(["first": 2], [1, 2], ">"), Step(["first": 2, "after": "c2"], [3, 4], "<"),
        Step(["first": 2], [0, 1], ">"), Step(["first": 2, "after": "c1"], [2, 3], "<>"),
      ],
      reads: [(["first": 2], "0 1 2 3 4 c0…c4")]),
    Case(
      name: "a removed element does not separate pages that still overlap",
      steps: [
        Step(["first": 2], [1, 2], ">"), Step(["first": 2, "after": "c2"], [3, 4], "<"),
        Step(["first": 2], [1, 3], ">"),
      ],
      reads: [(["first": 2], "1 3 4 c1…c4")]),
    Case(
      name: "a larger first page contains the smaller one, and the newer one wins",
      steps: [
        Step(["first": 3], [1, 2, 3], ">"), Step(["first": 5], [1, 3, 4, 5, 6], ">"),
        Step(["first": 2, "after": "c6"], [7], "<"),
      ],
      reads: [(["first": 3], "1 3 4 5 6 7 c1…c7"), (["first": 5], "1 3 4 5 6 7 c1…c7")]),
    Case(
      name: "elements that were deleted do not return between newer pages that adjoin",
      steps: [
        Step(["first": 2], [1, 2], ">"), Step(["first": 2, "after": "c2"], [3, 4], "<"),
        Step(["first": 1], [0], ">"), Step(["first": 1, "after": "c0"], [9], "<>"),
        Step(["first": 1, "after": "c9"], [3], "<>"),
      ],
      reads: [(["first": 1], "0 9 3 4 c0…c4"), (["first": 2], "1 2> c1…c2")]),
    Case(
      name: "a page that arrives again unchanged is the newest",
      steps: [
        Step(["first": 3], [1, 2, 3], ">"), Step(["first": 5], [9, 1, 2, 3, 4], ">"),
        Step(["first": 3], [1, 2, 3], ">"),
      ],
      reads: [(["first": 3], "1 2 3 4> c1…c4"), (["first": 5], "1 2 3 4> c1…c4")]),
    Case(
      name: "an empty page ends the list",
      steps: [
        Step(["first": 2], [1, 2], ">"), Step(["first": 2, "after": "c2"], [], ""),
      ],
      reads: [(["first": 2], "1 2 c1…c2"), (["first": 2, "after": "c2"], "1 2 c1…c2")]),
    Case(
      name: "an empty list is a list", steps: [Step(["first": 2], [])],
      reads: [(["first": 2], " -…-")]),
    Case(
      name: "lists with other arguments are separate",
      steps: [
        Step(["first": 2, "status": "open"], [1, 2], ">"),
        Step(["first": 2, "after": "c2", "status": "done"], [3, 4]),
        Step(["first": 2, "after": "c2", "status": "open"], [5, 6]),
      ],
      reads: [
        (["first": 2, "status": "open"], "1 2 5 6 c1…c6"), (["first": 2], nil),
        (["first": 2, "after": "c2", "status": "done"], "3 4 c3…c4"),
      ]),
  ]

  @Test("Pages of a connection form one list (N7)", arguments: cases + casesOfMoves)
  func runs(_ example: Case) throws {
    let store = Self.store()
    for step in example.steps {
      try store.write(
        Self.data(step.numbers, previous: step.previous, next: step.next),
        for: Self.page(step.arguments))
    }
    for (arguments, expected) in example.reads {
      #expect(Self.shown(store, arguments) == expected, "read of \(arguments)")
    }
  }
}
