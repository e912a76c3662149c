import Testing
@testable import Weir
import WeirTesting

@Suite("Laws of result buffers", .timeLimit(.minutes(10)))
struct ResultBufferLaws {
  private func event(_ number: Int) -> OperationResult {
    .data(#"{"event":\#(number)}"#, hasNext: true)
  }

  private func held(_ buffer: ResultBuffer) async {
    while buffer.heldCount == 0, !Task.isCancelled { await Task.yield() }
  }

  @Test("A producer waits at 16 unread results, continues at half of them, and loses nothing")
  func order() async {
    let buffer = ResultBuffer()
    let sent = Counter()
    let producer = Task {
      for number in 0..<1_000 {
        await buffer.send(event(number))
        _ = sent.next()
      }
      buffer.finish()
    }
    await held(buffer)
    #expect(sent.count == 16)
    for number in 0..<7 {
      #expect(await buffer.next()?.data?["event"]?.int == Int64(number))
      #expect(buffer.heldCount == 1)
    }
    for number in 7..<1_000 {
      #expect(await buffer.next()?.data?["event"]?.int == Int64(number))
      #expect(sent.count <= number + 1 + 16)
    }
    #expect(await buffer.next() == nil)
    await producer.value
  }

  @Test("A producer that waits for room returns when it is cancelled or the consumer leaves")
  func leaving() async {
    for isCancelled in [true, false] {
      let buffer = ResultBuffer()
      let producers = (0..<3).map { _ in
        Task { for number in 0..<20 { await buffer.send(event(number)) } }
      }
      while buffer.heldCount < 3, !Task.isCancelled { await Task.yield() }
      if isCancelled {
        for producer in producers { producer.cancel() }
      } else {
        buffer.finish()
      }
      for producer in producers { await producer.value }
      #expect(buffer.heldCount == 0)
      var count = 0
      buffer.finish()
      while await buffer.next() != nil { count += 1 }
      #expect(count == 16)
    }
  }

  @Test("A consumer that lags a little behind keeps no result that it has read")
  func lagging() async {
    let buffer = ResultBuffer()
    buffer.append(event(0))
    for number in 1...300 {
      buffer.append(event(number))
      weak var document: JSONDocument?
      do {
        let result = await buffer.next()
        document = result?.data?.document
        #expect(document != nil)
      }
      #expect(document == nil)
    }
  }

  @Test("When many cumulative results wait, only the latest is kept")
  func replacing() async {
    let buffer = ResultBuffer()
    for number in 0..<100 { buffer.appendOrReplace(event(number)) }
    buffer.appendOrReplace(.data(#"{"event":100}"#))
    buffer.appendOrReplace(.data(#"{"event":101}"#))
    buffer.finish()
    var numbers: [Int64] = []
    while let result = await buffer.next() {
      numbers.append(result.data?["event"]?.int ?? -1)
    }
    #expect(numbers == Array(0..<15) + [100, 101])
  }

  /// Counts the elements that are requested from it.
  private struct Events: AsyncSequence, Sendable {
    typealias Element = OperationResult
    typealias Failure = Never
    let count: Int
    let asked: Counter

    struct Iterator: AsyncIteratorProtocol {
      let count: Int
      let asked: Counter

      mutating func next() async -> OperationResult? {
        await next(isolation: nil)
      }

      mutating func next(isolation: isolated (any Actor)?) async -> OperationResult? {
        let number = asked.next()
        return number <= count ? .data(#"{"event":\#(number)}"#, hasNext: true) : nil
      }
    }

    func makeAsyncIterator() -> Iterator { Iterator(count: count, asked: asked) }
  }

  @Test(
    "A subscriber that stalls also stalls the source, through any exchanges", arguments: 0..<3)
  func subscription(variant: Int) async {
    let asked = Counter()
    let source = InlineExchange { _, _ in ResultStream(Events(count: 1_000, asked: asked)) }
    let exchanges: [any Exchange] =
      switch variant {
      case 0: [source]
      case 1: [.dedup, .documentCache, .retry, .concurrencyLimit(1), source]
      default:
        [
          InlineExchange { operation, forward in
            ResultStream { yield in await yield.all(forward(operation)) }
          }, source,
        ]
      }
    let client = GraphQLClient(exchanges)
    var events = client.subscribe(GraphQLOperation("subscription { event }")).makeAsyncIterator()
    #expect(await events.next()?.data?["event"]?.int == 1)
    // Each pump holds at most 16 results and one in its hand. The consumer has taken one of them,
    // perhaps before there were 16.
    while asked.count < 17, !Task.isCancelled { await Task.yield() }
    for _ in 0..<1_000 { await Task.yield() }
    #expect(asked.count <= (variant == 2 ? 2 : 1) * 17 + 1)
    for number in 2...1_000 {
      guard await events.next()?.data?["event"]?.int == Int64(number) else {
        Issue.record("Event \(number) is missing")
        return
      }
    }
    #expect(await events.next() == nil)
    #expect(asked.count == 1_001)
  }

  @Test("A query that is shared runs to its end even if one consumer does not read")
  func sharedQuery() async {
    let asked = Counter()
    let source = InlineExchange { _, _ in ResultStream(Events(count: 1_000, asked: asked)) }
    let client = GraphQLClient([.dedup, source])
    let query = GraphQLOperation("{ event }")
    var stalled = client.results(of: query).makeAsyncIterator()
    #expect(await stalled.next()?.data?["event"]?.int == 1)
    while asked.count < 1_001, !Task.isCancelled { await Task.yield() }
    var last: OperationResult?
    var count = 1
    while let result = await stalled.next() {
      last = result
      count += 1
    }
    #expect(last?.data?["event"]?.int == 1_000)
    #expect(count <= 1_000)
  }

  @Test("For a subscription, query returns the first event and leaves")
  func firstEvent() async {
    let asked = Counter()
    let source = InlineExchange { _, _ in ResultStream(Events(count: .max, asked: asked)) }
    for exchanges in [[source], [.dedup, .documentCache, source]] as [[any Exchange]] {
      let client = GraphQLClient(exchanges)
      let subscription = GraphQLOperation("subscription { event }")
      let result = await client.query(subscription)
      #expect(result.data?["event"]?.int != nil)
      #expect(result.error == nil)
      #expect(!result.hasNext)
    }
    let empty = GraphQLClient([InlineExchange { _, _ in .just([]) }])
    #expect(await empty.query(GraphQLOperation("subscription { event }")).error != nil)
  }
}

extension ResultBuffer {
  /// Returns the next result; nil when the queue has ended and is empty, or the task is cancelled.
  func next() async -> OperationResult? {
    while true {
      if let element = take() { return element.result }
      await waitForResult()
    }
  }
}
