#if os(Linux) || os(macOS)
  import CCurl
  import Foundation
  import Weir

  /// One running request. Only the thread of its transport uses it.
  final class CurlRequest {
    /// The key under which the worker keeps this request.
    let key: ObjectIdentifier
    let transfer: HTTPTransfer
    let handle: RequestHandle
    private let body: RequestBody?
    private let isIdempotent: Bool
    /// The length of the request's body, if the response is a stream of events.
    private let streamedAfter: Int?
    private var head = ResponseHead()
    private var hasHead = false
    private var isSwitching = false
    /// How many bytes of the response are to come while the request's body is being sent; nil if that is
    /// unknown.
    private var rest: Int64?
    private var isReceivingPaused = false
    private var isDropped = false
    private var hasTooManyFields = false
    /// How often libcurl has begun to send the request.
    private var sendings = 0
    private var isLost = false
    private var arrivals = Arrivals()
    private let deliveries: Deliveries
    /// Called when the head has arrived, with whether the connection carries many requests, and for how many
    /// seconds it may be idle if the server says that.
    private let noteHead: (_ sharesConnection: Bool, _ idleSeconds: Int?) -> Void
    private var isNoted = false

    /// Prepares a request. It is a second attempt if the connection of the first one was lost. `body` is
    /// nil if libcurl copies the body, and `idleSeconds` is for how long the connection may have been idle.
    init(
      _ request: HTTPRequest, key: ObjectIdentifier, isSecond: Bool, transfer: HTTPTransfer,
      body: RequestBody?, handle: RequestHandle, deliveries: Deliveries, idleSeconds: Int,
      noteHead: @escaping (_ sharesConnection: Bool, _ idleSeconds: Int?) -> Void
    ) {
      self.key = key
      self.transfer = transfer
      self.body = body
      self.handle = handle
      self.deliveries = deliveries
      self.noteHead = noteHead
      isIdempotent = request.isIdempotent
      streamedAfter = request.isLongLived ? request.bodyLength : nil
      mayLast = request.mayLast
      handle.easy.set(CURLOPT_URL, request.url.absoluteString)
      handle.easy.setMethod(request)
      handle.easy.setBuffers(request)
      handle.easy.setReuse(idleSeconds: idleSeconds, isSecond: isSecond)
      handle.setHeaders(of: request)
      setFunctions()
    }

    /// Proof: the context is this object, unretained. The worker keeps it until it has removed the
    /// handle, and libcurl calls the functions only while it performs a handle that was added.
    private func setFunctions() {
      let context = Unmanaged.passUnretained(self).toOpaque()
      for option in [
        CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_READDATA, CURLOPT_PREREQDATA,
        CURLOPT_PRIVATE,
      ] {
        weir_curl_set_pointer(handle.easy.pointer, option, context)
      }
    }

    /// The request of a handle or of a function's context.
    static func from(_ context: UnsafeMutableRawPointer?) -> CurlRequest? {
      context.map { Unmanaged<CurlRequest>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: libcurl's events

    /// Whether libcurl may send the request. It would send any request again if the connection that it
    /// used was closed meanwhile; only an idempotent one may reach a server twice.
    func maySend() -> Bool {
      sendings += 1
      let isSafe = sendings == 1 || handle.easy.info(CURLINFO_REQUEST_SIZE) == 0
      isLost = !isSafe && !(isIdempotent && sendings == 2)
      return !isLost
    }

    func receivedHeader(_ line: UnsafeRawBufferPointer) -> Bool {
      if isDropped { return false }
      if hasHead {
        // A trailer field. Nobody reads it, but libcurl keeps it.
        hasTooManyFields = !head.allows(line)
        if hasTooManyFields { abandon() }
        return !hasTooManyFields
      }
      switch head.add(line) {
      case .none:
        transfer.noteProgress()
        return true
      case .tooLarge:
        hasTooManyFields = true
        abandon()
        return false
      case .end(let headers):
        let head = HTTPTransfer.Head(
          status: handle.easy.info(CURLINFO_RESPONSE_CODE), headers: headers)
        guard !head.isInterim else {
          transfer.noteProgress()
          return true
        }
        hasHead = true
        noteConnection(headers)
        if let streamedAfter { handle.freeRequest(bodyLength: streamedAfter) }
        isSwitching = head.status == 101
        reportSent()
        arrivals.add(head, expecting: headers.contentLength)
        note()
        if headers["content-encoding"] == nil, headers["transfer-encoding"] == nil,
          headers.contentLength >= 0
        {
          rest = headers.contentLength
        }
        // After a 101 the connection speaks another protocol: the response ends here.
        guard isSwitching || isAnsweredEarly else { return true }
        abandon()
        return false
      }
    }

    private func noteConnection(_ headers: HTTPHeaders) {
      let sharesConnection = sharesConnection
      // The server may close the connection at any moment after its time. The last second is for its
      // message on the way. Over HTTP/2, the field means nothing (RFC 9113, section 8.2.2).
      let seconds = sharesConnection ? nil : headers.keepAliveSeconds.map { max(0, $0 - 1) }
      if seconds == 0 { handle.easy.set(CURLOPT_FORBID_REUSE, true) }
      noteHead(sharesConnection, seconds)
    }

    /// Prepares for the end of the request by this side.
    private func abandon() {
      // libcurl 7.88 would keep an HTTP/2 connection that no other request uses, but tell the server
      // only with the next request that nobody reads the response any more.
      handle.easy.set(CURLOPT_FORBID_REUSE, true)
    }

    func receivedBody(_ chunk: UnsafeRawBufferPointer) -> Bool {
      if isDropped { return false }
      note()
      rest? -= Int64(chunk.count)
      let goesOn = arrivals.add(chunk, for: transfer)
      // At once: libcurl reads up to a hundred buffers in one turn, and each may inflate a thousandfold.
      if !isReceivingPaused { update() }
      if goesOn, !isAnsweredEarly { return true }
      abandon()
      return false
    }

    /// Whether the response is complete although the request's body is not sent yet. libcurl would go on
    /// sending to a server that may not read it.
    private var isAnsweredEarly: Bool {
      guard rest == 0, let body else { return false }
      return handle.easy.sentBodyBytes < body.length
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
      reportSent()
      let count = body?.read(into: buffer) ?? 0
      if count == Int(CURL_READFUNC_ABORT) { abandon() }
      return count
    }

    private func reportSent() {
      guard let body else { return transfer.noteProgress() }
      transfer.sent(body.sentBytes)
    }

    /// Whether libcurl has sent the request only once. Its handle counts the other times, and refuses to
    /// send further requests again at some point.
    var wasSentOnce: Bool { sendings == 1 }

    private func note() {
      if !isNoted { deliveries.note(self) }
      isNoted = true
    }

    // MARK: The worker's events

    /// Passes the parts that have arrived to the transfer.
    func deliver() {
      isNoted = false
      arrivals.deliver(to: transfer)
    }

    /// Pauses or resumes as the reader of the body needs it. If a pause would hold back other
    /// responses, the transport goes on receiving, and the response fails if it is not read.
    func update() {
      guard transfer.isSuspended != isReceivingPaused else { return }
      if CurlLibrary.pausesWholeConnections, sharesConnection {
        transfer.endIfUnread(exceeds: Self.sharedUnreadLimit)
      } else {
        isReceivingPaused.toggle()
        pause()
      }
    }

    /// The maximum number of unread bytes of a response that cannot be paused.
    private static let sharedUnreadLimit = 32 << 20

    /// Whether the request may last for ever.
    let mayLast: Bool

    /// Whether the connection carries many requests. Unknown before the response.
    private var sharesConnection: Bool {
      handle.easy.info(CURLINFO_HTTP_VERSION) >= Int(CURL_HTTP_VERSION_2_0)
    }

    /// Identifies the connection, by its local port, if other requests may share it; otherwise nil.
    var sharedConnection: Int? {
      let version = handle.easy.info(CURLINFO_HTTP_VERSION)
      let port = handle.easy.info(CURLINFO_LOCAL_PORT)
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
      if body?.supply(result) == true { pause() }
    }

    private func pause() {
      var directions = CURLPAUSE_CONT
      if isReceivingPaused { directions |= CURLPAUSE_RECV }
      if body?.isAwaited == true { directions |= CURLPAUSE_SEND }
      curl_easy_pause(handle.easy.pointer, directions)
    }

    /// Prepares for the removal of a request that has not ended. Nothing more is received.
    func drop() {
      isDropped = true
      abandon()
    }

    /// Notes the end of the request, after which the handle is free.
    func ended(with code: CURLcode) {
      arrivals.add(end(with: code))
      note()
    }

    private func end(with code: CURLcode) -> Arrivals.End {
      if let upload = body?.error {
        let error = HTTPTransportError(.invalidRequest, upload.description, underlying: upload)
        return .failed { _ in error }
      }
      if hasTooManyFields { return .failed { _ in .tooManyFields } }
      if isLost {
        return .failed { _ in .lost("The connection was closed before the response began.") }
      }
      if isSwitching || code == CURLE_WRITE_ERROR && isAnsweredEarly { return .complete }
      guard code == CURLE_OK else { return failure(code) }
      // libcurl accepts a response that ends within its head.
      if hasHead { return .complete }
      return .failed { _ in
        .lost("The connection was closed before the response's head was complete.")
      }
    }

    private func failure(_ code: CURLcode) -> Arrivals.End {
      let message = handle.easy.message(of: code)
      let connectStatus = handle.easy.info(CURLINFO_HTTP_CONNECTCODE)
      let systemError = handle.easy.info(CURLINFO_OS_ERRNO)
      return .failed {
        HTTPTransportError(
          code, message, headArrived: $0, connectStatus: connectStatus, systemError: systemError)
      }
    }
  }
#endif
