/// The payloads of one operation that have arrived but were not read yet. It has one reader.
final class PayloadQueue: Sendable {
  private struct State {
    /// Whether the operation was sent to the server.
    var isAccepted = false
    var payloads = FIFOQueue<JSON>()
    var unreadBytes = 0
    /// How the operation ended. Earlier payloads can still be read.
    var end: Result<Void, OperationError>?

    var acceptance: Result<Void, OperationError>? {
      isAccepted || !payloads.isEmpty ? .success(()) : end
    }

    mutating func take() -> Result<JSON?, OperationError>? {
      guard let payload = payloads.popFirst() else { return end.map { $0.map { nil } } }
      unreadBytes -= PayloadQueue.cost(of: payload)
      return .success(payload)
    }
  }

  private let limit: Int
  private let state = AwaitedState(State())

  /// - Parameter limit: The maximum number of unread bytes; the first unread payload may exceed it.
  init(limit: Int) {
    self.limit = limit
  }

  /// The size of the message, which the payload keeps in memory, plus the approximate size of an empty one.
  static func cost(of payload: JSON) -> Int { payload.document.bytes.count + 256 }

  /// Notes that the operation was sent to the server.
  func accept() {
    state.change { $0.isAccepted = true }
  }

  /// Adds a payload.
  ///
  /// - Returns: Whether it was within the limit. If not, the queue has ended.
  func append(_ payload: JSON) -> Bool {
    state.change { state in
      guard state.end == nil else { return true }
      let bytes = state.unreadBytes + PayloadQueue.cost(of: payload)
      guard state.payloads.isEmpty || bytes <= limit else {
        state.end = .failure(.tooMuchUnread(limit))
        return false
      }
      state.payloads.append(payload)
      state.unreadBytes = bytes
      return true
    }
  }

  /// Ends the queue; earlier payloads can still be read.
  func finish(_ error: OperationError?) {
    state.change { state in
      if state.end == nil { state.end = error.map { .failure($0) } ?? .success(()) }
    }
  }

  /// Waits until the operation was sent to the server.
  ///
  /// - Throws: The reason why it was not sent; `cancelled` if the reader's task was cancelled.
  func accepted() async throws(OperationError) {
    try await state.wait(for: { $0.acceptance }, onCancel: cancel).get()
  }

  /// Returns the next payload; nil at the end.
  ///
  /// - Throws: The reason for the end; `cancelled` if the reader's task was cancelled.
  func next() async throws(OperationError) -> JSON? {
    try await state.wait(for: { $0.take() }, onCancel: cancel).get()
  }

  @Sendable private func cancel() {
    finish(.cancelled)
  }
}

extension OperationError {
  static func tooMuchUnread(_ limit: Int) -> OperationError {
    OperationError(
      transport: HTTPTransportError(
        .tooLarge,
        "The operation was ended because more than \(limit) bytes of its payloads were not read."))
  }
}
