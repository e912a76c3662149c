/// Why there is no response, or no more of one.
///
/// A response with an error status is none of these: it is a response.
public struct HTTPTransportError: Error, Sendable {
  /// The kinds of failure. An open list: handle the ones you know.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code.
    public let description: String

    /// Makes a code of your own, for a transport of your own.
    public init(_ description: String) {
      self.description = description
    }

    /// The task was cancelled, or the body was dropped.
    public static let cancelled = Code("cancelled")
    /// ``HTTPRequest/timeout`` or ``HTTPRequest/idleTimeout`` passed.
    public static let timedOut = Code("timedOut")
    /// The host was found, but took no connection.
    public static let cannotConnect = Code("cannotConnect")
    /// There is no host of this name.
    public static let hostNotFound = Code("hostNotFound")
    /// The device has no network.
    public static let offline = Code("offline")
    /// The connection ended before the response did. What had arrived was delivered.
    public static let connectionLost = Code("connectionLost")
    /// No secure connection could be made: no trust in the certificate, or no common protocol.
    public static let insecure = Code("insecure")
    /// What came back is not HTTP, or not what its header says, such as a broken compression.
    public static let badResponse = Code("badResponse")
    /// The body is larger than ``HTTPRequest/responseBodyLimit``, or came so much faster than it was
    /// read that it can be held no more.
    public static let tooLarge = Code("tooLarge")
    /// More redirects than the transport follows.
    public static let tooManyRedirects = Code("tooManyRedirects")
    /// The request cannot be sent as it is: its URL or a header field is not valid.
    public static let invalidRequest = Code("invalidRequest")
    /// Anything else; see ``HTTPTransportError/underlying``.
    public static let other = Code("other")
  }

  /// The kind of failure.
  public var code: Code
  /// What happened, in a sentence. It holds no header values and no part of a body.
  public var message: String
  /// The error of the HTTP library, such as `URLError`, if there was one.
  public var underlying: (any Error)?

  /// Makes an error.
  public init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.underlying = underlying
  }

  /// Takes any error that a transport threw for what it is.
  init(_ error: any Error) {
    switch error {
    case let error as HTTPTransportError: self = error
    case is CancellationError: self = .cancelled
    default: self.init(.other, "The transport failed: \(type(of: error)).", underlying: error)
    }
  }

  static let cancelled = HTTPTransportError(.cancelled, "The request was cancelled.")
}

extension HTTPTransportError: CustomStringConvertible {
  /// The code and the message.
  public var description: String { "\(code): \(message)" }
}
