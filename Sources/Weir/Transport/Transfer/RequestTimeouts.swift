import Dispatch

/// The two time limits of a request, on one dispatch timer, which exists only if there is a limit.
///
/// Progress only records a time. When the timer fires too early, it is set again for the remaining
/// time. So the timer is not set again for each chunk of a body.
final class RequestTimeouts: Sendable {
  private struct State {
    var timer: (any DispatchSourceTimer)?
    var progress = DispatchTime.now()
    var isStopped = false
    /// Whether the reader holds the server back, which is not the server's fault.
    var isPaused: @Sendable () -> Bool = { false }
    /// Whether that was so when the timer fired last.
    var wasPaused = false
    /// Whether the request waits in a queue of ours.
    var isQueued = false
  }

  private let total: Duration?
  private let idle: Duration?
  private let started: DispatchTime
  private let state = Locked(State())

  /// - Parameters:
  ///   - total: The time limit for the whole request.
  ///   - idle: The time limit without any progress, from `start` on.
  ///   - started: The start of the total time: a request that is redirected or sent again gets no
  ///     additional time.
  init(total: Duration?, idle: Duration?, since started: DispatchTime) {
    self.total = total
    self.idle = idle
    self.started = started
  }

  /// - Parameters:
  ///   - isQueued: Whether the request waits in a queue of ours, until `begin`: such a time is not idle.
  ///   - isPaused: Whether the response waits for its reader: such a time is not idle, either.
  ///   - expire: Called once, on another queue, if a limit passes before `stop`.
  func start(
    isQueued: Bool, isPaused: @escaping @Sendable () -> Bool,
    _ expire: @escaping @Sendable (HTTPTransportError) -> Void
  ) {
    guard total != nil || idle != nil else { return }
    let timer = DispatchSource.makeTimerSource(queue: timeoutQueue)
    timer.setEventHandler { [weak self] in
      if let error = self?.check() { expire(error) }
    }
    let isStopped = state.withLock { state in
      state.progress = .now()
      (state.isQueued, state.isPaused) = (isQueued, isPaused)
      if !state.isStopped { state.timer = timer }
      return state.isStopped
    }
    timer.schedule(deadline: deadline(from: .now()))
    timer.resume()
    if isStopped { timer.cancel() }
  }

  /// The request waits in no queue of ours any more.
  func begin() {
    state.withLock { ($0.isQueued, $0.progress) = (false, .now()) }
  }

  func noteProgress() {
    guard idle != nil else { return }
    state.withLock { $0.progress = .now() }
  }

  func stop() {
    let timer = state.withLock { state in
      defer { state.timer = nil }
      state.isStopped = true
      return state.timer
    }
    timer?.cancel()
  }

  /// Returns an error if a limit has passed; otherwise sets the timer again.
  private func check() -> HTTPTransportError? {
    let isPaused = state.withLock(\.isPaused)()
    let (timer, progress) = state.withLock { state in
      // A reader that has just gone on may not have noted that yet.
      if isPaused || state.wasPaused || state.isQueued { state.progress = .now() }
      state.wasPaused = isPaused
      return (state.timer, state.progress)
    }
    guard let timer else { return nil }
    let now = DispatchTime.now()
    if let total, now >= started + total {
      return HTTPTransportError(.timedOut, "The response was not complete within \(total).")
    }
    if let idle, now >= progress + idle {
      return HTTPTransportError(.timedOut, "There was no progress for \(idle).")
    }
    timer.schedule(deadline: deadline(from: progress))
    return nil
  }

  private func deadline(from progress: DispatchTime) -> DispatchTime {
    [total.map { started + $0 }, idle.map { progress + $0 }].compactMap(\.self).min()
      ?? .distantFuture
  }
}

private let timeoutQueue = DispatchQueue(label: "weir.http.timeouts")

extension DispatchTime {
  fileprivate static func + (time: DispatchTime, duration: Duration) -> DispatchTime {
    guard let parts = duration.parts(Int.self) else {
      return duration < .zero ? time : .distantFuture
    }
    return time + DispatchTimeInterval.seconds(parts.seconds)
      + DispatchTimeInterval.nanoseconds(parts.nanoseconds)
  }
}

extension Duration {
  /// Seconds and nanoseconds; nil beyond 68 years, because `Int` has 32 bits on watches. Generic, so
  /// that tests can run it with 32 bits.
  func parts<Number: FixedWidthInteger>(
    _ type: Number.Type
  ) -> (seconds: Number, nanoseconds: Number)? {
    let (seconds, attoseconds) = components
    return Int32(exactly: seconds).map { (Number($0), Number(attoseconds / 1_000_000_000)) }
  }
}
