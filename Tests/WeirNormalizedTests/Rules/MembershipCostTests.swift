import TestSupport
import Testing
import Weir
@testable import WeirNormalized

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

  /// The processor time that it takes to write a todo many times, one transaction after the other, beside users
  /// without lists of todos.
  private static func time(besideUsers users: Int) throws -> Duration {
    var configuration = NormalizedCacheConfiguration()
    configuration.memberships = [ListMembership(of: "Todo", in: "User.todos") { _, _ in true }]
    let store = NormalizedStore(configuration)
    let todo = GraphQLOperation("{ todo { id text } }")
    try store.write(
      ["users": entities("User", users)], for: GraphQLOperation("{ users { id text } }"))
    return try processorTime {
      for round in 0..<100 {
        let data: JSONValue = ["todo": ["__typename": "Todo", "id": "1", "text": "\(round)"]]
        try store.update { try $0.write(data, for: todo) }
      }
    }
  }

  @Test("Objects that may have a list, but have none, cost next to nothing (N5.3)")
  func others() throws {
    let few = try (0..<3).map { _ in try Self.time(besideUsers: 100) }.min() ?? .zero
    let many = try (0..<3).map { _ in try Self.time(besideUsers: 4_000) }.min() ?? .zero
    #expect(many < few * 12)
  }

  /// The processor time that it takes to delete a number of todos beside thousands of users with lists of them.
  private static func deletionTime(_ count: Int) throws -> Duration {
    var configuration = NormalizedCacheConfiguration()
    configuration.mutations["delete"] = .removing("Todo", idFrom: "ids")
    let store = NormalizedStore(configuration)
    let users = (0..<5_000).map { number -> JSONValue in
      [
        "__typename": "User", "id": .string("\(number)"),
        "todos": [["__typename": "Todo", "id": "kept"]],
      ]
    }
    try store.write(
      ["users": .array(users)], for: GraphQLOperation("{ users { id todos { id } } }"))
    try store.write(
      ["todos": entities("Todo", 300)], for: GraphQLOperation("{ todos { id text } }"))
    let ids = JSONValue.array((0..<count).map { .string("\($0)") })
    let field = MutationField(
      name: "delete", arguments: ["ids": ids], value: nil, isOptimistic: false,
      exactArguments: ["ids": ids.json])
    return try processorTime {
      try store.update { try configuration.mutations["delete"]?.update?(field, &$0) }
    }
  }

  @Test("The lists are searched once for all entities that a mutation deletes (N5.4)")
  func deletions() throws {
    let single = try (0..<3).map { _ in try Self.deletionTime(1) }.min() ?? .zero
    let many = try (0..<3).map { _ in try Self.deletionTime(300) }.min() ?? .zero
    #expect(many < single * 30)
  }
}
