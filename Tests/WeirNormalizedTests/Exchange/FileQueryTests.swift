import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Queries with files, which the arguments of stored fields do not tell apart.
@Suite(.timeLimit(.minutes(10)))
struct FileQueryTests {
  private static let query: GraphQLDocument =
    "query Ocr($file: Upload!) { ocr(file: $file) { text } }"

  private struct Variables: Encodable {
    let file: Upload
  }

  private static func operation(_ number: UInt8, policy: RequestPolicy = .cacheFirst)
    -> GraphQLOperation
  {
    GraphQLOperation(
      query, variables: Variables(file: Upload(bytes: [number], filename: "page")),
      context: OperationContext(requestPolicy: policy))
  }

  @Test("Each query with a file gets its own data, whatever its policy (K4)")
  func ownData() async {
    let store = NormalizedStore()
    let server = ScriptedExchange { operation in
      .data(#"{"ocr":{"__typename":"Page","text":"\#(operation.uploadedText)"}}"#)
    }
    let client = GraphQLClient([.dedup, .normalizedCache(store), server])
    let policies: [RequestPolicy] = [
      .cacheFirst, .cacheFirst, .networkFirst, .cacheAndNetwork, .networkOnly,
    ]
    for (number, policy) in policies.enumerated() {
      let operation = Self.operation(UInt8(number), policy: policy)
      let result = await client.query(operation)
      #expect(result.data?["ocr"]?["text"]?.string == operation.uploadedText)
      #expect(result.outcome == .miss)
    }
    let cached = await client.query(Self.operation(9, policy: .cacheOnly))
    #expect(cached.data == nil && cached.error?.code == .notCached)
    #expect(server.operations.count == 5)
  }

  @Test("A query with a file that times out shows no data of the query without one (K4, A4)")
  func timeout() async throws {
    let query: GraphQLDocument = "query Ocr($file: Upload) { ocr(file: $file) { text } }"
    let (store, clock, gate) = (NormalizedStore(), ManualClock(), Gate())
    try store.write(
      ["ocr": ["__typename": "Page", "text": "none"]],
      for: GraphQLOperation(query, variables: ["file": .null] as JSONValue))
    let server = ScriptedExchange { _ in
      await gate.pass()
      return .failure("The test is over.")
    }
    let client = GraphQLClient([.dedup, .normalizedCache(store), server], clock: clock)
    var context = OperationContext(requestPolicy: .networkFirst)
    context.totalTimeout = .seconds(3)
    async let result = client.query(
      GraphQLOperation(
        query, variables: Variables(file: Upload(bytes: [1], filename: "page")), context: context))
    await clock.sleepers(1)
    clock.advance(by: .seconds(3))
    #expect(await result.error?.code == .timedOut)
    #expect(await result.data == nil)
    gate.open()
  }
}

extension GraphQLOperation {
  /// Differs for each file in memory.
  fileprivate var uploadedText: String { "\(identity.hashValue)" }
}
