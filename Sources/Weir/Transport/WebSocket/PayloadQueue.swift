/// What has come for one operation and was not read yet. One reader.
final class PayloadQueue: Sendable {
  private struct State {
    /// Whether the server has been sent the operation.
    var isAccepted = false
    var payloads: [JSON] = []
    /// How many of them were read.
    var taken = 0
    var unreadBytes = 0
    /// How it ended, once it has. What came before is still read.
    var end: Result<Void, OperationError>?
    /// Counts whatever a reader may have waited for.
    var changes = 0
    var waiting: CheckedContinuation<Void, Never>?

    var acceptance: Result<Void, OperationError>? {
      isAccepted || taken < payloads.count ? .success(()) : end
    }

    mutating func take() -> Result<JSON?, OperationError>? {
      guard taken < payloads.count else { return end.map { $0.map { nil } } }
      let payload = payloads[taken]
      taken += 1
      unreadBytes -= PayloadQueue.cost(of: payload)
      // Also for a reader who is always a little behind, what was read does not stay.
      if taken * 2 >= payloads.count {
        payloads.removeFirst(taken)
        taken = 0
      }
      return .success(payload)
    }
  }

  private let limit: Int
  private let state = Locked(State())

  /// - Parameter limit: How many bytes may wait, beside the first payload that does.
  init(limit: Int) {
    self.limit = limit
  }

  /// The text, and about as much as even a small payload takes beside it.
  private static func cost(of payload: JSON) -> Int { payload.bytes.count + 256 }

  /// The server has been sent the operation.
  func accept() {
    change { $0.isAccepted = true }
  }

  /// - Returns: Whether there was room for it; if not, the queue has ended.
  func append(_ payload: JSON) -> Bool {
    change { state in
      guard state.end == nil else { return true }
      let bytes = state.unreadBytes + PayloadQueue.cost(of: payload)
      guard state.taken == state.payloads.count || bytes <= limit else {
        state.end = .failure(.tooMuchUnread(limit))
        return false
      }
      state.payloads.append(payload)
      state.unreadBytes = bytes
      return true
    }
  }

  /// Nothing comes any more; what was appended before is still read.
  func finish(_ error: OperationError?) {
    change { state in
      if state.end == nil { state.end = error.map { .failure($0) } ?? .success(()) }
    }
  }

  /// Waits until the server has been sent the operation.
  ///
  /// - Throws: Why it will not be; `cancelled` if the reader's task is.
  func accepted() async throws(OperationError) {
    try await wait { $0.acceptance }
  }

  /// The next payload; nil at the end.
  ///
  /// - Throws: Why it ended; `cancelled` if the reader's task is.
  func next() async throws(OperationError) -> JSON? {
    try await wait { $0.take() }
  }

  private func change<Value>(_ body: (inout State) -> Value) -> Value {
    let (value, waiting) = state.withLock { state in
      state.changes += 1
      defer { state.waiting = nil }
      return (body(&state), state.waiting)
    }
    waiting?.resume()
    return value
  }

  private func wait<Value>(
    for answer: (inout State) -> Result<Value, OperationError>?
  ) async throws(OperationError) -> Value {
    while true {
      let (found, changes) = state.withLock { (answer(&$0), $0.changes) }
      if let found { return try found.get() }
      await change(after: changes)
    }
  }

  /// Waits until something has changed since the count was `changes`.
  private func change(after changes: Int) async {
    await withCancellableContinuation { continuation in
      let isOver = state.withLock { state in
        guard state.changes == changes else { return true }
        state.waiting = continuation
        return false
      }
      if isOver { continuation.resume() }
    } onCancel: {
      finish(.cancelled)
    }
  }
}

extension OperationError {
  fileprivate static func tooMuchUnread(_ limit: Int) -> OperationError {
    OperationError(
      transport: HTTPTransportError(
        .tooLarge,
        "More than \(limit) bytes of payloads wait to be read: the operation was ended."))
  }
}
