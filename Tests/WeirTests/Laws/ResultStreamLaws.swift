import Testing
@testable import Weir
import WeirTesting

@Suite("Laws of result streams", .timeLimit(.minutes(10)))
struct ResultStreamLaws {
  /// Every way to make a stream of these titles.
  private static func streams(_ titles: [String]) -> [(name: String, stream: ResultStream)] {
    let results = titles.map { post($0) }
    let body = ResultStream { yield in for result in results { yield(result) } }
    var made: [(String, ResultStream)] = [
      ("results", .just(results)), ("body", body),
      ("sequence", ResultStream(Listed(results: results))),
      ("deferred", .deferred { .just(results) }), ("deferred body", .deferred { body }),
    ]
    for split in 0...results.count {
      let (first, rest) = (Array(results[..<split]), Array(results[split...]))
      made.append(("starting \(split)", .starting(with: first) { .just(rest) }))
      made.append(
        ("starting \(split) body", .starting(with: first) { ResultStream(Listed(results: rest)) }))
      made.append(
        ("nested \(split)", .starting(with: []) { .starting(with: first) { .just(rest) } }))
    }
    if let only = results.first, results.count == 1 { made.append(("just", .just(only))) }
    return made
  }

  private struct Listed: AsyncSequence, Sendable {
    typealias Failure = Never
    let results: [OperationResult]
    func makeAsyncIterator() -> Iterator { Iterator(rest: results[...]) }
    struct Iterator: AsyncIteratorProtocol {
      var rest: ArraySlice<OperationResult>
      mutating func next(isolation: isolated (any Actor)?) async -> OperationResult? {
        rest.popFirst()
      }
    }
  }

  private static let titles = [[], ["a"], ["a", "b"], ["a", "b", "c"]]

  @Sendable private static func twice(_ result: OperationResult) -> OperationResult {
    post((result.title ?? "") + (result.title ?? ""))
  }

  @Sendable private static func starred(_ result: OperationResult) -> OperationResult {
    post((result.title ?? "") + "*")
  }

  @Test(
    "A stream yields its results in order in every iteration",
    arguments: titles)
  func order(titles: [String]) async {
    for (name, stream) in Self.streams(titles) {
      for _ in 0..<2 { #expect(await stream.all() == titles, "\(name)") }
    }
  }

  @Test("map preserves identity and composition, for immediate results too", arguments: titles)
  func map(titles: [String]) async {
    for (name, stream) in Self.streams(titles) {
      let same = stream.map { $0 }
      #expect(await same.all() == titles, "\(name)")
      #expect(same.immediate?.title == stream.immediate?.title, "\(name)")
      let inSteps = stream.map(Self.twice).map(Self.starred)
      let atOnce = stream.map { Self.starred(Self.twice($0)) }
      let expected = titles.map { $0 + $0 + "*" }
      #expect(await inSteps.all() == expected, "\(name)")
      #expect(await atOnce.all() == expected, "\(name)")
      #expect(inSteps.immediate?.title == atOnce.immediate?.title, "\(name)")
    }
  }

  @Test("The immediate result is the first result of the iteration", arguments: titles)
  func immediate(titles: [String]) async {
    for (name, stream) in Self.streams(titles) {
      if let immediate = stream.immediate { #expect(immediate.title == titles.first, "\(name)") }
    }
    #expect(ResultStream.just(post("a")).immediate?.title == "a")
    #expect(ResultStream.starting(with: [post("a")]) { .just([]) }.immediate?.title == "a")
  }

  @Test("An iteration that is started early has the same results", arguments: titles)
  func started(titles: [String]) async {
    for (name, stream) in Self.streams(titles) {
      var iterator = stream.makeStartedIterator()
      var found: [String] = []
      while let result = await iterator.next() { found.append(result.summary) }
      #expect(found == titles, "\(name)")
      #expect(await iterator.next() == nil, "\(name)")
    }
  }

  @Test("Nothing runs before iteration, and each iteration runs again")
  func cold() async {
    let runs = Counter()
    let body: @Sendable (Yield) async throws -> Void = { yield in yield(post("\(runs.next())")) }
    let streams: [ResultStream] = [
      ResultStream(body), .deferred { ResultStream(body) },
      .starting(with: []) { ResultStream(body) }, ResultStream(body).map { $0 },
      .deferred { ResultStream(body) }.map { $0 },
    ]
    for stream in streams { _ = (stream.immediate, stream.makeAsyncIterator(), stream.map { $0 }) }
    #expect(runs.count == 0)
    for (index, stream) in streams.enumerated() {
      #expect(await stream.all() == ["\(2 * index + 1)"])
      #expect(await stream.all() == ["\(2 * index + 2)"])
    }
  }

  @Test("A body's error is its last result; results after the consumer has left are dropped")
  func errors() async {
    struct Failure: Error {}
    let failing = ResultStream { yield in
      yield(post("a"))
      throw Failure()
    }
    #expect(await failing.all() == ["a", "error"])
    let left = Gate()
    let ended = Board(false)
    do {
      let stream = ResultStream { yield in
        yield(post("a"))
        await left.pass()
        yield(post("b"))
        ended.update { $0 = Task.isCancelled }
      }
      for await _ in stream { break }
    }
    // The body is cancelled when the iterator is released, and a gate lets cancelled tasks pass.
    await watched("a body whose consumer left") { await ended.until { $0 } }
  }
}
