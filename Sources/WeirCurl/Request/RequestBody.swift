#if os(Linux) || os(macOS)
  import CCurl
  import Dispatch
  import Weir

  /// The body of a request, which libcurl's thread reads.
  ///
  /// Bytes in memory are copied as libcurl asks for them. Files are read on another queue, one chunk
  /// ahead, because a slow disk must not stop the other requests of the thread.
  final class RequestBody {
    private enum Next {
      /// The reader works. libcurl has stopped asking if `isAwaited`.
      case reading(isAwaited: Bool)
      case chunk([UInt8])
      case end
      case failed(UploadError)
    }

    let length: Int
    private(set) var error: UploadError?
    private var chunk: [UInt8]
    /// The number of bytes of `chunk` that were read.
    private var offset = 0
    private var next = Next.end
    private var sent = 0
    private let readNext: (@Sendable () -> Void)?

    /// `supply` is called on another queue with each chunk of a streamed body, and nil at its end.
    init(
      _ request: HTTPRequest,
      supply: @escaping @Sendable (Result<[UInt8]?, UploadError>) -> Void
    ) {
      length = request.bodyLength
      guard let body = request.streamedBody else {
        (chunk, readNext) = (request.body, nil)
        return
      }
      chunk = []
      // One call at a time uses the reader: the next one begins when libcurl has taken the chunk.
      let reader = Locked(body.makeReader())
      readNext = {
        readingQueue.async {
          supply(
            Result { () throws(UploadError) in
              try reader.withLock { reader throws(UploadError) in try reader.next() }
            })
        }
      }
      next = .reading(isAwaited: false)
      readNext?()
    }

    /// Copies the next bytes to a buffer of libcurl.
    ///
    /// Proof: the buffer is libcurl's, valid during the call; `count` is at most its size and what is
    /// left of the chunk.
    ///
    /// - Returns: The number of bytes, 0 at the end, or one of libcurl's signals.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
      if offset == chunk.count {
        switch next {
        case .reading:
          next = .reading(isAwaited: true)
          return Int(CURL_READFUNC_PAUSE)
        case .end: return 0
        case .failed(let error):
          self.error = error
          return Int(CURL_READFUNC_ABORT)
        case .chunk(let chunk):
          (self.chunk, offset) = (chunk, 0)
          next = .reading(isAwaited: false)
          readNext?()
        }
      }
      let count = min(buffer.count, chunk.count - offset)
      chunk.withUnsafeBytes { bytes in
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)]))
      }
      offset += count
      sent += count
      return count
    }

    /// Notes the next chunk of a streamed body.
    ///
    /// - Returns: Whether libcurl waits for it.
    func supply(_ result: Result<[UInt8]?, UploadError>) -> Bool {
      guard case .reading(let isAwaited) = next else { return false }
      next =
        switch result {
        case .success(let chunk?): .chunk(chunk)
        case .success(nil): .end
        case .failure(let error): .failed(error)
        }
      return isAwaited
    }

    /// Whether libcurl waits for bytes.
    var isAwaited: Bool {
      if case .reading(isAwaited: true) = next { true } else { false }
    }

    /// The number of bytes that libcurl has taken.
    var sentBytes: Int { sent }
  }

  private let readingQueue = DispatchQueue(
    label: "weir.curl.files", qos: .utility, attributes: .concurrent)
#endif
