import Foundation

extension HTTPRequest: CustomStringConvertible, CustomReflectable {
  /// The method and the URL without password and query items; neither header fields nor the body.
  public var description: String { "\(method.rawValue) \(url.textWithoutSecrets)" }

  /// The request with the names of its header fields, and with the size of its body.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "method": method.rawValue, "url": url.textWithoutSecrets, "headers": headers,
        "body": "\(streamedBody?.length ?? body.count) bytes", "timeout": timeout as Any,
        "idleTimeout": idleTimeout as Any, "responseBodyLimit": responseBodyLimit as Any,
        "isIdempotent": isIdempotent,
      ], displayStyle: .struct)
  }
}

extension HTTPStreamedBody: CustomStringConvertible, CustomReflectable {
  /// The size; not the contents.
  public var description: String { "\(length) bytes in \(segments.count) segments" }

  /// The size.
  public var customMirror: Mirror {
    Mirror(self, children: ["length": length], displayStyle: .struct)
  }
}

extension HTTPBody: CustomStringConvertible, CustomReflectable {
  /// The size, if it is known; not the contents.
  public var description: String {
    length.map { "\($0) bytes" } ?? "a body that arrives in chunks"
  }

  /// The size, if it is known.
  public var customMirror: Mirror {
    Mirror(self, children: ["length": length as Any], displayStyle: .struct)
  }
}

extension HTTPTransportError: CustomReflectable {
  /// Code and message, and only the type of the underlying error.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "code": code, "message": message,
        "underlying": underlying.map { "\(type(of: $0))" } as Any,
      ], displayStyle: .struct)
  }
}
