import TestSupport
import Testing
import Weir
@testable import WeirNormalized

/// How much it costs to work with a large store.
@Suite(.timeLimit(.minutes(10)))
struct StoreCostTests {
  /// The processor time that it takes to create todos one by one beside others.
  private static func creationTime(beside count: Int) throws -> Duration {
    let store = NormalizedStore()
    let known = (0..<count).map { #"{"__typename":"Todo","id":"\#($0)"}"# }
    let data = "{\"todos\":[\(known.joined(separator: ","))]}"
    try store.write(
      try JSON(parsing: Array(data.utf8)), for: GraphQLOperation("{ todos { id } }"))
    let fragment = try GraphQLFragment("fragment T on Todo { id text }")
    return try processorTime {
      try store.update { transaction in
        for number in 0..<200 {
          let id = "new \(number)"
          try transaction.write(
            ["id": .string(id), "text": "t"], for: fragment, of: Entity("Todo", id: id))
        }
      }
    }
  }

  @Test("To create an entity costs about the same beside many entities as beside few")
  func creation() throws {
    let few = try (0..<2).map { _ in try Self.creationTime(beside: 1_000) }.min() ?? .zero
    let many = try (0..<2).map { _ in try Self.creationTime(beside: 200_000) }.min() ?? .zero
    #expect(many < few * 2)
  }
}
