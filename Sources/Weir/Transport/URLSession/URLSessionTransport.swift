import Dispatch

#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// Sends HTTP requests with `URLSession`, on Apple platforms and on Linux.
///
/// Each transport has one session, and with it one pool of connections: share it. When the
/// transport is released, the session finishes its running requests and then ends.
///
/// ### Behaviour
/// - **Redirects** are followed, at most five of them, if the request stays the same (status 307
///   and 308; also 301, 302 and 303 for `GET`) and goes to the same origin, or from `http` to
///   `https` of the same host. Header fields carry credentials, which no other host may receive.
///   Any other redirect is returned as a response.
/// - **Time limits** are those of the request; redirects and a second attempt count towards them.
///   The time limits of the session configuration are ignored, because Linux rounds them down to
///   seconds.
/// - **A connection that is lost** before the head of the response has arrived leads to a second
///   attempt if the request is idempotent.
/// - **Streamed request bodies** of more than 64 KiB are copied to a temporary file, so that their
///   length is known and little memory is used. Only the user can read the file, and it is deleted
///   when the request has ended. On Linux the file has no name, so it also disappears with the
///   process.
/// - **Response bodies that are read slowly** are paused on Apple platforms, so that the server
///   stops sending. Linux cannot pause a request; see below.
/// - **Caching** is switched off.
/// - **Cookies** are handled as the session configuration says: by default they are kept as long as
///   the transport, and shared by all clients that use it. ``GraphQLClient/switchSession(_:)`` does
///   not clear them. If cookies identify your user, use a separate transport for each user.
///
/// ### Limitations on Linux
/// On Linux, `URLSession` is a layer over libcurl. Use `CurlTransport`, of the product `WeirCurl`,
/// for servers and tools there: it uses libcurl itself and has none of these limitations. In Swift
/// 6.3 and earlier:
/// - **These responses end the process** (defects of Foundation), whether a server sends them by
///   mistake or on purpose:
///   1. a response that ends within its head, after a line, with any status
///      (swift-corelibs-foundation#5285);
///   2. a chunked response with trailer fields, and a response over HTTP/2 with trailer fields, which
///      gateways send (the same defect);
///   3. a `Content-Length` from 2⁶³ − 512 to 2⁶³ − 1;
///   4. a redirect whose `Location` starts with `//` and an IPv6 address, or with a host that is
///      percent-encoded or not ASCII.
/// - Behind a proxy for `https`, the head of the proxy's answer is taken for the response's: a 401 or
///   a 503 arrives as a 200, and an untrusted certificate as a lost connection.
/// - These are rejected: header lines without a space after the colon or that are not UTF-8, status
///   lines without a space after the status, and URLs with an IPv6 address.
/// - A request cannot be paused. Bytes of a response body beyond ``Options/unreadLimit`` are
///   written to temporary files without names, up to ``Options/unreadFileLimit``; then the
///   request fails with the code `tooLarge`. Bytes that arrived before can still be read.
/// - All sessions of a process share one queue: while one response arrives faster than it can be
///   handled, all others wait.
/// - A compressed body is inflated to its end, even after the request was refused because of its
///   size: 2 MB that inflate to 2 GB stall all requests of the process for some 15 seconds.
public final class URLSessionTransport: HTTPTransport {
  /// The settings that apply to all requests of a transport.
  public struct Options: Sendable {
    /// The maximum number of connections to one host, at least 1. Default 64. Each event stream over
    /// HTTP/1.1 occupies one. `URLSession` does not say what 0 means; for `CurlTransport` it is no limit.
    public var connectionsPerHost = 64
    /// The maximum number of unread bytes of one body in memory. Default 4 MiB. Beyond it, the
    /// request is paused on Apple platforms, and further bytes are written to disk on Linux.
    public var unreadLimit = 4 << 20
    /// On Linux, the maximum number of unread bytes of one body on disk. Default 1 GiB. Beyond
    /// it, the request fails (`tooLarge`). Up to 64 MiB that were read may take space there, too.
    public var unreadFileLimit = 1 << 30
    /// The maximum number of redirects to follow; 0 for none. Default 5.
    public var redirectLimit = 5
    #if canImport(Darwin)
      /// Answers authentication challenges, for certificate pinning, client certificates and proxies;
      /// nil, the default, for the system's handling. Called for each challenge of each request; the
      /// request waits, and its time limits go on.
      ///
      /// A request whose challenge is answered with `cancelAuthenticationChallenge` fails with the
      /// code `insecure`.
      public var onChallenge: ChallengeHandler?

