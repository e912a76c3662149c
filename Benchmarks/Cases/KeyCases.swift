import GraphQLLanguage
import Weir

/// Making an operation of 30 lines, its key included: what each call with new variables costs.
enum KeyCases {
  static var all: [BenchmarkCase] {
    known + [neverSeenText, neverSeenTree]
  }

  private static var known: [BenchmarkCase] {
    let document = GraphQLDocument(Documents.feed)
    let small = PostVariables(id: "42")
    let value: JSONValue = ["id": "42"]
    let nested = FeedVariables.sample
    let nestedValue = FeedVariables.sampleValue
    return [
      known("parsed/no variables") { GraphQLOperation(document) },
      known("parsed/small variables") { GraphQLOperation(document, variables: small) },
      known("parsed/small variables, literal") { GraphQLOperation(document, variables: value) },
      known("parsed/nested variables") { GraphQLOperation(document, variables: nested) },
      known("parsed/nested variables, literal") {
        GraphQLOperation(document, variables: nestedValue)
      },
      known("text/no variables") { GraphQLOperation(GraphQLDocument(Documents.feed)) },
      known("text/small variables") {
        GraphQLOperation(GraphQLDocument(Documents.feed), variables: small)
      },
      known("text/nested variables") {
        GraphQLOperation(GraphQLDocument(Documents.feed), variables: nested)
      },
    ]
  }

  private static func known(
    _ name: String, _ make: @escaping () -> GraphQLOperation
  ) -> BenchmarkCase {
    BenchmarkCase(name: "key/\(name)") {
      let key = make().key
      return Workload(
        run: { operations in
          for _ in 0..<operations {
            try expect(make().key == key, "Equal operations have different keys.")
          }
        }, countsAllocations: true)
    }
  }

  // MARK: Documents that were never seen before

  private static let batch = 500

  private static var neverSeenText: BenchmarkCase {
    BenchmarkCase(name: "key/never seen/text") {
      var texts: [String] = []
      var round = 0
      return Workload(
        parts: (batch, "document"),
        reset: {
          round += 1
          texts = (0..<batch).map { Documents.feed(name: "FeedPage_\(round)_\($0)") }
        },
        run: { _ in
          var keys: Set<OperationKey> = []
          for text in texts { keys.insert(GraphQLOperation(GraphQLDocument(text)).key) }
          try expect(keys.count == batch, "Different operations share a key.")
        })
    }
  }

  private static var neverSeenTree: BenchmarkCase {
    BenchmarkCase(name: "key/never seen/syntax tree") {
      let trees = try (0..<batch).map {
        try Document(parsing: Documents.feed(name: "FeedPage_\($0)"))
      }
      return Workload(
        parts: (batch, "document"), reset: {},
        run: { _ in
          var keys: Set<OperationKey> = []
          for tree in trees { keys.insert(GraphQLOperation(GraphQLDocument(tree)).key) }
          try expect(keys.count == batch, "Different operations share a key.")
        })
    }
  }
}
