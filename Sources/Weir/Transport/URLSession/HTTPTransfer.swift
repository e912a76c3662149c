import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request and its response: the session's delegate queue writes it, a task reads it.
final class HTTPTransfer: Sendable {
  struct Head: Sendable {
    var status: Int
    var headers: HTTPHeaders
  }

  private let state: AwaitedState<HTTPTransferState>
  private let timeouts: RequestTimeouts
  private let reportProgress: (@Sendable (Int) -> Void)?
  /// The file that is sent; it must exist until the transfer has ended.
  private let bodyFile: RequestBodyFile?

  /// Makes a transfer that has not started. The request may have been sent before, to another URL
  /// or on a connection that was lost, so its time limit counts from `start`.
  init(
    _ request: HTTPRequest, bodyFile: RequestBodyFile?, since start: DispatchTime,
    limits: UnreadLimits
  ) {
    self.bodyFile = bodyFile
    reportProgress = request.streamedBody?.reportProgress
    state = AwaitedState(HTTPTransferState(bodyLimit: request.responseBodyLimit, limits: limits))
    timeouts = RequestTimeouts(
      total: request.timeout, idle: request.idleTimeout, since: start)
  }

  func start(_ task: URLSessionDataTask) {
    state.change { $0.start(task) }
    timeouts.start { [weak self] in self?.end(with: $0) }
    task.resume()
  }

  /// Waits for the head; cancelling the caller ends the request.
  func head() async throws(HTTPTransportError) -> Head {
    try await state.wait(for: \.head, onCancel: cancel).get()
  }

  /// Waits for the next chunk; cancelling the caller ends the request.
  func nextChunk() async throws(HTTPTransportError) -> [UInt8]? {
    guard state.change({ $0.beginReading() }) else {
      throw HTTPTransportError(.other, "Two tasks read the same response body.")
    }
    let (chunk, command) = await state.wait(for: { $0.takeChunk() }, onCancel: cancel)
    perform(command)
    return try chunk.get()
  }

  @Sendable func cancel() {
    end(with: .cancelled)
  }

  var hasEnded: Bool { state.read(\.hasEnded) }

  // MARK: Events of the delegate

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
    perform(state.change { $0.receive(head, expecting: response.expectedContentLength) })
  }

  func received(_ data: Data) {
    // Data that arrives after the end is not worth a copy.
    guard !hasEnded else { return }
    timeouts.noteProgress()
    let chunk = [UInt8](data)
    perform(state.change { $0.receive(chunk) })
  }

  func completed(_ response: URLResponse?, _ error: (any Error)?) {
    timeouts.stop()
    let head = response.flatMap(Head.init)
    state.change { $0.complete(head, error) }
  }

  func lostConnection() {
    end(with: HTTPTransportError(.connectionLost, "The connection was closed without a response."))
  }

  private func end(with error: HTTPTransportError) {
    timeouts.stop()
    perform(state.change { $0.end(with: error) })
  }

  private func perform(_ command: HTTPTransferState.Command?) {
    switch command {
    case nil: break
    case .suspend(let task): task.suspend()
    case .resume(let task): task.resume()
    // On another queue: on Linux, `cancel` waits for the session's queue, which may be waiting for
    // this thread (swift-corelibs-foundation#5412).
    case .cancel(let task): cancellationQueue.async { task.cancel() }
    }
  }
}

private let cancellationQueue = DispatchQueue(label: "weir.http.cancellation")

extension HTTPTransfer.Head {
  /// Whether this is not the final response (RFC 9110, section 15.2), for example early hints,
  /// which Linux reports like any other response. No other response follows a 101.
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
