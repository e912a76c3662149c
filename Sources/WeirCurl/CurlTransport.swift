#if os(Linux) || os(macOS)
  import Dispatch
  public import Weir

  /// Sends HTTP requests with the system's libcurl, on Linux and macOS.
  ///
  /// Use it in servers and tools on Linux. `URLSession` is a layer over libcurl there, which ends the
  /// process on some malformed responses, misreports errors behind an HTTPS proxy, and cannot pause a
  /// response; see `URLSessionTransport`. On macOS, use it if you want the same behaviour on both
  /// systems.
  ///
  /// ```swift
  /// let client = GraphQLClient([.dedup, .documentCache, .fetch(url, transport: .curl)])
  /// ```
  ///
  /// Each transport has one thread, which starts with the first request, and one pool of connections:
  /// share it. ``shared`` serves the whole process. A transport that is released finishes its running
  /// requests, and then ends its thread; ``close()`` ends both at once, and
  /// ``finish(within:)`` in between.
  ///
  /// ### Behaviour
  /// - **Redirects** are followed as by `URLSessionTransport`: at most five, if the request stays
  ///   the same and goes to the same origin, or from `http` to `https` of the same host. Any other
  ///   redirect is returned as a response.
  /// - **Time limits** are those of the request; redirects and a second attempt count towards them.
  ///   ``Options/connectTimeout`` limits the time to connect.
  /// - **A connection that is lost** before the head of the response has arrived leads to a second
  ///   attempt on a new connection if the request is idempotent. Other requests with a body are never
  ///   sent twice.
  /// - **Streamed request bodies** are read while they are sent, in chunks of 64 KiB, with their
  ///   length. Nothing is copied to disk.
  /// - **Response bodies that are read slowly** are paused, so that the server stops sending. Beyond
  ///   ``Options/unreadLimit``, what libcurl reads from the connection at once is kept: over HTTP/1.1
  ///   16 KiB, or what they contain if the response is compressed, up to
  ///   `HTTPRequest.responseBodyLimit`.
  /// - **Compressed responses** are decompressed, in all formats that the system's libcurl knows, and
  ///   no further than they are read or allowed: a body that inflates to gigabytes delays no other
  ///   request.
  /// - **Errors** have a ``CurlError`` as their underlying error. A proxy that refuses to connect is
  ///   `proxyRefused`, or `cannotConnect` if the next attempt may succeed.
  /// - **Cookies, caches and passwords**: there are none. Set the header fields that you need.
  public final class CurlTransport: HTTPTransport {
    /// The transport that clients of this process can share.
    public static let shared = CurlTransport()

    let loop: CurlLoop

    /// Makes a transport with a thread and connections of its own.
    public init(options: Options = Options()) {
      loop = CurlLoop(options)
    }

    deinit {
      loop.end(.finishing)
    }

    /// Ends all requests, with the error `closed`, and then the thread and all connections.
    ///
    /// Returns when the memory and the descriptors are freed. Later requests fail with `closed`.
    public func close() async {
      loop.end(.closing)
      await loop.waitForEnd()
    }

    /// Lets the running requests end, and then closes the transport, as a server does before it ends.
    ///
    /// Later requests fail with `closed`. So do redirects and second attempts of running ones. Event
    /// streams, and all other requests with neither a `responseBodyLimit` nor a `timeout`, end at once with `closed`;
    /// WebSockets are closed with the code 1001, for which their servers have three seconds.
    ///
    /// A mutation goes on after its caller was cancelled. ``close()`` would cut it, although the server may
    /// have performed it.
    ///
    /// Returns when the memory and the descriptors are freed.
    ///
    /// - Parameter limit: When to end the requests that still run, as ``close()`` does. If the task is
    ///   cancelled, they end at once.
    public func finish(within limit: Duration) async {
      loop.end(.draining)
      let closing = Task { [loop] in
        // Ends early if this task is cancelled.
        try? await ContinuousClock().wait(for: limit)
        loop.end(.closing)
      }
      await withTaskCancellationHandler {
        await loop.waitForEnd()
      } onCancel: {
        closing.cancel()
      }
      closing.cancel()
    }

    /// Sends one request; see `HTTPTransport.send(_:)`.
    ///
    /// - Throws: Only `HTTPTransportError`.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      let start = DispatchTime.now()
      try request.check()
      return try await request.sending(following: loop.options.redirectLimit) {
        (request, isSecond) throws(HTTPTransportError) in
        try await sendOnce(request, isSecond: isSecond, since: start)
      }
    }

    private func sendOnce(
      _ request: HTTPRequest, isSecond: Bool, since start: DispatchTime
    ) async throws(HTTPTransportError) -> HTTPResponse {
      guard !Task.isCancelled else { throw .cancelled }
      let transfer = HTTPTransfer(
        request, since: start, limits: UnreadLimits(memory: loop.options.unreadLimit))
      let task = CurlTask(isSecond: isSecond, transfer: transfer, loop: loop)
      transfer.start(task, isQueued: true)
      guard loop.submit(.start(task, request)) else {
        transfer.end(with: .closed)
        throw .closed
      }
      return try await transfer.response()
    }
  }

  extension HTTPTransport where Self == CurlTransport {
    /// The ``CurlTransport`` that the clients of this process share.
    public static var curl: CurlTransport { .shared }
  }
#endif
