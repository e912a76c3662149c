import Weir

/// Tasks that wait as views do, but without a client: each waits until it is woken, does its work,
/// and waits again. Live views cannot cost less.
final class BareViews: Sendable {
  fileprivate enum View {
    case busy
    case waiting(WaitingTask<Bool>)
    /// It was woken before it waited.
    case woken
    case ended
  }

  fileprivate struct State {
    var views: [View]
    var checksum = 0
    var failure: (any Error)?
  }

  private let state: Locked<State>
  private let countdown = Countdown()
  private let tasks: [Task<Void, Never>]

  /// Starts the tasks.
  ///
  /// - Parameters:
  ///   - count: how many there are.
  ///   - place: where they run.
  ///   - work: what each does when it is woken; returns the check sum of what it has looked at.
  init(
    _ count: Int, on place: Place, _ work: @escaping @Sendable (_ index: Int) throws -> Int
  ) {
    let state = Locked(State(views: Array(repeating: .busy, count: count)))
    self.state = state
    tasks = (0..<count).map { [countdown] index in
      place.start {
        while await Self.isWoken(index, state, isolation: place.actor) {
          let result = Result { try work(index) }
          state.withLock { $0.note(result) }
          countdown.arrive()
        }
      }
    }
  }

  private static func isWoken(
    _ index: Int, _ state: Locked<State>, isolation: isolated (any Actor)?
  ) async -> Bool {
    await withReturningContinuation { continuation in
      let answer: Bool? = state.withLock { $0.wait(index, continuation) }
      if let answer { continuation.resume(returning: answer) }
    }
  }

  /// Makes ``shown()`` wait until `count` tasks have done their work.
  func expect(_ count: Int) {
    countdown.restart(count)
  }

  /// Wakes the first `count` tasks.
  func wake(_ count: Int) {
    let waiting = state.withLock { state in (0..<count).compactMap { state.wake($0) } }
    for continuation in waiting { continuation.resume(returning: true) }
  }

  /// Returns when the last one has done its work.
  func shown() async -> ContinuousClock.Instant {
    await countdown.done()
  }

  /// - Throws: what the work of a task has thrown.
  func check() throws {
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  /// Ends the tasks.
  func end() async {
    let waiting = state.withLock { state in state.views.indices.compactMap { state.end($0) } }
    for continuation in waiting { continuation.resume(returning: false) }
    for task in tasks { await task.value }
    use(state.withLock { $0.checksum })
  }
}

extension BareViews.State {
  fileprivate mutating func note(_ result: Result<Int, any Error>) {
    switch result {
    case .success(let checksum): self.checksum &+= checksum
    case .failure(let error): failure = error
    }
  }

  /// - Returns: whether the task goes on, if that is known already.
  fileprivate mutating func wait(
    _ index: Int, _ continuation: WaitingTask<Bool>
  ) -> Bool? {
    switch views[index] {
    case .busy, .waiting:
      views[index] = .waiting(continuation)
      return nil
    case .woken:
      views[index] = .busy
      return true
    case .ended:
      return false
    }
  }

  fileprivate mutating func wake(_ index: Int) -> WaitingTask<Bool>? {
    if case .waiting(let continuation) = views[index] {
      views[index] = .busy
      return continuation
    }
    views[index] = .woken
    return nil
  }

  fileprivate mutating func end(_ index: Int) -> WaitingTask<Bool>? {
    defer { views[index] = .ended }
    if case .waiting(let continuation) = views[index] { return continuation }
    return nil
  }
}
