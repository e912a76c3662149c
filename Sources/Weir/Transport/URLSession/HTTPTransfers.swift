import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The session's delegate, which passes each event to its transfer.
final class HTTPTransfers: NSObject, URLSessionDataDelegate {
  private let running = Locked<[Int: HTTPTransfer]>([:])
  private let options: URLSessionTransport.Options

  init(_ options: URLSessionTransport.Options) {
    self.options = options
  }

  func add(_ transfer: HTTPTransfer, for task: URLSessionTask) {
    running.withLock { $0[task.taskIdentifier] = transfer }
  }

  private func transfer(of task: URLSessionTask) -> HTTPTransfer? {
    running.withLock { $0[task.taskIdentifier] }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    transfer(of: dataTask)?.received(response)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    transfer(of: dataTask)?.received(data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
    totalBytesSent: Int64, totalBytesExpectedToSend: Int64
  ) {
    transfer(of: task)?.sent(Int(totalBytesSent))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let transfer = running.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    transfer?.completed(task.response, error)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    #if canImport(FoundationNetworking)
      // On Linux, calling the handler after the task was cancelled ends the process ("Received
      // callback for HTTP redirection, but we're not waiting for it"). While the transfer has not
      // ended, the task is not cancelled, and it cannot be cancelled before this call returns,
      // because both run on the session's queue. After the end, the cancellation completes the
      // task.
      guard transfer(of: task)?.hasEnded == false else { return }
    #endif
    // The transport follows redirects itself: `URLSession` would change a POST to a GET, and send
    // header fields to any host.
    completionHandler(nil)
  }

  #if canImport(FoundationNetworking)
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler:
        @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      // On Linux, the challenge arrives after the body of a 401, and default handling never
      // completes the task without a credential (swift-corelibs-foundation#5457).
      transfer(of: task)?.completed(challenge.failureResponse, nil)
      // On another queue, because cancelling waits for the session's queue, on which this runs.
      DispatchQueue.global().async { completionHandler(.cancelAuthenticationChallenge, nil) }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
      // libcurl used a connection that the server had closed, and starts again on a new one. It
      // asks for the body from its start, but on Linux a body of bytes is not rewound: the request
      // would wait forever, in a busy loop. The transport sends the request again instead, if that
      // is safe.
      transfer(of: task)?.lostConnection()
      completionHandler(nil)
    }
  #elseif canImport(Darwin)
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler:
        @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      guard let onChallenge = options.onChallenge else {
        return completionHandler(.performDefaultHandling, nil)
      }
      Task {
        let (disposition, credential) = await onChallenge(challenge)
        if disposition == .cancelAuthenticationChallenge {
          // The session would report it as a cancellation of the request.
          transfer(of: task)?.completed(nil, URLError(.serverCertificateUntrusted))
        }
        completionHandler(disposition, credential)
      }
    }
  #endif
}
