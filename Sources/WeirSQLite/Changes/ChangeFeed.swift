import Foundation
import Weir
import WeirNormalized

/// The listeners to other storages' changes of a file, and the thread that polls the file while there
/// are listeners.
final class ChangeFeed: Sendable {
  typealias Continuation = AsyncStream<Set<String>?>.Continuation

  /// A position in the sequence of a file's commits.
  struct Position: Equatable {
    var generation: Int64
    var sequence: Int64
  }

  /// A consumer of a stream of changes.
  struct Listener {
    let id: Int
    let continuation: Continuation
    /// The position up to which the listener was notified; nil until the file is open.
    var position: Position?
    /// Whether the listener missed an element because its buffer was full.
    var hasMissed = false
  }

  private struct State {
    var listeners: [Listener] = []
    var nextID = 0
    var openedAt: Position?
    var isEnded = false
    var isWoken = false
    var isRunning = false
  }

  // Proof: `state` is accessed only while `condition` is locked.
  private nonisolated(unsafe) var state = State()
  private let condition = NSCondition()
  /// Seconds between two polls; nil to poll only when woken.
  private let interval: TimeInterval?

  /// The number of unread elements above which further ones are dropped, and a nil follows later.
  static let bufferSize = 64
  /// Seconds until a full buffer is tried again.
  private static let retryInterval: TimeInterval = 0.1

  init(interval: Duration?) {
    // A day at the longest, because Foundation cannot wait until a time that is too far away.
    self.interval = interval.map { min(max(0.001, Double($0.milliseconds) / 1000), 86_400) }
  }

  private func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    condition.lock()
    defer { condition.unlock() }
    return body(&state)
  }
}

// MARK: - Listening

extension ChangeFeed {
  /// Returns a stream of the changes that `poll` finds. The thread polls at once.
  func listen(_ poll: @escaping @Sendable () -> Void) -> AsyncStream<Set<String>?> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Set<String>?.self, bufferingPolicy: .bufferingOldest(Self.bufferSize))
    let id = add(continuation)
    guard let id else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in self?.remove(id) }
    start(poll)
    return stream
  }

  private func add(_ continuation: Continuation) -> Int? {
    withLock { state in
      guard !state.isEnded else { return nil }
      state.nextID += 1
      state.listeners.append(
        Listener(id: state.nextID, continuation: continuation, position: state.openedAt))
      return state.nextID
    }
  }

  private func remove(_ id: Int) {
    withLock { state in
      state.listeners.removeAll { $0.id == id }
      if state.listeners.isEmpty { condition.signal() }
    }
  }

  /// Records that the file was opened, for the first time or again. Listeners that know another file
  /// are notified.
  func opened(at file: FileState) {
    withLock { state in
      if state.openedAt == nil { state.openedAt = file.position }
      for index in state.listeners.indices {
        if state.listeners[index].position == nil {
          state.listeners[index].position = file.position
        } else if state.listeners[index].position?.generation != file.generation {
          state.isWoken = true
        }
      }
      if state.isWoken { condition.signal() }
    }
  }

  /// Notes a commit of this storage, of which nobody is to be notified. Listeners that know everything before
  /// it, or whom nothing before it concerns because it has removed everything, need not look for it.
  func passed(_ commit: Position, removesAll: Bool = false) {
    func pass(_ position: inout Position?) {
      guard let known = position, known.generation == commit.generation else { return }
      if removesAll || known.sequence == commit.sequence - 1 { position = commit }
    }
    withLock { state in
      pass(&state.openedAt)
      for index in state.listeners.indices { pass(&state.listeners[index].position) }
    }
  }

  /// Tells the listeners that the file can be used again.
  func resume() {
    wake()
    for listener in listeners { listener.continuation.yield([]) }
  }

  /// Ends all streams.
  func end() {
    let listeners = withLock { state in
      state.isEnded = true
      condition.signal()
      return state.listeners
    }
    for listener in listeners { listener.continuation.finish() }
  }

  var listeners: [Listener] { withLock { $0.listeners } }
}

// MARK: - Notifying

extension ChangeFeed {
  /// Notifies a listener of the changes after its position.
  ///
  /// If two polls at once find the same changes, the listener receives them once.
  func notify(_ listener: Listener, of keys: Set<String>?, upTo position: Position) {
    let isNew = withLock { state in
      guard let index = state.listeners.firstIndex(where: { $0.id == listener.id }),
        state.listeners[index].position == listener.position
      else { return false }
      state.listeners[index].position = position
      return true
    }
    let keys = listener.hasMissed ? nil : keys
    guard isNew || listener.hasMissed, keys == nil || keys?.isEmpty == false else { return }
    if case .dropped = listener.continuation.yield(keys) {
      mark(listener.id, hasMissed: true)
    } else if listener.hasMissed {
      mark(listener.id, hasMissed: false)
    }
  }

  private func mark(_ id: Int, hasMissed: Bool) {
    withLock { state in
      guard let index = state.listeners.firstIndex(where: { $0.id == id }) else { return }
      state.listeners[index].hasMissed = hasMissed
    }
  }
}

// MARK: - The thread

extension ChangeFeed {
  /// Makes the thread poll now, if there are listeners.
  func wake() {
    withLock { state in
      guard !state.listeners.isEmpty else { return }
      state.isWoken = true
      condition.signal()
    }
  }

  private func start(_ poll: @escaping @Sendable () -> Void) {
    let starts = withLock { state in
      guard !state.isRunning else {
        state.isWoken = true
        condition.signal()
        return false
      }
      state.isRunning = true
      return true
    }
    guard starts else { return }
    let thread = Thread { [self] in
      repeat { withAutoreleasePool(poll) } while wait()
    }
    thread.name = "weir.sqlite.changes"
    thread.start()
  }

  /// Waits for the interval or until woken; returns false if no listener is left.
  private func wait() -> Bool {
    condition.lock()
    defer { condition.unlock() }
    // A listener whose buffer was full gets what it has missed when there is room.
    let retry = state.listeners.contains(where: \.hasMissed) ? Self.retryInterval : nil
    let deadline = [interval, retry].compactMap(\.self).min().map { Date(timeIntervalSinceNow: $0) }
    while !state.isWoken, !state.isEnded, !state.listeners.isEmpty {
      guard let deadline else {
        condition.wait()
        continue
      }
      guard condition.wait(until: deadline) else { break }
    }
    state.isWoken = false
    guard !state.isEnded, !state.listeners.isEmpty else {
      state.isRunning = false
      return false
    }
    return true
  }
}

extension FileState {
  var position: ChangeFeed.Position {
    ChangeFeed.Position(generation: generation, sequence: sequence)
  }
}
