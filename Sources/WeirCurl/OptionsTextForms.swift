#if os(Linux) || os(macOS)
  import Foundation
  import Weir

  // Text forms without credentials: what interpolation and `dump` of the options show.

  extension CurlTransport.Proxy: CustomStringConvertible, CustomReflectable {
    /// The kind of proxy; of a URL, neither user nor password.
    public var description: String {
      switch self {
      case .environment: "environment"
      case .none: "none"
      case .url(let text):
        // Without a scheme, a user and a password look like parts of a path.
        URL(string: text).flatMap { $0.host() == nil ? nil : $0.textWithoutSecrets }
          ?? "(no valid URL)"
      }
    }

    /// The description.
    public var customMirror: Mirror {
      Mirror(self, children: ["proxy": description], displayStyle: .enum)
    }
  }

  extension CurlTransport.TLS.Identity: CustomReflectable {
    /// The files, and whether the key has a password.
    public var customMirror: Mirror {
      Mirror(
        self,
        children: [
          "certificate": certificate, "privateKey": privateKey,
          "password": password == nil ? "none" : "set",
        ], displayStyle: .struct)
    }
  }
#endif
