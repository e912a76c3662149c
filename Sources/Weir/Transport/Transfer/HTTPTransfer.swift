package import Dispatch

/// One request and its response: the HTTP library's thread or queue writes it, a task reads it.
package final class HTTPTransfer: Sendable {
  package struct Head: Sendable {
    package var status: Int
    var headers: HTTPHeaders

    package init(status: Int, headers: HTTPHeaders) {
      self.status = status
      self.headers = headers
    }

    /// Whether this is not the final response (RFC 9110, section 15.2), for example early hints. No
    /// other response follows a 101.
    package var isInterim: Bool { (100..<200).contains(status) && status != 101 }
  }

  private let state: AwaitedState<HTTPTransferState>
  private let timeouts: RequestTimeouts
  private let reportProgress: (@Sendable (Int) -> Void)?
  /// Objects that must exist until the transfer has ended.
  private let resource: (any Sendable)?

  /// Makes a transfer that has not started. The request may have been sent before, to another URL
  /// or on a connection that was lost, so its time limit counts from `start`.
  package init(
    _ request: HTTPRequest, since start: DispatchTime, limits: UnreadLimits,
    keeping resource: (any Sendable)? = nil
  ) {
    self.resource = resource
    reportProgress = request.streamedBody?.reportProgress
    state = AwaitedState(
      HTTPTransferState(
        bodyLimit: request.method.hasResponseBody ? request.responseBodyLimit : nil,
        limits: limits))
    timeouts = RequestTimeouts(
      total: request.timeout, idle: request.idleTimeout, since: start)
  }

  /// Notes the task, whose work begins after this call, and starts the time limits. If it is queued,
  /// the time without progress counts from ``begin()`` on.
  package func start(_ task: any HTTPTransferTask, isQueued: Bool = false) {
    state.change { $0.start(task) }
    timeouts.start(
      isQueued: isQueued, isPaused: { [weak self] in self?.isSuspended ?? false }
    ) { [weak self] in
      self?.end(with: $0)
    }
  }

  /// Notes that a task that was queued now begins its work.
  package func begin() {
    timeouts.begin()
  }

  /// Waits for the head and returns the response; cancelling the caller ends the request.
  package func response() async throws(HTTPTransportError) -> HTTPResponse {
    let head = try await head()
    let body = HTTPBody(cancel: cancel) { [self] in try await nextChunk() }
    return HTTPResponse(status: head.status, headers: head.headers, body: body)
  }

  private func head() async throws(HTTPTransportError) -> Head {
    try await state.wait(for: \.head, onCancel: cancel).get()
  }

  /// Waits for the next chunk; cancelling the caller ends the request.
  private func nextChunk() async throws(HTTPTransportError) -> [UInt8]? {
    guard state.change({ $0.beginReading() }) else {
      throw HTTPTransportError(.other, "Two tasks read the same response body.")
    }
    let (chunk, command) = await state.wait(for: { $0.takeChunk() }, onCancel: cancel)
    perform(command)
    return try chunk.get()
  }

  @Sendable private func cancel() {
    end(with: .cancelled)
  }

  package var hasEnded: Bool { state.read(\.hasEnded) }

  /// Whether receiving is to stop until the reader has caught up.
  package var isSuspended: Bool { state.read(\.isSuspended) }

  // MARK: Events of the library

  package func sent(_ total: Int) {
    timeouts.noteProgress()
    reportProgress?(total)
  }

  package func noteProgress() {
    timeouts.noteProgress()
  }

  /// Notes the final head, and the length of the body, which is negative if the head does not say.
  package func received(_ head: Head, expecting length: Int64) {
    timeouts.noteProgress()
    perform(state.change { $0.receive(head, expecting: length) })
  }

  package func received(_ chunk: [UInt8]) {
    timeouts.noteProgress()
    perform(state.change { $0.receive(chunk) })
  }

  /// Ends the transfer from the server's side.
  ///
  /// - Parameters:
  ///   - head: The head, if it was not noted before.
  ///   - error: Returns the error; nil if the response is complete.
  package func completed(
    _ head: Head? = nil, error: ((_ headArrived: Bool) -> HTTPTransportError)? = nil
  ) {
    timeouts.stop()
    state.change { $0.complete(head, error) }
  }

  /// Ends the transfer from our side if more bytes than these are not read yet.
  package func endIfUnread(exceeds limit: Int) {
    guard state.read(\.unreadCount) > limit else { return }
    end(with: .unread(exceeds: limit))
  }

  /// Ends the transfer from our side.
  package func end(with error: HTTPTransportError) {
    timeouts.stop()
    perform(state.change { $0.end(with: error) })
  }

  private func perform(_ command: HTTPTransferState.Command?) {
    switch command {
    case nil: break
    case .suspend(let task):
      task.suspend()
      // If the reader caught up before this call, its `resume` came first and had no effect.
      if !isSuspended { task.resume() }
    case .resume(let task):
      timeouts.noteProgress()
      task.resume()
    case .cancel(let task): task.cancel()
    }
  }
}
