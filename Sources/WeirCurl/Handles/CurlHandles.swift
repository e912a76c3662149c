#if os(Linux) || os(macOS)
  import CCurl
  package import Weir

  /// One request of libcurl, freed with this value.
  ///
  /// Proof of the pointers: `pointer` comes from `curl_easy_init` and is freed only by `deinit`;
  /// `message` has the size that `CURLOPT_ERRORBUFFER` needs and is freed after it. A value that
  /// cannot be copied has one owner, so no pointer is used after it was freed. The share is released
  /// after that, with the stored properties.
  struct EasyHandle: ~Copyable {
    let pointer: UnsafeMutableRawPointer
    private let message: UnsafeMutablePointer<CChar>
    private let share: CurlShare?

    init(sharing share: CurlShare?) throws(HTTPTransportError) {
      guard CurlLibrary.isReady, let pointer = curl_easy_init() else {
        throw HTTPTransportError(.other, "libcurl has no memory for another request.")
      }
      self.pointer = pointer
      self.share = share
      message = .allocate(capacity: Int(CURL_ERROR_SIZE))
      message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
      weir_curl_set_pointer(pointer, CURLOPT_ERRORBUFFER, message)
      if let share { weir_curl_set_pointer(pointer, CURLOPT_SHARE, share.pointer) }
    }

    deinit {
      curl_easy_cleanup(pointer)
      message.deallocate()
    }

    func set(_ option: CURLoption, _ value: Int) {
      weir_curl_set_long(pointer, option, value)
    }

    func set(_ option: CURLoption, _ value: Bool) {
      weir_curl_set_long(pointer, option, value ? 1 : 0)
    }

    func set(_ option: CURLoption, _ value: String?) {
      weir_curl_set_text(pointer, option, value)
    }

    /// Sets an option that libcurl copies.
    func set(_ option: CURLoption, _ bytes: [UInt8]) {
      // Never nil, which would mean something else than no bytes.
      (bytes.isEmpty ? [0] : bytes).withUnsafeBytes {
        _ = weir_curl_set_text(
          pointer, option, $0.baseAddress?.assumingMemoryBound(to: CChar.self))
      }
    }

    func set(_ option: CURLoption, bytes: Int) {
      weir_curl_set_offset(pointer, option, curl_off_t(bytes))
    }

    func info(_ info: CURLINFO) -> Int {
      var value = 0
      weir_curl_info_long(pointer, info, &value)
      return value
    }

    /// The number of bytes of the request's body that libcurl has sent.
    var sentBodyBytes: Int {
      var count = curl_off_t(0)
      weir_curl_info_offset(pointer, CURLINFO_SIZE_UPLOAD_T, &count)
      return Int(count)
    }

    /// libcurl's message about the last failure of this request.
    func message(of code: CURLcode) -> String {
      let text = message[0] == 0 ? curl_easy_strerror(code) : UnsafePointer(message)
      return text.map { String(cString: $0) } ?? "libcurl reports the error \(code.rawValue)."
    }
  }

  /// Data that several requests of one thread use, freed with this object.
  ///
  /// Proof of the pointer: it comes from `curl_share_init` and is freed only by `deinit`. Each request
  /// that uses it keeps this object until it is freed itself.
  final class CurlShare {
    fileprivate let pointer: UnsafeMutableRawPointer

    /// Makes a share of the TLS sessions, with which further connections to a server begin faster, or of
    /// a cache of connections. Returns nil if memory runs out.
    init?(_ data: curl_lock_data) {
      guard CurlLibrary.isReady, let pointer = curl_share_init() else { return nil }
      self.pointer = pointer
      weir_curl_share(pointer, data)
    }

    deinit {
      curl_share_cleanup(pointer)
    }
  }

  /// Header fields as libcurl takes them, freed with this value.
  ///
  /// Proof of the pointer: it is the list that `curl_slist_append` returned last, and freed only by
  /// `deinit`.
  struct HeaderList: ~Copyable {
    private(set) var first: UnsafeMutablePointer<curl_slist>?

    init() {}

    deinit {
      curl_slist_free_all(first)
    }

    mutating func append(_ line: String) {
      // Only a lack of memory makes this fail.
      if let longer = curl_slist_append(first, line) { first = longer }
    }
  }

  /// The library as a whole.
  package enum CurlLibrary {
    /// Whether libcurl could be initialized, which is done once for the process.
    static let isReady: Bool = {
      let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
      ProcessExit.watch()
      return isReady
    }()

    /// Throws if a version of libcurl is too old, such as 0x07_4C_01 for 7.76.1. A program may run on another
    /// system than the one that it was built on, with an older library of the same name. That would not call
    /// `CurlRequest.maySend`, and so send mutations twice.
    package static func check(version: UInt32) throws(HTTPTransportError) {
      guard version < 0x07_51_00 else { return }
      let parts = [16, 8, 0].map { String(version >> $0 & 0xFF) }
      throw HTTPTransportError(
        .unsupported,
        "WeirCurl needs libcurl 7.81 or later, but this system has \(parts.joined(separator: "."))."
      )
    }

    /// Whether a paused response holds back all others on its HTTP/2 connection, and keeps the thread
    /// busy meanwhile, as before version 8.1.
    package static let pausesWholeConnections = weir_curl_version() < 0x08_01_00

    /// Whether limits of idle times are compared with whole seconds, rounded down, as before version 8.15.
    static let roundsIdleTimes = weir_curl_version() < 0x08_0F_00

    /// The version that runs, for the `User-Agent` header field.
    static let userAgent: String = {
      // Such as "libcurl/7.88.1 OpenSSL/3.0.19 zlib/1.2.13".
      let versions = curl_version().map { String(cString: $0) } ?? "libcurl"
      return "Weir " + versions.prefix { $0 != " " }
    }()
  }
#endif
