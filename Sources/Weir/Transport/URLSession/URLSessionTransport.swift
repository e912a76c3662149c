import Dispatch

#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// Sends HTTP requests with `URLSession`, on Apple platforms and on Linux.
///
/// One transport holds one session, and with it one pool of connections: share it. The session ends
/// with the transport; requests under way are finished first.
///
/// ### What it decides
/// - **Redirects** are followed, at most five of them, if the request stays what it is (307 and 308;
///   also 301, 302 and 303 for `GET`) and goes to the same origin, or from `http` to `https` of the
///   same host: header fields carry credentials, which no other host may see. Any other redirect is
///   handed on as the response that it is.
/// - **Time-outs** are the request's, and redirects and a further try take their time from it; those
///   of the session configuration do not count, since on Linux they are cut to whole seconds.
/// - **A lost connection** before anything of the response has arrived leads to one more try if the
///   request says that it is idempotent.
/// - **Streamed request bodies** of more than 64 KiB are copied to a temporary file, which only the
///   user can read and which is deleted when the exchange has ended (on Linux it has no name, and is
///   gone with the process, too): the length is known and memory bounded.
/// - **Memory:** a body that is not read fast enough is paused on Apple platforms, so that the
///   connection holds the server back. On Linux a request cannot be paused (it would be started
///   afresh). There, what is more than ``Options/unreadLimit`` waits in a temporary file without a
///   name, until that has ``Options/unreadFileLimit`` bytes, too; then the request fails
///   (`tooLarge`). Nothing is lost before. Responses are never cached.
/// - **Cookies** are kept and sent as the session configuration says: by default for as long as the
///   transport lives, for all clients that share it. ``GraphQLClient/switchSession()`` does not know of
///   them: where cookies say who asks, give each user a transport of their own.
///
/// ### On Linux
/// `URLSession` there is libcurl, and all sessions of a process share one queue: a response that
/// floods in faster than it can be taken holds up the others for as long. In Swift 6.3 and earlier
/// it refuses header lines without a space after the colon or that are not UTF-8, status lines without
/// a space after the status, and URLs with an IPv6 address. Three responses end the process, whoever
/// uses it: one that ends within its head, after the status line and before a `Content-Length`, and a
/// chunked one with trailer fields (swift-corelibs-foundation#5285 for both); and a redirect whose
/// `Location` begins with `//` and an IPv6 address, or a host with escapes or of non-ASCII letters. Who
/// has to expect such servers can bring another HTTP library: ``HTTPTransport`` is one function.
public final class URLSessionTransport: HTTPTransport {
  /// What can be chosen once for all requests of a transport.
  public struct Options: Sendable {
    /// The most connections to one host. Each event stream over HTTP/1.1 occupies one.
    public var connectionsPerHost = 64
    /// The most bytes of one body that wait in memory to be read. Default 4 MiB. Past it, the request
    /// is paused on Apple platforms, and on Linux what comes goes to a file.
    public var unreadLimit = 4 << 20
    /// On Linux, the most bytes of one body that wait in a file to be read. Default 1 GiB. Past it,
    /// the request fails (`tooLarge`).
    public var unreadFileLimit = 1 << 30
    /// How many redirects are followed; 0 for none.
    public var redirectLimit = 5

    /// The defaults.
    public init() {}
  }

  /// The transport that all clients share that have not been given one.
  public static let shared = URLSessionTransport()

  private let options: Options
  private let exchanges = HTTPTransfers()
  private let session: URLSession

  /// Makes a transport with a session of its own.
  ///
  /// - Parameters:
  ///   - configuration: What the session is made of: protocols, proxies, cookies, network access.
  ///     Its cache and its time-outs are not used.
  ///   - options: What `URLSession` knows nothing of.
  public init(configuration: URLSessionConfiguration = .ephemeral, options: Options = Options()) {
    self.options = options
    let own = (configuration.copy() as? URLSessionConfiguration) ?? configuration
    // A cache would hide what the server says. On Linux, cancelling a task while its cache is asked
    // can trap besides.
    own.urlCache = nil
    own.httpMaximumConnectionsPerHost = options.connectionsPerHost
    #if canImport(FoundationNetworking)
      let queue = InlineOperationQueue()
      queue.maxConcurrentOperationCount = 1
    #else
      let queue: OperationQueue? = nil
    #endif
    session = URLSession(configuration: own, delegate: exchanges, delegateQueue: queue)
  }

