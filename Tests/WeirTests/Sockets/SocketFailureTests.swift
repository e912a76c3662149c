import Foundation
import Testing
import Weir

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Errors of Apple's WebSocket cannot be caused here, so they are injected.
@Suite("Failures of URLSession's WebSocket")
struct SocketFailureTests {
  private func failure(
    _ closure: SocketClosure? = nil, status: Int? = nil,
    posix code: POSIXErrorCode, headers: HTTPHeaders = [:]
  ) -> any Error {
    SocketFailure(
      closure: closure, status: status, headers: headers, limit: 1000, isOwn: false,
      cause: POSIXError(code)
    ).error
  }

  @Test(
    "A certificate that the session's delegate refuses is insecure; own endings are not (H3)",
    arguments: [
      (false, nil, HTTPTransportError.Code.insecure), (true, nil, .cancelled),
      (false, 101, .cancelled),
    ] as [(Bool, Int?, HTTPTransportError.Code)])
  func refusedCertificate(isOwn: Bool, status: Int?, expected: HTTPTransportError.Code) {
    let failure = SocketFailure(
      closure: nil, status: status, headers: [:], limit: 1000, isOwn: isOwn,
      cause: URLError(.cancelled))
    #expect((failure.error as? HTTPTransportError)?.code == expected)
  }

  @Test("A closure by the server takes precedence over the error of the call (H6)")
  func closure() {
    let closure = SocketClosure(code: 4403, reason: "forbidden")
    #expect(failure(closure, status: 101, posix: .ENOTCONN) as? SocketClosure == closure)
  }

  @Test("A refused handshake has its status, so that credentials are renewed (H6)")
  func refused() throws {
    let error = failure(status: 401, posix: .ENOTCONN, headers: ["retry-after": "7"])
    let refused = try #require(error as? OperationError)
    #expect(refused.code == .httpStatus && refused.httpStatus == 401 && refused.isUnauthenticated)
    #expect((refused.underlying as? HTTPStatusError)?.headers["retry-after"] == "7")
  }

  @Test("A message that is too large is final, and no lost connection (H6)")
  func tooLarge() throws {
    let closure = try #require(failure(status: 101, posix: .EMSGSIZE) as? SocketClosure)
    #expect(closure.code == 1009 && closure.isFinal && closure.reason.contains("1000 bytes"))
  }

  @Test(
    "Errors of the system have the codes of a transport (H3)",
    arguments: [
      (POSIXErrorCode.ECONNABORTED, HTTPTransportError.Code.connectionLost),
      (.ECONNRESET, .connectionLost), (.ENOTCONN, .connectionLost), (.EPIPE, .connectionLost),
      (.ETIMEDOUT, .timedOut), (.ECONNREFUSED, .cannotConnect), (.EHOSTUNREACH, .cannotConnect),
      (.ENETDOWN, .offline), (.EINVAL, .other),
    ])
  func system(code: POSIXErrorCode, expected: HTTPTransportError.Code) {
    #expect((failure(posix: code) as? HTTPTransportError)?.code == expected)
  }

  @Test("Any other error after the handshake is a lost connection (H6)")
  func lost() throws {
    let error = try #require(failure(status: 101, posix: .ENOTCONN) as? HTTPTransportError)
    #expect(error.code == .connectionLost)
  }
}
