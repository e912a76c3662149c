import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request and its response: what the session's delegate queue delivers and a task reads.
///
/// All state is in one place behind a lock. What has to happen outside the lock (resuming a
/// continuation, telling the task) comes back from it as a value.
final class HTTPTransfer: Sendable {
  struct Head: Sendable {
    var status: Int
    var headers: HTTPHeaders
  }

  private let state: Locked<HTTPTransferState>
  private let timeouts: RequestTimeouts
  private let reportProgress: (@Sendable (Int) -> Void)?
  /// The file that is sent; it must be there until the exchange has ended.
  private let bodyFile: RequestBodyFile?

  /// What is sent was begun at `start`: it may have been sent elsewhere before.
  init(
    _ request: HTTPRequest, bodyFile: RequestBodyFile?, since start: DispatchTime,
    limits: UnreadLimits
  ) {
    self.bodyFile = bodyFile
    reportProgress = request.streamedBody?.reportProgress
    state = Locked(
      HTTPTransferState(bodyLimit: request.responseBodyLimit, limits: limits))
    timeouts = RequestTimeouts(
      total: request.timeout, idle: request.idleTimeout, since: start)
  }

  func start(_ task: URLSessionDataTask) {
    perform(state.withLock { $0.start(task) })
    timeouts.start { [weak self] in self?.end(with: $0) }
    task.resume()
  }

  /// Waits for the head; cancelling the caller ends the request.
  func head() async throws(HTTPTransportError) -> Head {
    try await wait { continuation in
      self.perform(self.state.withLock { $0.wait(forHead: continuation) })
    }
  }

  /// Waits for the next chunk; cancelling the caller ends the request.
  func nextChunk() async throws(HTTPTransportError) -> [UInt8]? {
    try await wait { continuation in
      self.perform(self.state.withLock { $0.wait(forChunk: continuation) })
    }
  }

  func cancel() {
    end(with: .cancelled)
  }

  private func wait<Value: Sendable>(
    _ register: (CheckedContinuation<Result<Value, HTTPTransportError>, Never>) -> Void
  ) async throws(HTTPTransportError) -> Value {
    let result = await withCancellableContinuation(register) { cancel() }
    return try result.get()
  }

  var hasEnded: Bool { state.withLock { $0.hasEnded } }

  // MARK: What the delegate tells

  func sent(_ total: Int64) {
    timeouts.noteProgress()
    reportProgress?(Int(total))
  }

  func received(_ response: URLResponse) {
    timeouts.noteProgress()
    guard let head = Head(response) else {
      return end(with: HTTPTransportError(.badResponse, "The response is not HTTP."))
    }
    guard !head.isInterim else { return }
    perform(state.withLock { $0.receive(head, expecting: response.expectedContentLength) })
  }

  func received(_ data: Data) {
    // What still comes after the end is not worth a copy.
    guard !hasEnded else { return }
    timeouts.noteProgress()
    let chunk = [UInt8](data)
    perform(state.withLock { $0.receive(chunk) })
  }

  func completed(_ response: URLResponse?, _ error: (any Error)?) {
    timeouts.stop()
    let head = response.flatMap(Head.init)
    perform(state.withLock { $0.complete(head, error) })
  }

  func lostConnection() {
    end(with: HTTPTransportError(.connectionLost, "The connection was closed without an answer."))
  }

  private func end(with error: HTTPTransportError) {
    timeouts.stop()
    perform(state.withLock { $0.end(with: error) })
  }

  // MARK: -

  private func perform(_ actions: HTTPTransferState.Actions) {
    if let (continuation, result) = actions.head { continuation.resume(returning: result) }
    if let (continuation, result) = actions.chunk { continuation.resume(returning: result) }
    guard let task = actions.task else { return }
    switch actions.tell {
    case .nothing: break
    case .suspend: task.suspend()
    case .resume: task.resume()
    // Not here and now: on Linux `cancel` waits for the session's queue, which may be waiting for
    // the very task that is being cancelled (swift-corelibs-foundation#5412).
    case .cancel: cancellationQueue.async { task.cancel() }
    }
  }
}

private let cancellationQueue = DispatchQueue(label: "weir.http.cancellation")

extension HTTPTransfer.Head {
  /// Whether the response itself is still to come (RFC 9110, section 15.2), such as after early
  /// hints; on Linux they are told like any other. After 101 there is none.
  fileprivate var isInterim: Bool { (100..<200).contains(status) && status != 101 }

  fileprivate init?(_ response: URLResponse) {
    guard let response = response as? HTTPURLResponse else { return nil }
    status = response.statusCode
    headers = HTTPHeaders()
    for (name, value) in response.allHeaderFields {
      if let name = name as? String, let value = value as? String { headers.add(name, value) }
    }
  }
}

/// What a body holds of its exchange: letting go of it ends the request.
final class URLSessionBody: HTTPBodySource {
  private let exchange: HTTPTransfer

  init(_ exchange: HTTPTransfer) {
    self.exchange = exchange
  }

  deinit {
    exchange.cancel()
  }

  func next() async throws(HTTPTransportError) -> [UInt8]? {
    try await exchange.nextChunk()
  }

  func cancel() {
    exchange.cancel()
  }
}
