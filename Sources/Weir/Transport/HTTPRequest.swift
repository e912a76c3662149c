public import Foundation

/// The method of an HTTP request, such as `POST` (RFC 9110, section 9).
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

  /// Whether responses have a body. The length in the head of another response is that of the body which a `GET`
  /// would bring (RFC 9110, section 8.6).
  var hasResponseBody: Bool { rawValue != "HEAD" }
}

/// One HTTP request, with its limits.
public struct HTTPRequest: Sendable {
  /// The method; `POST` by default.
  public var method: HTTPMethod
  /// The destination: an absolute `http` or `https` URL.
  public var url: URL
  /// The header fields. The transport adds those that belong to the connection (`Host`,
  /// `Content-Length`, …).
  public var headers: HTTPHeaders
  /// The body; empty for none.
  public var body: [UInt8]
  /// A body that is read while it is sent, instead of ``body``; nil if there is none.
  public var streamedBody: HTTPStreamedBody?
  /// The time limit from sending the request to the end of the response body; `nil` for no limit.
  public var timeout: Duration?
  /// The time limit without any progress: while the request is sent, until the response head
  /// arrives, and between two chunks of the body; `nil` for no limit. When it is over, the request fails.
  /// Time in which the response waits for its reader does not count, nor does time in a queue of Weir's,
  /// before the request has begun.
  public var idleTimeout: Duration?
  /// The maximum size of the response body in bytes, after decompression; `nil` for no limit.
  public var responseBodyLimit: Int?
  /// Whether sending the request twice has the same effect as sending it once.
  ///
  /// If the connection is lost before the head of the response has arrived, a transport may send
  /// such a request again: servers close idle connections, and a request that is sent on a closing
  /// connection is lost. By default `true` for `GET` and `false` otherwise; a GraphQL query is
  /// idempotent with `POST`, too.
  public var isIdempotent: Bool
  /// Whether the response is expected to last for long and to bring little at a time, as a stream of events
  /// does. A transport may save memory for it.
  package var isLongLived = false

  /// Makes a request.
  ///
  /// - Parameters:
  ///   - method: The method; `POST` by default.
  ///   - url: An absolute `http` or `https` URL.
  ///   - headers: The header fields; none by default.
  ///   - body: The body; empty by default.
  ///   - timeout: The time limit until the end of the response body; nil, the default, for no limit.
  ///   - idleTimeout: The time limit without any progress; nil, the default, for no limit.
  ///   - responseBodyLimit: The maximum size of the response body in bytes, after decompression; nil,
  ///     the default, for no limit.
  ///   - isIdempotent: Whether sending the request twice has the same effect as sending it once; by
  ///     default for `GET` only.
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
