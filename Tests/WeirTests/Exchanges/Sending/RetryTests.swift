import Foundation
import TestSupport
import Testing
import Weir
import WeirTesting

/// A clock that never waits and records the requested delays.
private final class RecordingClock: Clock, Sendable {
  typealias Instant = ManualClock.Instant

  private let state = Locked((now: Instant(), sleeps: [Duration]()))

  var now: Instant { state.withLock { $0.now } }
  var minimumResolution: Duration { .zero }
  var sleeps: [Duration] { state.withLock { $0.sleeps } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    state.withLock { state in
      state.sleeps.append(state.now.duration(to: deadline))
      state.now = deadline
    }
  }
}

extension ManualClock.Instant {
  fileprivate init() {
    self = ManualClock().now
  }
}

private let dropped = OperationError(
  code: .transport, message: "Gone.", underlying: HTTPTransportError(.connectionLost, "Gone."))

private func status(_ status: Int, _ headers: HTTPHeaders = [:]) -> OperationError {
  OperationError(
    code: .httpStatus, message: "Busy.", httpStatus: status,
    underlying: HTTPStatusError(status: status, headers: headers))
}

/// The error of an operation whose WebSocket the server has closed.
private func closed(_ code: Int) -> OperationError {
  OperationError(code: .transport, message: "", underlying: SocketClosure(code: code))
}

/// A server that fails with these errors, in order, before it answers.
private func failingServer(_ errors: [OperationError]) -> ScriptedExchange {
  let requests = Counter()
  return ScriptedExchange { operation in
    let number = requests.next()
    if number <= errors.count { return OperationResult(error: errors[number - 1]) }
    return operation.kind == .mutation ? updated : post("answer")
  }
}

@Suite("Retry", .timeLimit(.minutes(10)))
struct RetryTests {
  private let clock = RecordingClock()

  private func client(
    _ server: ScriptedExchange, attempts: Int = 10,
    random: @escaping @Sendable () -> Double = { 0.5 }
  ) -> GraphQLClient {
    var configuration = RetryConfiguration()
    configuration.maximumAttempts = attempts
    return GraphQLClient([RetryExchange(configuration, clock: clock, random: random), server])
  }

