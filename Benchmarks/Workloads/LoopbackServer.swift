import Foundation
import Weir

/// The smallest server that a benchmark of HTTP needs: one thread per connection, and the same
/// response to every request. Nothing in it could be slower than the measured client.
final class LoopbackServer: Sendable {
  let url: URL
  private let listener: Int32
  private let connections = Locked<[Int32]>([])
  private let response: [UInt8]
  private let answered = AtomicWord()

  /// The number of requests that were answered.
  var requestCount: Int { Int(answered.load()) }

  /// Listens on a port that the system chooses.
  init(body: [UInt8]) throws {
    let head =
      "HTTP/1.1 200 OK\r\ncontent-type: application/graphql-response+json\r\n"
      + "content-length: \(body.count)\r\n\r\n"
    response = Array(head.utf8) + body
    #if canImport(Darwin)
      listener = socket(AF_INET, SOCK_STREAM, 0)
    #else
      listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    let port = try Self.listen(on: listener)
    guard let url = URL(string: "http://127.0.0.1:\(port)/graphql") else {
      throw WrongAnswer(description: "The server's address is not a URL: port \(port).")
    }
    self.url = url
    Thread { [self] in acceptConnections() }.start()
  }

  private static func listen(on listener: Int32) throws -> UInt16 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && Foundation.listen(listener, 256) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    try expect(isListening, "No socket can be opened on 127.0.0.1: error \(errno).")
    return UInt16(bigEndian: address.sin_port)
  }

  /// Closes all connections, which ends their threads.
  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
    for connection in connections.withLock({ $0 }) { shutdown(connection, Int32(SHUT_RDWR)) }
  }

  private func acceptConnections() {
    while true {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { return }
      var isOn: Int32 = 1
      setsockopt(
        connection, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
      connections.withLock { $0.append(connection) }
      let thread = Thread { [self] in serve(connection) }
      thread.stackSize = 256 << 10
      thread.start()
    }
  }

  private func serve(_ connection: Int32) {
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      received += buffer[..<count]
      // A response without an end needs no thread.
      if received.starts(with: Self.idleRequest) {
        send(connection, Self.idleHead, Self.idleHead.count, Self.noSignal)
        return
      }
      while let length = Self.requestLength(received), received.count >= length {
        received.removeFirst(length)
        answered.add(1)
        guard send(connection, response, response.count, Self.noSignal) == response.count else {
          break
        }
      }
    }
    connections.withLock { connections in connections.removeAll { $0 == connection } }
    close(connection)
  }

  private static let idleRequest = Array("POST /graphql/idle".utf8)
  private static let idleHead = Array(
    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n".utf8)

  #if canImport(Darwin)
    private static let noSignal: Int32 = 0
  #else
    private static let noSignal = Int32(MSG_NOSIGNAL)
  #endif

  /// Returns the length of the first request, head and body; nil if its head is incomplete.
  private static func requestLength(_ bytes: [UInt8]) -> Int? {
    let end: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
    guard let head = bytes.firstRange(of: end) else { return nil }
    let text = String(decoding: bytes[..<head.lowerBound], as: UTF8.self).lowercased()
    let field = text.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
    let length = field?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
    return head.upperBound + (length.flatMap { Int($0) } ?? 0)
  }
}
