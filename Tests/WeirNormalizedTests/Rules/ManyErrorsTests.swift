import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Responses with as many errors as elements or members. If each error were looked for from the beginning
/// of its list or object, the tests would exceed the time limit.
@Suite("Many errors in one response", .timeLimit(.minutes(10)))
struct ManyErrorsTests {
  private static let count = 300_000

  /// Returns the data with which a store answers a response.
  private func data(
    _ text: String, of query: GraphQLDocument, failing paths: [[GraphQLError.PathElement]]
  ) async -> JSON? {
    let server = ScriptedExchange.immediate { _ in
      .data(text, errors: paths.map { GraphQLError(message: "no", path: $0) })
    }
    let client = GraphQLClient([.normalizedCache(NormalizedStore()), server])
    return await client.query(GraphQLOperation(query)).data
  }

  @Test("The errors of a long list may come in any order (N2.4)")
  func descending() async {
    let nulls = Array(repeating: "null", count: Self.count).joined(separator: ",")
    let data = await data(
      #"{"todos":[\#(nulls)]}"#, of: "{ todos { id } }",
      failing: (0..<Self.count).reversed().map { [.key("todos"), .index($0), .key("id")] })
    #expect(data?["todos"]?.count == Self.count)
  }

  @Test("The errors of an object may be at the last of many members (N2.4)")
  func lastMembers() async {
    let members = (0..<Self.count).map { #""k\#($0)":null"# }.joined(separator: ",")
    let data = await data(
      #"{"settings":{\#(members)},"todo":null}"#, of: "{ settings todo { id } }",
      failing: (0..<Self.count).map {
        $0 % 2 == 0 ? [.key("settings"), .key("k\(Self.count - 1 - $0)")] : [.key("todo")]
      })
    #expect(data?["settings"]?.count == Self.count)
  }
}