  @Test("Delays are a random part of a bound that doubles up to its maximum (A2)")
  func backOff() async {
    let server = failingServer(Array(repeating: dropped, count: 8))
    let result = await client(server).query(postQuery())
    #expect(result.title == "answer")
    #expect(
      clock.sleeps == [0.25, 0.5, 1, 2, 4, 7.5, 7.5, 7.5].map { Duration.seconds($0) })
  }

  @Test("Delays are spread over the whole range from zero to the bound (A2)")
  func jitter() async {
    let random = Locked(SeededRandom(seed: 42))
    let server = failingServer(Array(repeating: dropped, count: 200))
    _ = await client(server, attempts: 201) {
      random.withLock { Double.random(in: 0..<1, using: &$0) }
    }.query(postQuery())
    let late = clock.sleeps.dropFirst(6)
    #expect(late.allSatisfy { $0 >= .zero && $0 <= .seconds(15) })
    #expect(late.contains { $0 < .seconds(2) } && late.contains { $0 > .seconds(13) })
    #expect(Set(late).count > 150)
  }

  @Test("When the attempts are used up, the last failure is the result (A2)")
  func exhausted() async {
    let server = failingServer(Array(repeating: dropped, count: 5))
    let result = await client(server, attempts: 3).query(postQuery())
    #expect(result.error == dropped)
    #expect(server.operations.map(\.context.attempt) == [1, 2, 3])
  }

  @Test(
    "Only transient errors are retried (A2)",
    arguments: [
      (dropped, true), (status(503), true), (status(429), true), (status(404), false),
      (status(519), false), (status(520), true), (status(524), true), (status(525), false),
      (status(401), false), (OperationError(graphQLErrors: [GraphQLError(message: "No.")]), false),
      (OperationError(code: .malformedResponse, message: "What?"), false),
      (
        OperationError(
          code: .transport, message: "", underlying: HTTPTransportError(.insecure, "")), false
      ),
      (closed(1001), true), (closed(1009), false), (closed(4400), false),
      (OperationError.cancelled, false),
    ])
  func transient(error: OperationError, isRetried: Bool) async {
    let server = failingServer([error])
    _ = await client(server).query(postQuery())
    #expect(server.operations.count == (isRetried ? 2 : 1))
  }

  @Test("A failure is retried if every field of the root is null, but not beside a value (A2)")
  func nullRoots() async {
    var configuration = RetryConfiguration()
    configuration.shouldRetry = { error, _ in
      error.graphQLErrors.contains { $0.extensions?["code"]?.string == "RATE_LIMITED" }
    }
    let error = OperationError(
      graphQLErrors: [GraphQLError(message: "Wait.", extensions: ["code": "RATE_LIMITED"])])
    for (data, count) in [(#"{"post":null,"user":null}"#, 2), (#"{"post":null,"user":1}"#, 1)] {
      let requests = Counter()
      let server = ScriptedExchange { _ in
        requests.next() == 1
          ? OperationResult(data: try? JSON(parsing: data), error: error) : post("a")
      }
      let client = GraphQLClient([RetryExchange(configuration, clock: clock), server])
      _ = await client.query(postQuery())
      #expect(server.operations.count == count)
    }
  }

  @Test("Your app can decide which failures of which operations are retried (A2)")
  func ownDecision() async {
    var configuration = RetryConfiguration()
    configuration.shouldRetry = { error, operation in
      error.httpStatus == 404 && operation.key == postQuery("new").key
    }
    for (id, error, requests) in [
      ("new", status(404), 2), ("new", dropped, 1), ("old", status(404), 1),
    ] {
      let server = failingServer([error])
      let client = GraphQLClient([RetryExchange(configuration, clock: clock), server])
      _ = await client.query(postQuery(id))
      #expect(server.operations.count == requests, "\(id) \(error)")
    }
  }

  @Test("Mutations are retried only if declared idempotent, and subscriptions never (A2)")
  func idempotence() async {
    let subscription = GraphQLOperation("subscription { post { id } }")
    for (operation, requests) in [
      (updatePost, 1), (updatePost.with { $0.isIdempotent = true }, 2), (subscription, 1),
      (subscription.with { $0.isIdempotent = true }, 1),
      (postQuery().with { $0.isIdempotent = false }, 1),
    ] {
      let server = failingServer([dropped])
      _ = await client(server).query(operation)
      #expect(server.operations.count == requests, "\(operation.kind)")
    }
  }

  @Test("A retry waits for Retry-After plus jitter, but not if that is too long (A2)")
  func retryAfter() async {
    let server = failingServer([status(503, ["retry-after": "7"]), status(429)])
    _ = await client(server).query(postQuery())
    #expect(clock.sleeps == [.seconds(7.25), .seconds(0.5)])
    let patient = failingServer([status(503, ["retry-after": "61"])])
    #expect(await client(patient).query(postQuery()).error?.httpStatus == 503)
    #expect(clock.sleeps.count == 2)
  }

  @Test(
    "Retry-After is read in seconds and in its three date forms (A2)",
    arguments: [
      ("120", 120), (" 5 ", 5), ("0", 0), ("99999999999999999999", 4_294_967_296),
      ("Sun, 06 Nov 1994 08:49:37 GMT", 37), ("Sunday, 06-Nov-94 08:49:37 GMT", 37),
      ("Sun Nov  6 08:49:37 1994", 37), ("Sun, 06 Nov 1994 08:48:00 GMT", 0),
      ("-5", nil), ("soon", nil), ("", nil), ("1.5", nil), ("Sun, 06 Foo 1994 08:49:37 GMT", nil),
      ("Sun, 99 Nov 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 08:49 GMT", nil),
      ("Sun, 06 Nov 1994 08:49:37 CET", nil),
    ] as [(String, Int64?)])
  func retryAfterForms(text: String, seconds: Int64?) {
    let now = Date(timeIntervalSince1970: 784_111_740)  // 08:49:00
    let expected = seconds.map { Duration.seconds($0) }
    #expect(status(503, ["Retry-After": text]).retryAfter(now: now) == expected)
    // The response's own date is the reference, not a clock that is a day off.
    let dated: HTTPHeaders = ["Retry-After": text, "Date": "Sun, 06 Nov 1994 08:49:00 GMT"]
    #expect(status(503, dated).retryAfter(now: now + 86_400) == expected)
  }

  @Test("Cancelling during the delay ends it, and nothing more is sent (A2)")
  func cancelled() async {
    let clock = ManualClock()
    let server = failingServer([dropped])
    let client = GraphQLClient([RetryExchange(clock: clock), server])
    let task = Task { await client.query(postQuery()) }
    await clock.sleepers(1)
    task.cancel()
    #expect(await task.value.error == .cancelled)
    #expect(server.operations.count == 1 && clock.sleeperCount == 0)
  }

  @Test("A partially delivered result is not retried (A2)")
  func partial() async {
    let server = ScriptedExchange(streaming: { _ in
      .just([
        .data(#"{"post":{"title":"first"}}"#, hasNext: true), OperationResult(error: dropped),
      ])
    })
    #expect(await client(server).results(of: postQuery()).all() == ["first more", "error"])
    #expect(server.operations.count == 1)
  }
}
