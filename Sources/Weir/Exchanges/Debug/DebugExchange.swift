/// Reports operations and results to a closure, to asynchronous sequences, or to a
/// ``TraceRecorder``, without changing them.
///
/// ```swift
/// GraphQLClient([.debug("app"), .dedup, .documentCache, .debug("network"), .fetch(url)])
///
/// let network = DebugExchange("network", report: nil)
/// let client = GraphQLClient([.dedup, .documentCache, network, .fetch(url)])
/// for await event in network.events() {
///   if case .end(.cancelled) = event.kind { log.notice("\(event)") }
/// }
/// ```
///
/// Its place in the chain determines what it reports: at the start, every execution; below the
/// cache, only network requests. Two debug exchanges with different names show what a cache or
/// dedup between them does.
///
/// Each iteration of an execution is reported separately. So is each look into the cache: by
/// `client.peek`, when the time of an execution is over, or by a ``RequestPolicyExchange`` above. Immediate
/// results are reported as soon as the stream is made, so that they stay immediate.
public final class DebugExchange: Exchange {
  private struct State {
    var executions: UInt64 = 0
    var listeners: [UInt64: AsyncStream<Event>.Continuation] = [:]
    var lastListener: UInt64 = 0
  }

  private let name: String
  private let number = count.add(1)
  private let closure: (@Sendable (Event) -> Void)?
  private let now: @Sendable () -> Duration
  private let state = Locked(State())

  /// Makes an exchange that reports to a closure.
  ///
  /// - Parameters:
  ///   - name: The name of the exchange in its events.
  ///   - report: Called where the execution runs, so it should be fast; prints by default. Nil for
  ///     an exchange that only serves ``events(bufferingNewest:)``.
  public convenience init(
    _ name: String, report: (@Sendable (Event) -> Void)? = { print($0) }
  ) {
    self.init(name, now: processTime, report: report)
  }

  /// Makes an exchange that measures time with a clock.
  public convenience init(
    _ name: String, clock: some Clock<Duration>, report: (@Sendable (Event) -> Void)?
  ) {
    self.init(name, now: clock.elapsed(), report: report)
  }

  private init(
    _ name: String, now: @escaping @Sendable () -> Duration,
    report: (@Sendable (Event) -> Void)?
  ) {
    self.name = name
    self.now = now
    closure = report
  }

  deinit {
    let listeners = state.withLock { $0.listeners.values }
    for listener in listeners { listener.finish() }
  }

  /// Returns the events from now on.
  ///
  /// - Parameter count: The maximum number of events kept for a slow reader; the oldest are
  ///   dropped.
  /// - Returns: A sequence for one reader, which ends with the exchange. Each call makes another
  ///   one.
  public func events(bufferingNewest count: Int = 1_000) -> AsyncStream<Event> {
    let (events, continuation) = AsyncStream.makeStream(
      of: Event.self, bufferingPolicy: .bufferingNewest(max(count, 1)))
    let id = state.withLock { state in
      state.lastListener += 1
      state.listeners[state.lastListener] = continuation
      return state.lastListener
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.listeners.removeValue(forKey: id) }
    }
    return events
  }

  /// Reports the operation, each of its results, and its end.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    reporting(forward(operation)) { [self] in begin(operation) }
  }

  /// Reports the results of a stream and its end; `begin` reports the operation.
  private func reporting(
    _ stream: ResultStream, _ begin: @escaping @Sendable () -> DebuggedExecution
  ) -> ResultStream {
    switch stream.content {
    case .just(let result):
      reportAll([result], of: begin())
      return stream
    case .results(let results):
      reportAll(results, of: begin())
      return stream
    case .starting(let results, let more):
      return .starting(with: results) { [self] in
        let execution = begin()
        for result in results { execution.report(.result(result)) }
        return followed(more()) { execution }
      }
    case .awaiting(let make):
      return .awaiting { [self] in
        let execution = begin()
        let stream = await make()
        guard !Task.isCancelled else {
          execution.report(.end(.cancelled))
          return .just([])
        }
        return reporting(stream) { execution }
      }
    case .source(let make):
      return ResultStream(source: { DebugSource(make(), begin: begin) })
    case .deferred:
      return followed(stream, begin)
    case .shareable(let make):
      return .shareable { DebugSource(make($0), begin: begin) }
    }
  }

  private func followed(
    _ stream: ResultStream, _ begin: @escaping @Sendable () -> DebuggedExecution
  ) -> ResultStream {
    ResultStream(source: {
      DebugSource(StreamSource(stream.makeAsyncIterator()), begin: begin)
    })
  }

  private func reportAll(_ results: [OperationResult], of execution: DebuggedExecution) {
    for result in results { execution.report(.result(result)) }
    execution.report(.end(.finished))
  }

  private func begin(_ operation: GraphQLOperation) -> DebuggedExecution {
    let number = state.withLock { state in
      state.executions += 1
      return state.executions
    }
    let execution = DebuggedExecution(
      number: number, operation: operation, start: now(), exchange: self)
    execution.report(.operation)
    return execution
  }

  func report(_ kind: Event.Kind, of execution: DebuggedExecution) {
    let listeners = state.withLock { $0.listeners }
    guard closure != nil || !listeners.isEmpty else { return }
    let time = now()
    // Whoever keeps an event must not keep a cache's entry from being evicted.
    let kind =
      if case .result(let result) = kind { Event.Kind.result(result.withoutSignal()) } else { kind }
    let event = Event(
      execution: execution.number, exchange: name, source: number, operation: execution.operation,
      kind: kind,
      time: time, elapsed: time - execution.start)
    closure?(event)
    for listener in listeners.values { listener.yield(event) }
  }
}

/// How many exchanges were made.
private let count = AtomicWord()

/// Returns the time since its first use.
private let processTime = ContinuousClock().elapsed()

extension Exchange where Self == DebugExchange {
  /// Reports operations and results; see ``DebugExchange``.
  public static func debug(
    _ name: String, report: @escaping @Sendable (DebugExchange.Event) -> Void = { print($0) }
  ) -> DebugExchange {
    DebugExchange(name, report: report)
  }

  /// Records operations and results; see ``TraceRecorder``.
  public static func debug(_ name: String, trace: TraceRecorder) -> DebugExchange {
    DebugExchange(name, report: { trace.record($0) })
  }
}