      /// Decides how to answer an authentication challenge.
      public typealias ChallengeHandler =
        @Sendable (URLAuthenticationChallenge) async
        -> (URLSession.AuthChallengeDisposition, URLCredential?)
    #endif

    /// Makes the default settings.
    public init() {}
  }

  /// The transport of all clients that have no other one.
  public static let shared = URLSessionTransport()

  private let options: Options
  private let transfers: HTTPTransfers
  private let session: URLSession

  /// Makes a transport with a session of its own.
  ///
  /// - Parameters:
  ///   - configuration: The session's configuration: protocols, proxies, cookies, network access.
  ///     Its cache, its time limits and its `httpMaximumConnectionsPerHost` are not used; for the last, see
  ///     ``Options/connectionsPerHost``.
  ///   - options: Settings that `URLSession` does not have.
  public init(configuration: URLSessionConfiguration = .ephemeral, options: Options = Options()) {
    self.options = options
    transfers = HTTPTransfers(options)
    let own = (configuration.copy() as? URLSessionConfiguration) ?? configuration
    // A cache would hide the server's responses. On Linux, cancelling a task while it queries its
    // cache can also trap.
    own.urlCache = nil
    own.httpMaximumConnectionsPerHost = options.connectionsPerHost
    #if canImport(FoundationNetworking)
      let queue = InlineOperationQueue()
      queue.maxConcurrentOperationCount = 1
    #else
      let queue: OperationQueue? = nil
      // Apple's session measures these beside those of its requests, and the shorter one may count.
      own.timeoutIntervalForRequest = 365 * 24 * 3600
      own.timeoutIntervalForResource = 365 * 24 * 3600
    #endif
    session = URLSession(configuration: own, delegate: transfers, delegateQueue: queue)
  }

  deinit {
    session.finishTasksAndInvalidate()
  }

  /// Sends one request; see ``HTTPTransport/send(_:)``.
  ///
  /// - Throws: Only ``HTTPTransportError``.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let start = DispatchTime.now()
    var request = request
    let bodyFile = try await request.bodyFile()
    return try await request.sending(following: options.redirectLimit) {
      (request, _) throws(HTTPTransportError) in
      try await sendOnce(request, bodyFile, since: start)
    }
  }

  private func sendOnce(
    _ request: HTTPRequest, _ bodyFile: RequestBodyFile?, since start: DispatchTime
  ) async throws(HTTPTransportError) -> HTTPResponse {
    guard !Task.isCancelled else { throw .cancelled }
    let transfer = HTTPTransfer(
      request, since: start, limits: options.unreadLimits, keeping: bodyFile)
    let urlRequest = try URLRequest(request)
    let task =
      bodyFile?.task(for: urlRequest, in: session) ?? session.dataTask(with: urlRequest)
    transfers.add(transfer, for: task)
    transfer.start(URLSessionTransferTask(task: task))
    task.resume()
    return try await transfer.response()
  }
}

extension URLSessionTransport.Options {
  fileprivate var unreadLimits: UnreadLimits {
    #if canImport(FoundationNetworking)
      // On Linux, a task that is suspended and resumed starts its transfer again.
      UnreadLimits(memory: unreadLimit, disk: unreadFileLimit)
    #else
      UnreadLimits(memory: unreadLimit)
    #endif
  }
}

extension HTTPRequest {
  /// Reads a streamed body into memory if it is small, and writes it to disk otherwise.
  fileprivate mutating func bodyFile() async throws(HTTPTransportError) -> RequestBodyFile? {
    guard let streamedBody else { return nil }
    // An invalid request is not worth a copy of its body.
    _ = try URLRequest(self)
    guard streamedBody.length <= 64 << 10 else { return try await .write(streamedBody) }
    var reader = streamedBody.makeReader()
    body = []
    do throws(UploadError) {
      while let chunk = try reader.next() { body += chunk }
    } catch {
      throw HTTPTransportError(.invalidRequest, error.description, underlying: error)
    }
    return nil
  }
}

extension URLRequest {
  fileprivate init(_ request: HTTPRequest) throws(HTTPTransportError) {
    try request.check()
    self.init(url: request.url)
    httpMethod = request.method.rawValue
    // The transfer has its own timers; this limit must never pass first.
    timeoutInterval = 365 * 24 * 3600
    for field in request.sentHeaders {
      addValue(field.value, forHTTPHeaderField: field.name)
    }
    if !request.body.isEmpty { httpBody = Data(request.body) }
  }
}
