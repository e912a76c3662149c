#if os(Linux) || os(macOS)
  import CCurl
  import Weir

  /// A handle for requests of one transport, and the header fields that it sends. Only the thread of the
  /// transport uses it.
  final class RequestHandle {
    let easy: EasyHandle
    private var headers: HTTPHeaders?
    private var list = HeaderList()

    fileprivate init(
      _ options: CurlTransport.Options, sharing share: CurlShare?
    ) throws(HTTPTransportError) {
      easy = try EasyHandle(sharing: share)
      try easy.apply(options)
      setFunctions()
    }

    /// The context of each function is a `CurlRequest`.
    ///
    /// Proof: libcurl calls them with buffers of `size * count` bytes that are valid during the call, and
    /// none of the functions keeps one.
    private func setFunctions() {
      let pointer = easy.pointer
      weir_curl_set_transfer(pointer, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
        let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return CurlRequest.from(context)?.receivedHeader(line) == true ? line.count : 0
      }
      weir_curl_set_transfer(pointer, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
        let chunk = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return CurlRequest.from(context)?.receivedBody(chunk) == true ? chunk.count : 0
      }
      weir_curl_set_transfer(pointer, CURLOPT_READFUNCTION) { bytes, size, count, context in
        let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
        return CurlRequest.from(context)?.read(into: buffer) ?? Int(CURL_READFUNC_ABORT)
      }
      weir_curl_set_before_sending(pointer) { context, _, _, _, _ in
        CurlRequest.from(context)?.maySend() == true ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
      }
      // A body that is read cannot be sent twice.
      weir_curl_set_seek(pointer) { _, _, _ in CURL_SEEKFUNC_FAIL }
    }

    /// Sets the header fields, unless the last request has had the same.
    func setHeaders(of request: HTTPRequest) {
      guard request.headers != headers else { return }
      headers = request.headers
      list = HeaderList(of: request)
      weir_curl_set_list(easy.pointer, CURLOPT_HTTPHEADER, list.first)
    }

    /// Frees the request after the response's head has arrived. The body is freed only if it was sent.
    func freeRequest(bodyLength: Int) {
      if easy.sentBodyBytes >= bodyLength { freeBody() }
      headers = nil
      weir_curl_set_list(easy.pointer, CURLOPT_HTTPHEADER, nil)
      list = HeaderList()
    }
  }

  extension RequestHandle {
    /// Frees libcurl's copy of the body.
    fileprivate func freeBody() {
      weir_curl_set_pointer(easy.pointer, CURLOPT_POSTFIELDS, nil)
    }
  }

  /// The handles of one transport that no request uses. To make one takes longer than a request.
  struct RequestHandles {
    /// The maximum number of unused handles; each takes about 6 KB.
    private static let limit = 64

    private let options: CurlTransport.Options
    private let share = CurlShare(CURL_LOCK_DATA_SSL_SESSION)
    private var unused: [RequestHandle] = []

    init(_ options: CurlTransport.Options) {
      self.options = options
    }

    mutating func take() throws(HTTPTransportError) -> RequestHandle {
      if let handle = unused.popLast() { return handle }
      return try RequestHandle(options, sharing: share)
    }

    /// Takes a handle back after a request without an error.
    mutating func giveBack(_ handle: RequestHandle) {
      guard unused.count < Self.limit else { return }
      handle.freeBody()
      unused.append(handle)
    }
  }
#endif