  deinit {
    session.finishTasksAndInvalidate()
  }

  /// Sends one request; see ``HTTPTransport/send(_:)``.
  ///
  /// - Throws: ``HTTPTransportError`` and nothing else.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let start = DispatchTime.now()
    var request = request
    let bodyFile = try await request.bodyFile()
    var redirects = 0
    while true {
      let response = try await attempt(request, bodyFile, since: start)
      guard let location = response.redirect(of: request), options.redirectLimit > 0 else {
        return response
      }
      redirects += 1
      guard redirects <= options.redirectLimit else {
        throw HTTPTransportError(.tooManyRedirects, "More than \(options.redirectLimit) redirects.")
      }
      request.url = location
    }
  }

  private func attempt(
    _ request: HTTPRequest, _ bodyFile: RequestBodyFile?, since start: DispatchTime
  ) async throws(HTTPTransportError) -> HTTPResponse {
    do {
      return try await sendOnce(request, bodyFile, since: start)
    } catch  where error.code == .connectionLost && request.isIdempotent {
      return try await sendOnce(request, bodyFile, since: start)
    }
  }

  private func sendOnce(
    _ request: HTTPRequest, _ bodyFile: RequestBodyFile?, since start: DispatchTime
  ) async throws(HTTPTransportError) -> HTTPResponse {
    guard !Task.isCancelled else { throw .cancelled }
    let exchange = HTTPTransfer(
      request, bodyFile: bodyFile, since: start,
      limits: UnreadLimits(memory: options.unreadLimit, disk: options.unreadFileLimit))
    let urlRequest = try URLRequest(request)
    let task =
      bodyFile?.task(for: urlRequest, in: session) ?? session.dataTask(with: urlRequest)
    exchanges.add(exchange, for: task)
    exchange.start(task)
    let head = try await exchange.head()
    return HTTPResponse(
      status: head.status, headers: head.headers,
      body: HTTPBody(source: URLSessionBody(exchange)))
  }
}

extension HTTPRequest {
  /// Puts a streamed body into memory if it is small, else on disk.
  fileprivate mutating func bodyFile() async throws(HTTPTransportError) -> RequestBodyFile? {
    guard let streamedBody else { return nil }
    // What cannot be sent is not worth a copy.
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
    guard let scheme = request.url.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let host = request.url.host(), !host.isEmpty
    else {
      throw HTTPTransportError(.invalidRequest, "An absolute http or https URL is needed.")
    }
    if let name = request.headers.firstInvalidName {
      throw HTTPTransportError(.invalidRequest, "The header field \"\(name)\" is not valid.")
    }
    self.init(url: request.url)
    httpMethod = request.method.rawValue
    // The exchange has timers of its own; this one must never be the first.
    timeoutInterval = 365 * 24 * 3600
    for field in request.headers where !field.frames {
      addValue(field.value, forHTTPHeaderField: field.name)
    }
    if !request.body.isEmpty { httpBody = Data(request.body) }
  }
}

extension HTTPHeaders.Field {
  /// Whether it says where the body ends, which is not the caller's to say: Linux would believe it.
  fileprivate var frames: Bool { isNamed("content-length") || isNamed("transfer-encoding") }
}

extension HTTPResponse {
  /// Where to send the same request instead, if that is harmless.
  fileprivate func redirect(of request: HTTPRequest) -> URL? {
    let isSafe = request.method == .get || request.method.rawValue == "HEAD"
    switch status {
    case 307, 308: break
    case 301...303 where isSafe: break
    default: return nil
    }
    guard let location = headers["location"],
      let url = URL(string: location, relativeTo: request.url)?.absoluteURL,
      url.host()?.lowercased() == request.url.host()?.lowercased(), url.user() == request.url.user()
    else { return nil }
    switch (request.url.scheme?.lowercased(), url.scheme?.lowercased()) {
    case ("http", "http"), ("https", "https"):
      return url.effectivePort == request.url.effectivePort ? url : nil
    case ("http", "https"):
      return request.url.effectivePort == 80 && url.effectivePort == 443 ? url : nil
    default:
      return nil
    }
  }
}

extension URL {
  fileprivate var effectivePort: Int {
    port ?? (scheme?.lowercased() == "https" ? 443 : 80)
  }
}
