import TestSupport
import Testing
import Weir
import WeirNormalized

/// How the costs of transactions grow.
@Suite(.timeLimit(.minutes(10)))
struct TransactionCostTests {
  /// The processor time of a synchronization: everything becomes stale, and is then written one by one.
  private static func time(ofWritingAgain count: Int) throws -> Duration {
    let store = NormalizedStore()
    let todos = (0..<count).map { number -> JSONValue in
      ["__typename": "Todo", "id": .string("\(number)"), "text": "t", "complete": false]
    }
    try store.write(
      ["todos": .array(todos)], for: GraphQLOperation("{ todos { id text complete } }"))
    let fragment = try GraphQLFragment("fragment F on Todo { id text complete }")
    return try processorTime {
      try store.update { transaction in
        transaction.invalidate(.type("Todo"))
        for (number, todo) in todos.enumerated() {
          try transaction.write(todo, for: fragment, of: Entity("Todo", id: "\(number)"))
        }
      }
    }
  }

  @Test("A write costs the same, however much its transaction has invalidated")
  func invalidated() throws {
    let few = try (0..<3).map { _ in try Self.time(ofWritingAgain: 250) }.min() ?? .zero
    let many = try (0..<3).map { _ in try Self.time(ofWritingAgain: 2_000) }.min() ?? .zero
    #expect(many < few * 24)
  }
}
