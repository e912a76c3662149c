import TestSupport
import Testing
import Weir
import WeirNormalized

/// Objects with many members, of which a document selects many.
@Suite("Many members and many fields", .timeLimit(.minutes(10)))
struct ManyMembersTests {
  /// The shortest of three times that it takes to write data for an operation.
  private static func time(_ text: String, _ operation: String) throws -> Duration {
    let data = try JSON(parsing: text)
    let operation = GraphQLOperation(GraphQLDocument(operation))
    return try (0..<3).map { _ in
      let store = NormalizedStore()
      return try processorTime { try store.write(data, for: operation) }
    }.min() ?? .zero
  }

  private static func fields(_ count: Int) -> String {
    (0..<count).map { "k\($0)" }.joined(separator: " ")
  }

  private static func members(_ keys: some Sequence<String>) -> String {
    keys.map { #""\#($0)":0"# }.joined(separator: ",")
  }

  @Test("Members that are not selected are not compared with each field (N3.6)")
  func unknownMembers() throws {
    let members = Self.members((0..<100_000).map { "x\($0)" })
    let text = #"{"todo":{"__typename":"Todo",\#(members)}}"#
    let few = try Self.time(text, "{ todo { \(Self.fields(100)) } }")
    let many = try Self.time(text, "{ todo { \(Self.fields(1_000)) } }")
    #expect(many < few * 4, "\(few), \(many)")
  }

  @Test("A condition that stays unknown costs no search for each field (N3.2, N3.6)")
  func unknownCondition() throws {
    func time(_ count: Int) throws -> Duration {
      // One member says that the condition holds, and another one, which is missing, that it does not.
      let members = Self.members((0..<count).reversed().map { "k\($0)" } + ["x"])
      let operation = "{ todo { \(Self.fields(count)) ... on Node { x y } } }"
      return try Self.time(#"{"todo":{"__typename":"Todo",\#(members)}}"#, operation)
    }
    let (few, many) = (try time(300), try time(3_000))
    #expect(many < few * 25, "\(few), \(many)")
  }
}
