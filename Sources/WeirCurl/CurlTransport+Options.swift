#if os(Linux) || os(macOS)
  public import Foundation

  extension CurlTransport {
    /// The settings that apply to all requests of a transport.
    public struct Options: Sendable {
      /// The maximum number of connections to one host; 0 for no limit. Further requests wait. Each
      /// event stream over HTTP/1.1 occupies one. The hosts that are reached by `http` through one proxy share the
      /// limit, because libcurl counts the connections to the proxy. Default 64.
      public var connectionsPerHost = 64
      /// The maximum number of unread bytes of one body. Beyond it, the response is paused. Over HTTP/2
      /// with a libcurl before 8.1, the transport goes on receiving, and the response fails beyond
      /// 32 MiB. Default 1 MiB.
      public var unreadLimit = 1 << 20
      /// The maximum number of redirects to follow; 0 for none. Default 5.
      public var redirectLimit = 5
      /// The time limit to find the host and to connect to it, TLS and proxies included; nil for
      /// libcurl's own, 5 minutes. Default 30 seconds.
      public var connectTimeout: Duration? = .seconds(30)
      /// How long a connection may have been idle to be used again. Below a second, each is closed after its
      /// response. Default 50 seconds.
      ///
      /// Servers and balancers close connections that are idle. A request that meets such a connection in
      /// that moment is sent again if it is idempotent; a mutation fails with `connectionLost`, because
      /// nobody knows whether the server has performed it. So choose less than the server's own limit,
      /// which is 60 seconds of AWS's balancers, 75 of nginx, and 5 of Node. A server that announces its limit
      /// (`Keep-Alive: timeout=5`, as Node does) is believed: its connections are used again only for a second
      /// less, and never for longer than this limit. A request to it also closes connections to other hosts that were
      /// idle for that long, so such a server may deserve a transport of its own. Fractions of a second do not
      /// count.
      public var idleConnectionLimit: Duration = .seconds(50)
      /// The age from which a connection begins no further request, at least a second; nil for libcurl's own
      /// limit: none before libcurl 8.17, a day from then on. Default nil.
      ///
      /// A new connection asks for the host's addresses again. So set it, such as to five minutes, if the name
      /// of the host moves to other machines. A connection over HTTP/2 on which requests always run is not
      /// replaced before it is idle.
      public var connectionLifetime: Duration?
      /// Whether to use HTTP/2 with servers that offer it over TLS. Default true.
      public var usesHTTP2 = true
      /// The proxy. By default that of the environment.
      public var proxy = Proxy.environment
      /// The file of a Unix domain socket to connect to, instead of the host and the port of each URL, as of a
      /// proxy or router that runs beside the program; nil for none. Then no proxy is used. The URL still
      /// names the host for the field `Host` and for the server's certificate. Default nil.
      public var unixSocket: URL?
      /// The settings of secure connections.
      public var tls = TLS()

      /// Makes the default settings.
      public init() {}
    }

    /// The proxy that a transport uses.
    public enum Proxy: Hashable, Sendable {
      /// The environment variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` decide.
      case environment
      /// No proxy is used, even if the environment names one.
      case none
      /// The proxy's URL for all hosts, with a user and a password if it needs them, such as
      /// `http://user:password@proxy.example:3128`. The schemes are `http`, `https`, `socks4`,
      /// `socks4a`, `socks5`, and `socks5h`, which lets the proxy find the host.
      case url(String)
    }

    /// The settings of secure connections. Certificates are always verified.
    public struct TLS: Hashable, Sendable {
      /// A client's certificate and its key, as files in PEM format.
      public struct Identity: Hashable, Sendable {
        /// The certificate, followed by the intermediate ones.
        public var certificate: URL
        /// The private key.
        public var privateKey: URL
        /// The password of the private key; nil if it has none.
        public var password: String?

        /// Makes an identity of two files, which are read when a connection is made.
        public init(certificate: URL, privateKey: URL, password: String? = nil) {
          self.certificate = certificate
          self.privateKey = privateKey
          self.password = password
        }
      }

      /// A file with the certificates of the authorities to trust, in PEM format, instead of those of the
      /// system; nil for those of the system.
      public var certificateAuthorities: URL?
      /// The public keys to accept, as `sha256//` and the Base64 form of a key's SHA-256 digest; empty
      /// for any. The certificate must be trusted as well.
      public var pinnedPublicKeys: [String] = []
      /// The certificate with which this client identifies itself; nil for none.
      public var clientCertificate: Identity?

      /// Makes the default settings.
      public init() {}
    }
  }
#endif
