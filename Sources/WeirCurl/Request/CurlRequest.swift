#if os(Linux) || os(macOS)
  import CCurl
  import Foundation
  import Weir

  /// One running request. Only the thread of its transport uses it.
  final class CurlRequest {
    /// The key under which the worker keeps this request.
    let key: ObjectIdentifier
    let transfer: HTTPTransfer
    let handle: EasyHandle
    let body: RequestBody
    private let headers: HeaderList
    private var head = ResponseHead()
    private var hasHead = false
    private var isSwitching = false
    private var isReceivingPaused = false
    private var tooLargeHead = false

    /// Prepares a request. It is a second attempt if the connection of the first one was lost.
    init(
      _ request: HTTPRequest, key: ObjectIdentifier, isSecond: Bool, transfer: HTTPTransfer,
      options: CurlTransport.Options, body: RequestBody
    ) throws(HTTPTransportError) {
      self.key = key
      self.transfer = transfer
      self.body = body
      handle = try EasyHandle()
      headers = HeaderList(of: request)
      try handle.apply(options)
      handle.set(CURLOPT_URL, request.url.absoluteString)
      handle.setMethod(request, bodyLength: body.length)
      handle.setBuffer(request)
      weir_curl_set_list(handle.pointer, CURLOPT_HTTPHEADER, headers.first)
      // libcurl would send any request without a body again on a new connection if the one it used
      // was closed meanwhile.
      if isSecond || (!request.isIdempotent && body.length == 0) {
        handle.set(CURLOPT_FRESH_CONNECT, true)
      }
      setFunctions()
    }

    /// Proof: the context is this object, unretained. The worker keeps it until it has removed the
    /// handle, and libcurl calls the functions only while it performs a handle that was added.
    private func setFunctions() {
      let context = Unmanaged.passUnretained(self).toOpaque()
      let pointer = handle.pointer
      for option in [CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_READDATA, CURLOPT_PRIVATE] {
        weir_curl_set_pointer(pointer, option, context)
      }
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
      // A body is not sent twice by libcurl: whether that is safe is for the transport to decide.
      weir_curl_set_seek(pointer) { _, _, _ in CURL_SEEKFUNC_FAIL }
    }

    /// The request of a handle or of a function's context.
    static func from(_ context: UnsafeMutableRawPointer?) -> CurlRequest? {
      context.map { Unmanaged<CurlRequest>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: libcurl's events

    private func receivedHeader(_ line: UnsafeRawBufferPointer) -> Bool {
      // Further lines are trailer fields.
      guard !hasHead else { return true }
      switch head.add(line) {
      case .none:
        transfer.noteProgress()
        return true
      case .tooLarge:
        tooLargeHead = true
        return false
      case .end(let headers):
        let head = HTTPTransfer.Head(status: handle.info(CURLINFO_RESPONSE_CODE), headers: headers)
        guard !head.isInterim else {
          transfer.noteProgress()
          return true
        }
        hasHead = true
        isSwitching = head.status == 101
        reportSent()
        transfer.received(head, expecting: headers.contentLength)
        // After a 101 the connection speaks another protocol: the response ends here.
        return !isSwitching
      }
    }

    private func receivedBody(_ chunk: UnsafeRawBufferPointer) -> Bool {
      guard !transfer.hasEnded else { return false }
      transfer.received([UInt8](chunk))
      return true
    }

    private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
      reportSent()
      return body.read(into: buffer)
    }

    private func reportSent() {
      guard body.length > 0 else { return transfer.noteProgress() }
      transfer.sent(body.sentBytes)
    }

    // MARK: The worker's events

    /// Pauses or resumes as the reader of the body needs it.
    func update() {
      guard transfer.isSuspended != isReceivingPaused else { return }
      isReceivingPaused.toggle()
      pause()
    }

    /// Identifies the connection, by its local port, if other requests may share it; otherwise nil.
    var sharedConnection: Int? {
      let version = handle.info(CURLINFO_HTTP_VERSION)
      let port = handle.info(CURLINFO_LOCAL_PORT)
      // The version is unknown before the response.
      return port > 0 && (version == 0 || version >= Int(CURL_HTTP_VERSION_2_0)) ? port : nil
    }

    /// Whether the request shares a connection, and can make libcurl send what waits there.
    func canFlush(_ connection: Int) -> Bool {
      !isReceivingPaused && sharedConnection == connection
    }

    /// Makes libcurl send what waits on the connection, such as the end of another request: a change
    /// of the pause does that.
    func flush() {
      for _ in 0..<2 {
        isReceivingPaused.toggle()
        pause()
      }
    }

    /// Notes the next chunk of a streamed request body.
    func supply(_ result: Result<[UInt8]?, UploadError>) {
      if body.supply(result) { pause() }
    }

    private func pause() {
      var directions = CURLPAUSE_CONT
      if isReceivingPaused { directions |= CURLPAUSE_RECV }
      if body.isAwaited { directions |= CURLPAUSE_SEND }
      curl_easy_pause(handle.pointer, directions)
    }

    /// Reports the end of the request to its transfer.
    func ended(with code: CURLcode) {
      if let upload = body.error {
        transfer.completed { _ in
          HTTPTransportError(.invalidRequest, upload.description, underlying: upload)
        }
      } else if tooLargeHead {
        transfer.completed { _ in
          HTTPTransportError(
            .badResponse, "The response head has more than \(ResponseHead.limit) bytes.")
        }
      } else if isSwitching {
        transfer.completed()
      } else if code != CURLE_OK {
        transfer.completed { self.error(code, headArrived: $0) }
      } else if hasHead {
        transfer.completed()
      } else {
        // libcurl accepts a response that ends within its head.
        transfer.completed { _ in
          HTTPTransportError(
            .connectionLost, "The connection was closed before the response's head was complete.")
        }
      }
    }

    private func error(_ code: CURLcode, headArrived: Bool) -> HTTPTransportError {
      HTTPTransportError(
        code, handle.message(of: code), headArrived: headArrived,
        connectStatus: handle.info(CURLINFO_HTTP_CONNECTCODE),
        systemError: handle.info(CURLINFO_OS_ERRNO))
    }
  }
#endif
