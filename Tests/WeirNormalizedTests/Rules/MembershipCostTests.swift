import TestSupport
import Testing
import Weir
import WeirNormalized

/// How much it costs to keep lists up to date (N5.3).
@Suite(.timeLimit(.minutes(10)))
struct MembershipCostTests {
  private static func entities(_ typename: String, _ count: Int) -> JSONValue {
    .array(
      (0..<count).map { ["__typename": .string(typename), "id": .string("\($0)"), "text": "t"] })
  }

  /// The processor time that it takes to write a number of todos beside thousands of users that may have lists of them.
  private static func time(_ count: Int) throws -> Duration {
    var configuration = NormalizedCacheConfiguration()
    configuration.memberships = [ListMembership(of: "Todo", in: "User.todos") { _, _ in true }]
    let store = NormalizedStore(configuration)
    try store.write(
      ["users": entities("User", 5_000)], for: GraphQLOperation("{ users { id text } }"))
    let todos = entities("Todo", count)
    return try processorTime {
      try store.update {
        try $0.write(["todos": todos], for: GraphQLOperation("{ todos { id text } }"))
      }
    }
  }

  @Test("The owners of lists are searched once, not for each entity that was written (N5.3)")
  func owners() throws {
    let single = try (0..<3).map { _ in try Self.time(1) }.min() ?? .zero
    let many = try (0..<3).map { _ in try Self.time(300) }.min() ?? .zero
    #expect(many < single * 30)
  }
}
