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
      // The heads of a proxy's answers to CONNECT are not the response's.
      set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
      // All encodings that this libcurl knows.
      set(CURLOPT_ACCEPT_ENCODING, "")
      set(CURLOPT_USERAGENT, CurlLibrary.userAgent)
      set(CURLOPT_TCP_KEEPALIVE, true)
      let version = options.usesHTTP2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1
      set(CURLOPT_HTTP_VERSION, Int(version))
      if let timeout = options.connectTimeout {
        set(CURLOPT_CONNECTTIMEOUT_MS, max(1, timeout.milliseconds))
      }
      switch options.proxy {
      case .environment: break
      case .none: set(CURLOPT_PROXY, "")
      case .url(let url): try require(CURLOPT_PROXY, url, "proxy")
      }
      try apply(options.tls)
    }

    private func apply(_ tls: CurlTransport.TLS) throws(HTTPTransportError) {
      if let bundle = tls.certificateAuthorities {
        try require(CURLOPT_CAINFO, bundle.path(percentEncoded: false), "certificateAuthorities")
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
        if let password = identity.password {
          try require(CURLOPT_KEYPASSWD, password, "clientCertificate")
        }
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

    /// Makes libcurl's buffer for a response smaller if the response is a stream of events: it takes
    /// memory for as long as the response lasts, and speed matters for large bodies only.
    func setBuffer(_ request: HTTPRequest) {
      if request.responseBodyLimit == nil { set(CURLOPT_BUFFERSIZE, 2 << 10) }
    }

    func setMethod(_ request: HTTPRequest, bodyLength: Int) {
      let method = request.method.rawValue
      // What libcurl would send without a method of its own.
      let implied: String
      if bodyLength > 0 || ["POST", "PUT", "PATCH"].contains(method) {
        implied = "POST"
        set(CURLOPT_POST, true)
        set(CURLOPT_POSTFIELDSIZE_LARGE, bytes: bodyLength)
        // Such a request says that its body is empty.
        if bodyLength == 0 { set(CURLOPT_COPYPOSTFIELDS, "") }
      } else if method == "HEAD" {
        implied = "HEAD"
        set(CURLOPT_NOBODY, true)
      } else {
        implied = "GET"
        set(CURLOPT_HTTPGET, true)
      }
      if method != implied { set(CURLOPT_CUSTOMREQUEST, method) }
    }
  }

  extension HeaderList {
    init(of request: HTTPRequest) {
      self.init()
      var hasContentType = false
      for field in request.sentHeaders {
        // A name with a semicolon is libcurl's form of a field with an empty value.
        append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        if field.isNamed("content-type") { hasContentType = true }
      }
      // Names without a value are fields that libcurl must not add by itself: a form's media type,
      // and for large bodies a question that delays the request by a second if it is not answered.
      if !hasContentType { append("Content-Type:") }
      append("Expect:")
    }
  }

  extension Duration {
    fileprivate var milliseconds: Int {
      let (seconds, attoseconds) = components
      return Int(clamping: min(seconds, 1 << 31)) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }
  }
#endif
