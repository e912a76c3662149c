/// What has come for one operation and was not read yet. One writer at a time, one reader.
final class PayloadQueue: Sendable {
  enum Entry: Sendable {
    /// The server has the operation.
    case accepted
    case payload(JSON)
  }

  private struct State {
    var entries: [Entry] = []
    var taken = 0
    /// How it ended, once it has.
    var end: Result<Void, OperationError>?
    var waiting: CheckedContinuation<Result<Entry?, OperationError>, Never>?

    mutating func take() -> Result<Entry?, OperationError>? {
      guard taken < entries.count else { return end.map { $0.map { nil } } }
      defer {
        taken += 1
        if taken == entries.count {
          entries.removeAll(keepingCapacity: true)
          taken = 0
        }
      }
      return .success(entries[taken])
    }
  }

  private let limit: Int
  private let state = Locked(State())

  init(limit: Int) {
    self.limit = limit
  }

  /// - Returns: whether there was room for it; if not, the queue has ended.
  func append(_ entry: Entry) -> Bool {
    let (hasRoom, waiting) = state.withLock { state in
      guard state.end == nil else { return (true, state.waiting) }
      state.entries.append(entry)
      let hasRoom = state.entries.count - state.taken <= limit
      if !hasRoom {
        state.end = .failure(
          OperationError(
            code: .malformedResponse, message: "More than \(limit) payloads wait to be read."))
      }
      defer { state.waiting = nil }
      return (hasRoom, state.waiting)
    }
    resume(waiting)
    return hasRoom
  }

  /// What was appended before is still read.
  func finish(_ error: OperationError?) {
    let waiting = state.withLock { state in
      if state.end == nil { state.end = error.map { .failure($0) } ?? .success(()) }
      defer { state.waiting = nil }
      return state.waiting
    }
    resume(waiting)
  }

  /// The next entry; nil at the end.
  ///
  /// - Throws: why it ended; `cancelled` if the reader's task is.
  func next() async throws(OperationError) -> Entry? {
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state in
          let answer = state.take()
          if answer == nil { state.waiting = continuation }
          return answer
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      finish(.cancelled)
    }
    return try result.get()
  }

  private func resume(_ waiting: CheckedContinuation<Result<Entry?, OperationError>, Never>?) {
    guard let waiting else { return }
    let answer = state.withLock { $0.take() }
    waiting.resume(returning: answer ?? .success(nil))
  }
}
