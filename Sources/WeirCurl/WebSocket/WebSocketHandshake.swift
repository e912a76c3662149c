#if os(Linux) || os(macOS)
  import Foundation
  package import Weir

  /// The opening handshake of a WebSocket (RFC 6455, section 4.1), without any input or output of
  /// its own.
  package struct WebSocketHandshake: Sendable {
    /// The bytes to send.
    package let request: [UInt8]
    private let acceptance: String
    private let subprotocol: String
    private var line: [UInt8] = []
    private var statusLine: String?
    private var head = ResponseHead()

    /// Prepares a handshake. `host` is the value of the field `Host`, and `target` the path with the
    /// query. Fields that belong to the handshake itself are left out of `headers`.
    package init(
      host: String, target: String, headers: HTTPHeaders, subprotocol: String,
      key: [UInt8] = (0..<16).map { _ in .random(in: 0...255) }
    ) {
      let key = Data(key).base64EncodedString()
      acceptance = Self.acceptance(of: key)
      self.subprotocol = subprotocol
      var fields = headers
      fields["Host"] = headers["host"] ?? host
      fields["User-Agent"] = headers["user-agent"] ?? CurlLibrary.userAgent
      for name in Self.ownNames { fields[name] = nil }
      var text = "GET \(target) HTTP/1.1\r\n"
      for field in fields { text += "\(field.name): \(field.value)\r\n" }
      text += "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
      text += "Sec-WebSocket-Key: \(key)\r\nSec-WebSocket-Protocol: \(subprotocol)\r\n\r\n"
      request = Array(text.utf8)
    }

    private static let ownNames = [
      "upgrade", "connection", "content-length", "transfer-encoding", "sec-websocket-version",
      "sec-websocket-key", "sec-websocket-protocol", "sec-websocket-extensions",
    ]

    /// The value of `Sec-WebSocket-Accept` that belongs to a key.
    package static func acceptance(of key: String) -> String {
      Data(sha1(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))).base64EncodedString()
    }

    /// Takes the bytes of the server's response from `input`.
    ///
    /// - Returns: Whether the WebSocket is open; what is left of `input` are frames.
    /// - Throws: An `OperationError` with an `HTTPStatusError` if the server refuses; otherwise
    ///   `HTTPTransportError`.
    mutating func receive(_ input: inout ArraySlice<UInt8>) throws -> Bool {
      while let byte = input.popFirst() {
        line.append(byte)
        guard line.count <= ResponseHead.limit else { throw HTTPTransportError.tooManyFields }
        guard byte == UInt8(ascii: "\n") else { continue }
        if try receivedLine() { return true }
      }
      return false
    }

    private mutating func receivedLine() throws -> Bool {
      defer { line = [] }
      if statusLine == nil { statusLine = String(decoding: line, as: UTF8.self) }
      switch line.withUnsafeBytes({ head.add($0) }) {
      case .none: return false
      case .tooLarge: throw HTTPTransportError.tooManyFields
      case .end(let headers):
        let status = try status()
        statusLine = nil
        if (100..<200).contains(status), status != 101 { return false }
        try check(status, headers)
        return true
      }
    }

    private func status() throws -> Int {
      let parts = (statusLine ?? "").split(separator: " ", maxSplits: 2)
      guard parts.count >= 2, parts[0] == "HTTP/1.1" || parts[0] == "HTTP/1.0",
        let status = Int(parts[1].trimmingCharacters(in: .whitespacesAndNewlines))
      else { throw HTTPTransportError(.badResponse, "The response is not HTTP/1.1.") }
      return status
    }

    private func check(_ status: Int, _ headers: HTTPHeaders) throws {
      guard status == 101 else {
        throw OperationError.socketRefused(status: status, headers: headers)
      }
      func has(_ token: String, _ name: String) -> Bool {
        headers[name, default: ""].split(separator: ",").contains {
          $0.trimmingCharacters(in: .whitespaces).lowercased() == token
        }
      }
      guard has("websocket", "upgrade"), has("upgrade", "connection"),
        headers["sec-websocket-accept"] == acceptance
      else { throw Self.bad("is not one to a WebSocket") }
      guard headers["sec-websocket-extensions"] == nil else {
        throw Self.bad("chooses an extension, although none was offered")
      }
      guard headers["sec-websocket-protocol", default: subprotocol] == subprotocol else {
        throw Self.bad("chooses a subprotocol that was not offered")
      }
    }

    private static func bad(_ defect: String) -> HTTPTransportError {
      HTTPTransportError(.badResponse, "The server's response to the handshake \(defect).")
    }
  }

  extension HTTPHeaders {
    fileprivate subscript(name: String, default value: String) -> String { self[name] ?? value }
  }
#endif
