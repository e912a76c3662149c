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

  /// How long it takes to write a number of todos beside thousands of users that may have lists of them.
  private static func duration(_ count: Int) throws -> Duration {
    var configuration = NormalizedCacheConfiguration()
    configuration.memberships = [ListMembership(of: "Todo", in: "User.todos") { _, _ in true }]
    let store = NormalizedStore(configuration)
    try store.write(
      ["users": entities("User", 5_000)], for: GraphQLOperation("{ users { id text } }"))
    let todos = entities("Todo", count)
    return try ContinuousClock().measure {
      try store.update {
        try $0.write(["todos": todos], for: GraphQLOperation("{ todos { id text } }"))
      }
    }
  }

  @Test("The owners of lists are searched once, not for each entity that was written (N5.3)")
  func owners() throws {
    let single = try (0..<3).map { _ in try Self.duration(1) }.min() ?? .zero
    let many = try Self.duration(300)
    #expect(many < single * 30)
  }
}
