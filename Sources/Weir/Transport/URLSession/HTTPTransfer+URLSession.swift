import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension HTTPTransfer {
  func received(_ response: URLResponse) {
    guard let head = Head(response) else {
      return end(with: HTTPTransportError(.badResponse, "The response is not HTTP."))
    }
    // Linux reports interim responses like any other.
    guard !head.isInterim else { return noteProgress() }
    received(head, expecting: response.expectedContentLength)
  }

  func received(_ data: Data) {
    // Data that arrives after the end is not worth a copy.
    guard !hasEnded else { return }
    received([UInt8](data))
  }

  func completed(_ response: URLResponse?, _ error: (any Error)?) {
    let head = response.flatMap(Head.init)
    guard let error else { return completed(head) }
    completed(head) { HTTPTransportError(urlError: error, headArrived: $0) }
  }

  func lostConnection() {
    end(with: HTTPTransportError(.connectionLost, "The connection was closed without a response."))
  }
}

extension HTTPTransfer.Head {
  fileprivate init?(_ response: URLResponse) {
    guard let response = response as? HTTPURLResponse else { return nil }
    self.init(status: response.statusCode, headers: HTTPHeaders(response))
  }
}

extension HTTPHeaders {
  init(_ response: HTTPURLResponse) {
    self.init()
    for (name, value) in response.allHeaderFields {
      if let name = name as? String, let value = value as? String { add(name, value) }
    }
  }
}

/// A task of `URLSession`, as a transfer uses it.
struct URLSessionTransferTask: HTTPTransferTask {
  let task: URLSessionDataTask

  func suspend() {
    task.suspend()
  }

  func resume() {
    task.resume()
  }

  func cancel() {
    // On another queue: on Linux, `cancel` waits for the session's queue, which may be waiting for
    // this thread (swift-corelibs-foundation#5412).
    cancellationQueue.async { task.cancel() }
  }
}

private let cancellationQueue = DispatchQueue(label: "weir.http.cancellation")
