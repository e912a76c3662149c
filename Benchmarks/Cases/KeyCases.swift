import GraphQLLanguage
import Weir

/// Making an operation of 30 lines with its key, which each call with new variables does.
enum KeyCases {
  static var all: [BenchmarkCase] {
    known + [neverSeenText, neverSeenTree]
  }

  private static var known: [BenchmarkCase] {
    let document = GraphQLDocument(Documents.feed)
    let bare = Documents.feedWithoutVariables()
    let bareDocument = GraphQLDocument(bare)
    let byID = Documents.feed(name: "FeedPage", declaring: "($id: ID!)")
    let documentByID = GraphQLDocument(byID)
    let small = IDVariables(id: "42")
    let value: JSONValue = ["id": "42"]
    let nested = FeedVariables.sample
    let nestedValue = FeedVariables.sampleValue
    return [
      known("parsed/none") { GraphQLOperation(bareDocument) },
      known("parsed/small", floor: { try Floors.key(small) }) {
        GraphQLOperation(documentByID, variables: small)
      },
      known("parsed/small, literal", floor: { try Floors.key(value) }) {
        GraphQLOperation(documentByID, variables: value)
      },
      known("parsed/small, generated") { OneTodo(id: "42").operation() },
      known("parsed/nested", floor: { try Floors.key(nested) }) {
        GraphQLOperation(document, variables: nested)
      },
      known("parsed/nested, literal", floor: { try Floors.key(nestedValue) }) {
        GraphQLOperation(document, variables: nestedValue)
      },
      known("parsed/nested, generated") { FeedPage.sample.operation() },
      known("text/none") { GraphQLOperation(GraphQLDocument(bare)) },
      known("text/small") {
        GraphQLOperation(GraphQLDocument(byID), variables: small)
      },
      known("text/nested") {
        GraphQLOperation(GraphQLDocument(Documents.feed), variables: nested)
      },
    ]
  }

  private static func known(
    _ name: String, floor: (() throws -> Workload)? = nil,
    _ make: @escaping () -> GraphQLOperation
  ) -> BenchmarkCase {
    BenchmarkCase(name: "key/\(name)", floor: floor) {
      let key = make().key
      return Workload(
        run: { operations in
          for _ in 0..<operations {
            try expect(make().key == key, "Equal operations have different keys.")
          }
        }, isCounted: true)
    }
  }

  // MARK: Documents that are new to the process

  private static let batch = 500

  private static var neverSeenText: BenchmarkCase {
    var round = 0
    return neverSeen("text") {
      round += 1
      return (0..<batch).map {
        let text = Documents.feedWithoutVariables(name: "FeedPage_\(round)_\($0)")
        return { GraphQLDocument(text) }
      }
    }
  }

  private static var neverSeenTree: BenchmarkCase {
    neverSeen("syntax tree") {
      try (0..<batch).map {
        let tree = try Document(
          parsing: Documents.feedWithoutVariables(name: "FeedPage_\($0)"))
        return { GraphQLDocument(tree) }
      }
    }
  }

  private static func neverSeen(
    _ form: String, _ documents: @escaping () throws -> [() -> GraphQLDocument]
  ) -> BenchmarkCase {
    BenchmarkCase(name: "key/never seen/\(form)", yardstick: .jsonSerialization(1)) {
      var fresh: [() -> GraphQLDocument] = []
      return Workload(
        batch: batch, reset: { fresh = try documents() },
        run: { _ in
          var keys: Set<OperationKey> = []
          for document in fresh { keys.insert(GraphQLOperation(document()).key) }
          try expect(keys.count == batch, "Different operations share a key.")
        })
    }
  }
}

extension FeedPage {
  /// The variables of `FeedVariables.sample`.
  fileprivate static let sample = FeedPage(
    first: 20, after: "Y3Vyc29yOjEyMw==",
    filter: TodoSchema.FeedFilter(
      tags: ["swift", "graphql"], author: TodoSchema.AuthorFilter(id: "7"),
      range: TodoSchema.RangeFilter(from: 1_700_000_000, to: 1_800_000_000), includeDrafts: false))
}
