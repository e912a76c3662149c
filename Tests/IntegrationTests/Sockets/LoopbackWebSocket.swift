import Foundation
import Weir

/// A minimal WebSocket client for this machine (RFC 6455): just what ``WebSocketTransport`` needs
/// from a socket library.
final class LoopbackWebSocket: TextSocket {
  struct HandshakeFailure: Error, Equatable {
    let status: String
  }

  private let connection: TCPConnection
  private let messages: AsyncThrowingStream<String, any Error>
  /// The payloads of received pongs.
  let pongs: AsyncStream<[UInt8]>

  /// Connects, then reads on a dedicated thread until the connection ends.
  static func connect(
    to url: URL, subprotocol: String = "graphql-transport-ws"
  ) async throws -> LoopbackWebSocket {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        do {
          let connection = try TCPConnection(port: url.port ?? 80)
          let rest = try handshake(on: connection, path: url.path(), subprotocol)
          let (messages, incoming) = AsyncThrowingStream.makeStream(of: String.self)
          let (pongs, pong) = AsyncStream.makeStream(of: [UInt8].self)
          continuation.resume(
            returning: LoopbackWebSocket(connection, messages: messages, pongs: pongs))
          incoming.finish(throwing: read(connection, rest, incoming, pong))
        } catch {
          continuation.resume(throwing: error)
        }
      }
    }
  }

  private init(
    _ connection: TCPConnection, messages: AsyncThrowingStream<String, any Error>,
    pongs: AsyncStream<[UInt8]>
  ) {
    self.connection = connection
    self.messages = messages
    self.pongs = pongs
  }

  deinit {
    connection.shutDown()
  }

  func send(_ text: String) async throws {
    // Sends fragments, because a server must support them.
    try connection.write(WebSocketFrames.message(text, fragmentedAt: 50_000))
  }

  func send(_ opcode: WebSocketFrames.Opcode, _ payload: [UInt8]) throws {
    try connection.write(WebSocketFrames.frame(opcode, payload))
  }

  func receive() async throws -> String {
    for try await message in messages { return message }
    throw CancellationError()
  }

  func close(code: Int, reason: String) async {
    let payload = bigEndian(UInt16(truncatingIfNeeded: code)) + reason.utf8.prefix(123)
    try? send(.close, payload)
  }
}

/// Performs the opening handshake (RFC 6455, section 4.1).
///
/// - Returns: The bytes that follow the server's response.
private func handshake(
  on connection: TCPConnection, path: String, _ subprotocol: String
) throws -> [UInt8] {
  let key = Data((0..<16).map { _ in UInt8.random(in: 0...255) }).base64EncodedString()
  let lines = [
    "GET \(path) HTTP/1.1", "Host: 127.0.0.1", "Upgrade: websocket", "Connection: Upgrade",
    "Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Protocol: \(subprotocol)", "", "",
  ]
  try connection.write(Array(lines.joined(separator: "\r\n").utf8))
  var bytes: [UInt8] = []
  let blank = Array("\r\n\r\n".utf8)
  while bytes.firstRange(of: blank) == nil {
    let more = try connection.read()
    guard !more.isEmpty else { throw LoopbackWebSocket.HandshakeFailure(status: "none") }
    bytes += more
  }
  guard let end = bytes.firstRange(of: blank) else { return [] }
  let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
    .components(separatedBy: "\r\n")
  let accept = head.first { $0.lowercased().hasPrefix("sec-websocket-accept:") }?
    .split(separator: ":")[1].trimmingCharacters(in: .whitespaces)
  guard head[0].hasPrefix("HTTP/1.1 101"), accept == acceptance(of: key) else {
    throw LoopbackWebSocket.HandshakeFailure(status: head[0])
  }
  return Array(bytes[end.upperBound...])
}

/// The value of `Sec-WebSocket-Accept` that belongs to a key.
func acceptance(of key: String) -> String {
  Data(sha1(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))).base64EncodedString()
}

/// Reads until the connection ends.
///
/// - Returns: The reason for the end.
private func read(
  _ connection: TCPConnection, _ first: [UInt8],
  _ incoming: AsyncThrowingStream<String, any Error>.Continuation,
  _ pongs: AsyncStream<[UInt8]>.Continuation
) -> any Error {
  defer {
    pongs.finish()
    connection.shutDown()
  }
  var frames = WebSocketFrames()
  frames.append(first)
  do {
    while true {
      while let event = try frames.next() {
        switch event {
        case .text(let text): incoming.yield(text)
        case .binary: throw WebSocketFrames.Violation(code: 1003, reason: "Only text is expected.")
        case .ping(let payload): try connection.write(WebSocketFrames.frame(.pong, payload))
        case .pong(let payload): pongs.yield(payload)
        case .close(let code, let reason):
          try? connection.write(
            WebSocketFrames.frame(.close, bigEndian(UInt16(truncatingIfNeeded: code ?? 1000))))
          return SocketClosure(code: code ?? 1005, reason: reason)
        }
      }
      let bytes = try connection.read()
      guard !bytes.isEmpty else { return SocketClosure(code: 1006, reason: "No close frame.") }
      frames.append(bytes)
    }
  } catch let violation as WebSocketFrames.Violation {
    try? connection.write(
      WebSocketFrames.frame(
        .close, bigEndian(UInt16(violation.code)) + violation.reason.utf8.prefix(123)))
    return SocketClosure(code: violation.code, reason: violation.reason)
  } catch {
    return SocketClosure(code: 1006, reason: "The connection broke.")
  }
}
