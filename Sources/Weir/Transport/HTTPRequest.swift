public import Foundation

/// A method of an HTTP request, such as `POST` (RFC 9110, section 9).
public struct HTTPMethod: RawRepresentable, Hashable, Sendable {
  /// The method as it is sent; methods are case-sensitive.
  public let rawValue: String

  /// Makes a method of any name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// `GET`
  public static let get = HTTPMethod(rawValue: "GET")
  /// `POST`
  public static let post = HTTPMethod(rawValue: "POST")
}

/// One HTTP request, complete with what may be spent on it.
public struct HTTPRequest: Sendable {
  /// The method; `POST` unless said otherwise.
  public var method: HTTPMethod
  /// Where to: an absolute `http` or `https` URL.
  public var url: URL
  /// The header fields. Those that belong to the connection (`Host`, `Content-Length`, …) are the
  /// transport's.
  public var headers: HTTPHeaders
  /// The body; empty for none.
  public var body: [UInt8]
  /// A body that is read while it is sent, in place of ``body``; nil if there is none.
  public var streamedBody: HTTPStreamedBody?
  /// The longest that the whole exchange may take, body included; `nil` for no limit.
  public var timeout: Duration?
  /// The longest silence: while nothing of the request is sent, until the head arrives, then between
  /// two chunks of the body; `nil` for no limit.
  public var idleTimeout: Duration?
  /// The most bytes that the body of the response may have, after decompression; `nil` for no limit.
  public var responseBodyLimit: Int?
  /// Whether sending the request twice does no more than sending it once.
  ///
  /// If the connection is lost before anything of the response has arrived, a transport may send
  /// such a request once more: servers close idle connections, and a request that meets the closing
  /// one is lost through no fault of its own. `true` for `GET`, else `false`, unless said otherwise;
  /// a GraphQL query is idempotent even by `POST`.
  public var isIdempotent: Bool

  /// Makes a request.
  public init(
    method: HTTPMethod = .post, url: URL, headers: HTTPHeaders = [:], body: [UInt8] = [],
    timeout: Duration? = nil, idleTimeout: Duration? = nil, responseBodyLimit: Int? = nil,
    isIdempotent: Bool? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
    self.idleTimeout = idleTimeout
    self.responseBodyLimit = responseBodyLimit
    self.isIdempotent = isIdempotent ?? (method == .get)
  }
}
