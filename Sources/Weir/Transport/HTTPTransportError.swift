/// The reason why a response is missing or incomplete.
///
/// A response with an error status is not an error of this type.
public struct HTTPTransportError: Error, Sendable {
  /// The kinds of failure. Later versions may add codes: handle those that you know.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code.
    public let description: String

    /// Makes a code for a custom transport.
    public init(_ description: String) {
      self.description = description
    }

    /// The task was cancelled, or the body was dropped.
    public static let cancelled = Code("cancelled")
    /// ``HTTPRequest/timeout`` or ``HTTPRequest/idleTimeout`` passed.
    public static let timedOut = Code("timedOut")
    /// The host was found, but did not accept the connection.
    public static let cannotConnect = Code("cannotConnect")
    /// A proxy refused to connect to the host, with a status such as 403 or 407. Not transient.
    public static let proxyRefused = Code("proxyRefused")
    /// No host has this name.
    public static let hostNotFound = Code("hostNotFound")
    /// The device has no network.
    public static let offline = Code("offline")
    /// The connection ended before the response did. Chunks that had arrived were delivered.
    public static let connectionLost = Code("connectionLost")
    /// No secure connection was possible: an untrusted certificate, or no common protocol.
    public static let insecure = Code("insecure")
    /// The response is not HTTP, or contradicts its header, for example in its compression.
    public static let badResponse = Code("badResponse")
    /// The body exceeds ``HTTPRequest/responseBodyLimit``, or arrived so much faster than it was
    /// read that the transport cannot hold the rest.
    public static let tooLarge = Code("tooLarge")
    /// The server redirected more often than the transport follows.
    public static let tooManyRedirects = Code("tooManyRedirects")
    /// The request cannot be sent: its URL or a header field is invalid.
    public static let invalidRequest = Code("invalidRequest")
    /// Any other failure; see ``HTTPTransportError/underlying``.
    public static let other = Code("other")
  }

  /// The kind of failure.
  public var code: Code
  /// A sentence that describes the failure, without header values or parts of a body.
  public var message: String
  /// The error of the HTTP library, such as `URLError`, if there was one. A `URLError` contains the
  /// URL without password and query items; what a custom transport throws is kept as it is.
  public var underlying: (any Error)?

  /// Makes an error.
  public init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.underlying = underlying
  }

  /// Converts an error that a transport threw.
  init(_ error: any Error) {
    switch error {
    case let error as HTTPTransportError: self = error
    case is CancellationError: self = .cancelled
    default: self.init(.other, "The transport failed: \(type(of: error)).", underlying: error)
    }
  }

  package static let cancelled = HTTPTransportError(.cancelled, "The request was cancelled.")

  static func body(exceeds limit: Int) -> HTTPTransportError {
    HTTPTransportError(.tooLarge, "The response body has more than \(limit) bytes.")
  }

  /// Throws if a header field cannot be sent.
  package static func checkFields(of headers: HTTPHeaders) throws(HTTPTransportError) {
    guard let name = headers.firstInvalidName else { return }
    throw HTTPTransportError(.invalidRequest, "The header field \"\(name)\" is invalid.")
  }
}

extension HTTPTransportError: CustomStringConvertible {
  /// The code and the message.
  public var description: String { "\(code): \(message)" }
}

extension HTTPTransportError.Code {
  /// The meaning of a proxy's answer to `CONNECT`: with a status of 500 or more, or one that asks to
  /// wait, the next attempt may succeed.
  package static func connectRefused(status: Int) -> HTTPTransportError.Code {
    (400..<500).contains(status) && ![408, 425, 429].contains(status)
      ? .proxyRefused : .cannotConnect
  }
}
