import Testing

@testable import Weir

/// The limit of a response or an event whose payloads are merged.
@Suite("Limit of merged payloads", .timeLimit(.minutes(10)))
struct MergedLimitTests {
  private static let limit = 4_096

  /// Payloads that are small each, and together larger than the limit.
  private static let kinds = [
    #"{"incremental":[{"path":["l",LENGTH],"items":["TEXT"]}],"hasNext":true}"#,
    #"{"incremental":[{"path":["n"],"data":{"fNUMBER":"TEXT"}}],"hasNext":true}"#,
    #"{"path":["n"],"data":{"fNUMBER":"TEXT"},"hasNext":true}"#,
    #"{"incremental":[{"path":["n"],"errors":[{"message":"TEXT"}]}],"hasNext":true}"#,
    #"{"incremental":[{"path":["n"],"data":{},"extensions":{"eNUMBER":"TEXT"}}],"hasNext":true}"#,
    #"{"pending":[{"id":"TEXTNUMBER","path":["n"]}],"hasNext":true}"#,
    #"{"completed":[{"id":"0","errors":[{"message":"TEXT"}]}],"hasNext":true}"#,
    #"{"incremental":[{"path":["l",LENGTH],"items":[0]}],"hasNext":true,"x":"TEXT"}"#,
    #"{"incremental":[{"path":["l",LENGTH],"items":[0],"x":"TEXT"}],"hasNext":true}"#,
  ]

  private static func payloads(_ kind: String) -> [String] {
    let text = String(repeating: "x", count: 100)
    let first = #"{"data":{"l":[],"n":{}},"hasNext":true}"#
    return [first]
      + (0..<100).map {
        kind.replacing("NUMBER", with: "\($0)").replacing("LENGTH", with: "\($0)")
          .replacing("TEXT", with: text)
      }
  }

  private func error(_ feed: some ResultFeed) async -> (OperationError?, largest: Int) {
    var largest = 0
    do throws(OperationError) {
      while let result = try await feed.next() {
        largest = max(largest, result.data?.bytes.count ?? 0)
        if let error = result.error, error.underlying is StreamFormatError {
          return (error, largest)
        }
      }
    } catch {
      return (error, largest)
    }
    return (nil, largest)
  }

  @Test(
    "The limit holds for what incremental payloads add up to (H11)", arguments: kinds,
    [GraphQLOperation.Kind.query, .subscription])
  func streamed(kind: String, operation: GraphQLOperation.Kind) async throws {
    let parts = Self.payloads(kind).map { Array("--x\r\n\r\n\($0)\r\n".utf8) }
    let response = HTTPResponse(
      status: 200, headers: ["content-type": "multipart/mixed; boundary=x"],
      body: HTTPBody(AsyncStream(parts)))
    let feed = try #require(
      StreamedResponse.ifStreamed(response, kind: operation, limit: Self.limit))
    let (error, largest) = await error(feed)
    let cause = try #require(error?.underlying as? StreamFormatError)
    #expect(cause.code == .tooLarge)
    #expect(cause.message.contains("4096 bytes"))
    #expect(cause.message.contains("maximumResponseBytes"))
    #expect(largest <= Self.limit)
  }

  @Test("The limit holds for payloads of a subscription transport (H11)", arguments: kinds)
  func transported(kind: String) async throws {
    let payloads = try Self.payloads(kind).map { try JSON(parsing: $0) }
    let (stream, continuation) = AsyncStream.makeStream(of: JSON.self)
    for payload in payloads { continuation.yield(payload) }
    continuation.finish()
    let feed = EventFeed(SubscriptionEvents(stream), kind: .subscription, limit: Self.limit)
    let (error, largest) = await error(feed)
    #expect((error?.underlying as? StreamFormatError)?.code == .tooLarge)
    #expect(largest <= Self.limit)
  }

  /// Sends the same events to each subscriber.
  private struct Events: SubscriptionTransport {
    let payloads: [JSON]

    func subscribe(to operation: GraphQLOperation) async throws -> SubscriptionEvents {
      let left = Locked(payloads[...])
      return SubscriptionEvents { left.withLock { $0.popFirst() } }
    }
  }

  @Test("An event beyond the limit of the exchange ends the subscription (H11)")
  func exchange() async throws {
    let payloads = try [10, 1_000, 10].map { count in
      try JSON(parsing: #"{"data":{"text":"\#(String(repeating: "x", count: count))"}}"#)
    }
    let texts = GraphQLOperation("subscription { text }")
    let tooLarge = StreamFormatError.Code.tooLarge
    for (limit, codes) in [(2_000, [nil, nil, nil]), (500, [nil, tooLarge])] {
      let client = GraphQLClient([
        .subscription(Events(payloads: payloads), maximumResponseBytes: limit)
      ])
      var found: [StreamFormatError.Code?] = []
      for await result in client.subscribe(texts) {
        #expect((result.data == nil) == (result.error != nil))
        found.append((result.error?.underlying as? StreamFormatError)?.code)
      }
      #expect(found == codes)
    }
  }

  @Test("Each event has the limit to itself (H11)")
  func events() throws {
    var assembler = ResultAssembler(kind: .subscription, limit: Self.limit)
    let text = String(repeating: "x", count: 3_000)
    for _ in 0..<10 {
      #expect(try assembler.append(JSON(parsing: #"{"data":{"text":"\#(text)"}}"#)))
      #expect(try assembler.result().data != nil)
    }
  }
}
