import Foundation
import WeirNormalized

/// Who listens to the changes that others make to a file, and the thread that looks for them while
/// anybody does.
final class ChangeFeed: Sendable {
  typealias Continuation = AsyncStream<Set<String>?>.Continuation

  /// A point in the life of a file.
  struct Position: Equatable {
    var generation: Int64
    var sequence: Int64
  }

  /// Somebody who listens.
  struct Listener {
    let id: Int
    let continuation: Continuation
    /// What has been told; nil until the file is open.
    var told: Position?
    /// Whether something could not be told because too much was waiting to be heard.
    var isBehind = false
  }

  private struct State {
    var listeners: [Listener] = []
    var nextID = 0
    var openedAt: Position?
    var isEnded = false
    var isNudged = false
    var isRunning = false
  }

  // Proof: `state` is read and written only while `condition` is locked.
  private nonisolated(unsafe) var state = State()
  private let condition = NSCondition()
  private let interval: TimeInterval

  /// How many tellings wait for a listener before they are replaced by "anything".
  static let waiting = 64

  init(interval: Duration) {
    self.interval = max(0.001, Double(interval.milliseconds) / 1000)
  }

  private func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    condition.lock()
    defer { condition.unlock() }
    return body(&state)
  }
}

// MARK: - Listening

extension ChangeFeed {
  /// A stream of what `look` finds; the first look follows at once.
  func listen(_ look: @escaping @Sendable () -> Void) -> AsyncStream<Set<String>?> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Set<String>?.self, bufferingPolicy: .bufferingOldest(Self.waiting))
    let id = add(continuation)
    guard let id else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in self?.remove(id) }
    start(look)
    return stream
  }

  private func add(_ continuation: Continuation) -> Int? {
    withLock { state in
      guard !state.isEnded else { return nil }
      state.nextID += 1
      state.listeners.append(
        Listener(id: state.nextID, continuation: continuation, told: state.openedAt))
      return state.nextID
    }
  }

  private func remove(_ id: Int) {
    withLock { state in
      state.listeners.removeAll { $0.id == id }
      if state.listeners.isEmpty { condition.signal() }
    }
  }

  /// The file was opened, for the first time or again.
  func opened(at file: FileState) {
    let position = Position(generation: file.generation, sequence: file.sequence)
    withLock { state in
      if state.openedAt == nil { state.openedAt = position }
      for index in state.listeners.indices where state.listeners[index].told == nil {
        state.listeners[index].told = position
      }
    }
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

// MARK: - Telling

extension ChangeFeed {
  /// Tells one listener what was found since the position that it had been told of.
  ///
  /// Two looks at once may find the same; the second is not told.
  func tell(_ listener: Listener, _ keys: Set<String>?, upTo position: Position) {
    let isNews = withLock { state in
      guard let index = state.listeners.firstIndex(where: { $0.id == listener.id }),
        state.listeners[index].told == listener.told
      else { return false }
      state.listeners[index].told = position
      return true
    }
    let keys = listener.isBehind ? nil : keys
    guard isNews || listener.isBehind, keys == nil || keys?.isEmpty == false else { return }
    if case .dropped = listener.continuation.yield(keys) {
      mark(listener.id, isBehind: true)
    } else if listener.isBehind {
      mark(listener.id, isBehind: false)
    }
  }

  private func mark(_ id: Int, isBehind: Bool) {
    withLock { state in
      guard let index = state.listeners.firstIndex(where: { $0.id == id }) else { return }
      state.listeners[index].isBehind = isBehind
    }
  }
}

// MARK: - The thread

extension ChangeFeed {
  /// Lets the thread look now, if there is one.
  func nudge() {
    withLock { state in
      guard !state.listeners.isEmpty else { return }
      state.isNudged = true
      condition.signal()
    }
  }

  private func start(_ look: @escaping @Sendable () -> Void) {
    let starts = withLock { state in
      guard !state.isRunning else {
        state.isNudged = true
        condition.signal()
        return false
      }
      state.isRunning = true
      return true
    }
    guard starts else { return }
    let thread = Thread { [self] in
      repeat { look() } while wait()
    }
    thread.name = "weir.sqlite.changes"
    thread.start()
  }

  /// Waits for the interval or a nudge; false when nobody listens any more.
  private func wait() -> Bool {
    condition.lock()
    defer { condition.unlock() }
    let deadline = Date(timeIntervalSinceNow: interval)
    while !state.isNudged, !state.isEnded, !state.listeners.isEmpty {
      guard condition.wait(until: deadline) else { break }
    }
    state.isNudged = false
    guard !state.isEnded, !state.listeners.isEmpty else {
      state.isRunning = false
      return false
    }
    return true
  }
}
