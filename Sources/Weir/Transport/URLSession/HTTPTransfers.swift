import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The session's delegate: hands each event to the exchange that it belongs to.
final class HTTPTransfers: NSObject, URLSessionDataDelegate {
  private let running = Locked<[Int: HTTPTransfer]>([:])

  func add(_ exchange: HTTPTransfer, for task: URLSessionTask) {
    running.withLock { $0[task.taskIdentifier] = exchange }
  }

  private func exchange(of task: URLSessionTask) -> HTTPTransfer? {
    running.withLock { $0[task.taskIdentifier] }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    exchange(of: dataTask)?.received(response)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    exchange(of: dataTask)?.received(data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
    totalBytesSent: Int64, totalBytesExpectedToSend: Int64
  ) {
    exchange(of: task)?.sent(totalBytesSent)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let exchange = running.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    exchange?.completed(task.response, error)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    #if canImport(FoundationNetworking)
      // Here an answer that comes when the task has been cancelled ends the process ("Received
      // callback for HTTP redirection, but we're not waiting for it"). If the exchange has not ended,
      // the task was not told to cancel either; and it will not be before this answer, since both go
      // by the queue that we are on. If it has, the cancellation ends the task.
      guard exchange(of: task)?.hasEnded == false else { return }
    #endif
    // The transport decides: `URLSession` would turn a POST into a GET, and send headers anywhere.
    completionHandler(nil)
  }

  #if canImport(FoundationNetworking)
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler:
        @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      // Here a challenge comes after the body of a 401, and default handling would never complete
      // the task where there is no credential (swift-corelibs-foundation#5457).
      exchange(of: task)?.completed(challenge.failureResponse, nil)
      // Cancelling waits for the session's queue, which we are on.
      DispatchQueue.global().async { completionHandler(.cancelAuthenticationChallenge, nil) }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
      // libcurl met a connection that was closed under it, and starts again on a new one. It asks
      // for the body from the start, but a body of bytes is not rewound here: the request would wait
      // for ever, in a busy loop. We start it afresh ourselves, if it may be.
      exchange(of: task)?.lostConnection()
      completionHandler(nil)
    }
  #endif
}
