#if os(Linux) || os(macOS)
  import CCurl
  import Foundation
  import Weir

  extension EasyHandle {
    /// Sets what is the same for all requests of a transport. Throws if the system's libcurl cannot do
    /// what the options ask for.
    func apply(_ options: CurlTransport.Options) throws(HTTPTransportError) {
      set(CURLOPT_NOSIGNAL, true)
      weir_curl_allow_http_only(pointer)
      weir_curl_end_quickly(pointer)
      weir_curl_keep_from_children(pointer)
      // The heads of a proxy's answers to CONNECT are not the response's.
      set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
      // All encodings that this libcurl knows.
      set(CURLOPT_ACCEPT_ENCODING, "")
      set(CURLOPT_USERAGENT, CurlLibrary.userAgent)
      set(CURLOPT_TCP_KEEPALIVE, true)
      let version = options.usesHTTP2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1
      set(CURLOPT_HTTP_VERSION, Int(version))
      if let timeout = options.connectTimeout {
        // A libcurl before 7.87 ignores a larger number.
        set(CURLOPT_CONNECTTIMEOUT_MS, Int(max(1, min(timeout.milliseconds, Int64(Int32.max)))))
      }
      if let lifetime = options.connectionLifetime {
        set(CURLOPT_MAXLIFETIME_CONN, max(1, lifetime.wholeSeconds))
      }
      switch options.proxy {
      case .environment: break
      case .none: set(CURLOPT_PROXY, "")
      case .url(let url):
        // libcurl would use no proxy.
        guard !url.isEmpty else {
          throw HTTPTransportError(
            .invalidRequest,
            "The URL of the proxy is empty. CurlTransport.Proxy.none means no proxy.")
        }
        try require(CURLOPT_PROXY, url, "proxy")
        // Otherwise the environment could name hosts that are reached without it.
        set(CURLOPT_NOPROXY, "")
      }
      if let socket = options.unixSocket {
        try require(
          CURLOPT_UNIX_SOCKET_PATH, socket.path(percentEncoded: false), "unixSocket")
        set(CURLOPT_PROXY, "")
      }
      try apply(options.tls)
    }

    private func apply(_ tls: CurlTransport.TLS) throws(HTTPTransportError) {
      if let bundle = tls.certificateAuthorities {
        let file = bundle.path(percentEncoded: false)
        try require(CURLOPT_CAINFO, file, "certificateAuthorities")
        set(CURLOPT_PROXY_CAINFO, file)
        // Otherwise the authorities in the system's folder would be trusted, too.
        set(CURLOPT_CAPATH, nil)
        set(CURLOPT_PROXY_CAPATH, nil)
      } else if case .file(let file) = Authorities.current {
        set(CURLOPT_CAINFO, file)
        set(CURLOPT_PROXY_CAINFO, file)
      }
      if !tls.pinnedPublicKeys.isEmpty {
        // libcurl would take any other text for the name of a file.
        guard tls.pinnedPublicKeys.allSatisfy({ $0.hasPrefix("sha256//") }) else {
          throw HTTPTransportError(
            .insecure, "Each of CurlTransport.TLS.pinnedPublicKeys must begin with sha256//.")
        }
        try require(
          CURLOPT_PINNEDPUBLICKEY, tls.pinnedPublicKeys.joined(separator: ";"), "pinnedPublicKeys")
      }
      if let identity = tls.clientCertificate {
        try require(
          CURLOPT_SSLCERT, identity.certificate.path(percentEncoded: false), "clientCertificate")
        try require(
          CURLOPT_SSLKEY, identity.privateKey.path(percentEncoded: false), "clientCertificate")
        // Without any, OpenSSL would ask for the password of an encrypted key on the terminal.
        try require(CURLOPT_KEYPASSWD, identity.password ?? "", "clientCertificate")
      }
    }

    private func require(
      _ option: CURLoption, _ value: String, _ name: String
    ) throws(HTTPTransportError) {
      guard weir_curl_set_text(pointer, option, value) == CURLE_OK else {
        throw HTTPTransportError(
          .insecure, "The system's libcurl does not support CurlTransport's option \(name).")
      }
    }

    /// Sets which connections the request may use, and whether a later request may use its own.
    ///
    /// - Parameters:
    ///   - idleSeconds: For how long a connection may have been idle. libcurl closes those of other hosts,
    ///     too, that were idle for longer: it has one limit for all connections of a transport. They lose a
    ///     handshake.
    ///   - isSecond: Whether the connection of a first attempt was lost.
    func setReuse(idleSeconds: Int, isSecond: Bool) {
      set(CURLOPT_FRESH_CONNECT, isSecond)
      set(CURLOPT_FORBID_REUSE, idleSeconds < 1)
      // An older libcurl ignores the fractions of the time, and a newer one takes 0 for no limit.
      let seconds = CurlLibrary.roundsIdleTimes ? idleSeconds - 1 : idleSeconds
      if idleSeconds > 0 { set(CURLOPT_MAXAGE_CONN, seconds) }
    }

    /// Makes libcurl's buffers smaller if the response is a stream of events: they take memory for as
    /// long as the response lasts, and speed matters for large bodies only.
    func setBuffers(_ request: HTTPRequest) {
      set(CURLOPT_BUFFERSIZE, (request.isLongLived ? 2 : 16) << 10)
      set(CURLOPT_UPLOAD_BUFFERSIZE, (request.isLongLived ? 16 : 64) << 10)
    }

    /// Sets the method, and the body if it is so small that libcurl sends it together with the head. It
    /// asks for the bytes of a larger one.
    func setMethod(_ request: HTTPRequest) {
      let bodyLength = request.bodyLength
      let method = request.method.rawValue
      // What libcurl would send without a method of its own.
      let implied: String
      if bodyLength > 0 || ["POST", "PUT", "PATCH"].contains(method) {
        implied = "POST"
        set(CURLOPT_POST, true)
        set(CURLOPT_POSTFIELDSIZE_LARGE, bytes: bodyLength)
        if request.isBodyCopied { set(CURLOPT_COPYPOSTFIELDS, request.body) }
      } else if method == "HEAD" {
        implied = "HEAD"
        set(CURLOPT_NOBODY, true)
      } else {
        implied = "GET"
        set(CURLOPT_HTTPGET, true)
      }
      set(CURLOPT_CUSTOMREQUEST, method == implied ? nil : method)
    }
  }

  extension Duration {
    /// The seconds, rounded down, as libcurl takes them.
    var wholeSeconds: Int { Int(min(milliseconds / 1_000, Int64(Int32.max))) }
  }

  extension HTTPRequest {
    /// Whether libcurl copies the body, and sends it together with the head.
    var isBodyCopied: Bool { streamedBody == nil && body.count < 64 << 10 }

    var bodyLength: Int { streamedBody?.length ?? body.count }

    /// Whether nothing limits the response, as that of a subscription.
    var mayLast: Bool { responseBodyLimit == nil && timeout == nil }
  }

  extension HeaderList {
    init(of request: HTTPRequest) {
      self.init()
      var hasContentType = false
      // Whether to ask before a body is sent is for the transport to decide.
      for field in request.sentHeaders where !field.isNamed("expect") {
        // A name with a semicolon is libcurl's form of a field with an empty value. It leaves out those
        // of blanks only.
        let isEmpty = field.value.utf8.allSatisfy(isBlank)
        append(isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        if field.isNamed("content-type") { hasContentType = true }
      }
      // Names without a value are fields that libcurl must not add by itself: a form's media type,
      // and for large bodies a question that delays the request by a second if it is not answered.
      if !hasContentType { append("Content-Type:") }
      append("Expect:")
    }
  }
#endif
