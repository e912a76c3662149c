import TestSupport
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

  /// The processor time of a hit that shows the errors of a list's elements.
  private func hitTime(elements count: Int) async throws -> Duration {
    let nulls = Array(repeating: "null", count: count).joined(separator: ",")
    let server = ScriptedExchange.immediate { _ in
      .data(
        #"{"todos":[\#(nulls)]}"#,
        errors: (0..<count).map {
          GraphQLError(message: "no", path: [.key("todos"), .index($0), .key("id")])
        })
    }
    let client = GraphQLClient([.normalizedCache(NormalizedStore()), server])
    let query = GraphQLOperation("{ todos { id } }").with { $0.showsKnownErrors = true }
    _ = await client.query(query)
    return (0..<3).map { _ in
      processorTime {
        #expect(client.peek(query)?.error?.graphQLErrors.count == count)
      }
    }.min() ?? .zero
  }

  @Test("A hit that shows known errors does not compare each with each (N2.4)")
  func hits() async throws {
    let (few, many) = (try await hitTime(elements: 400), try await hitTime(elements: 4_000))
    #expect(many < few * 30, "\(few), \(many)")
  }

  @Test(
    "An error that takes too much memory is not kept, whichever member is long (N2.4)",
    arguments: [false, true])
  func longMember(isOther: Bool) async {
    let long: JSONObject = ["x": .string(String(repeating: "x", count: 1 << 20))]
    let server = ScriptedExchange.immediate { _ in
      .data(
        #"{"todo":null}"#,
        errors: [
          GraphQLError(
            message: "no", path: [.key("todo")], extensions: isOther ? nil : .object(long),
            otherMembers: isOther ? long : [:])
        ])
    }
    let client = GraphQLClient([.normalizedCache(NormalizedStore()), server])
    let query = GraphQLOperation("{ todo { id } }").with { $0.showsKnownErrors = true }
    for _ in 0..<2 { _ = await client.query(query) }
    #expect(server.operations.count == 2)
  }

  @Test("Of the errors of one response, the last are kept (N2.4)")
  func lastErrors() async {
    let count = 6_000
    let requested = Locked(0..<0)
    let server = ScriptedExchange.immediate { _ in
      let keys = requested.withLock(\.self).map { "t\($0)" }
      return .data(
        "{\(keys.map { "\"\($0)\":null" }.joined(separator: ","))}",
        errors: keys.map { GraphQLError(message: "no", path: [.key($0)]) })
    }
    let client = GraphQLClient([.normalizedCache(NormalizedStore()), server])
    func query(_ ids: Range<Int>) -> GraphQLOperation {
      let fields = ids.map { "t\($0)" }.joined(separator: " ")
      return GraphQLOperation(GraphQLDocument("{ \(fields) }")).with { $0.showsKnownErrors = true }
    }
    for ids in [0..<1, 0..<count] {
      requested.withLock { $0 = ids }
      _ = await client.query(query(ids))
      // The table has room for about 4,000.
      let shown = max(0, ids.count - 3_500)..<ids.count
      #expect(client.peek(query(shown))?.error?.graphQLErrors.count == shown.count)
    }
    #expect(client.peek(query(0..<1)) == nil)
  }
}
