import Dispatch
import Foundation
import Weir

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A transport that reads from its socket only on demand, which `URLSession` does not do on every
/// platform. It speaks HTTP/1.0, so a body ends with the connection.
struct SocketTransport: HTTPTransport {
  private let received = ByteCount()

  /// The number of bytes read from all sockets.
  var receivedBytes: Int { received.value }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let port = UInt16(request.url.port ?? 80)
    let socket = try Socket(port: port, counting: received)
    let target = request.url.path() + (request.url.query().map { "?" + $0 } ?? "")
    let fields = request.headers.map { "\($0.name): \($0.value)\r\n" }.joined()
    let head =
      "\(request.method.rawValue) \(target) HTTP/1.0\r\nhost: 127.0.0.1\r\n\(fields)"
      + "content-length: \(request.body.count)\r\n\r\n"
    try await socket.write(Array(head.utf8) + request.body)
    var received: [UInt8] = []
    while true {
      if let end = received.firstRange(of: Array("\r\n\r\n".utf8)) {
        return response(of: received[..<end.lowerBound], Array(received[end.upperBound...]), socket)
      }
      guard let chunk = try await socket.read() else { throw HTTPTransportError(.badResponse, "") }
      received += chunk
    }
  }

  private func response(
    of head: ArraySlice<UInt8>, _ rest: [UInt8], _ socket: Socket
  ) -> HTTPResponse {
    let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
    var headers = HTTPHeaders()
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2 {
        headers.add(String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces))
      }
    }
    let status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return HTTPResponse(
      status: status, headers: headers, body: HTTPBody(Chunks(rest: rest, socket: socket)))
  }

  private struct Chunks: AsyncSequence, Sendable {
    let rest: [UInt8]
    let socket: Socket

    func makeAsyncIterator() -> Iterator {
      Iterator(rest: rest, socket: socket)
    }

    struct Iterator: AsyncIteratorProtocol {
      var rest: [UInt8]
      let socket: Socket

      mutating func next() async throws -> [UInt8]? {
        guard rest.isEmpty else {
          defer { rest = [] }
          return rest
        }
        return try await socket.read()
      }
    }
  }
}

private final class ByteCount: Sendable {
  private let count = Locked(0)

  var value: Int { count.withLock { $0 } }

  func add(_ bytes: Int) {
    count.withLock { $0 += bytes }
  }
}

/// A blocking socket, used from threads that may block.
private final class Socket: Sendable {
  private let descriptor: Int32
  private let received: ByteCount

  init(port: UInt16, counting received: ByteCount) throws {
    self.received = received
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let connected = withUnsafeBytes(of: &address) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) {
        connect(descriptor, $0.baseAddress, socklen_t(bytes.count))
      }
    }
    guard connected == 0 else { throw HTTPTransportError(.cannotConnect, "\(errno)") }
  }

  deinit {
    close(descriptor)
  }

  func write(_ bytes: [UInt8]) async throws {
    try await blocking { [descriptor] in
      guard send(descriptor, bytes, bytes.count, 0) == bytes.count else {
        throw HTTPTransportError(.connectionLost, "\(errno)")
      }
    }
  }

  func read() async throws -> [UInt8]? {
    try await blocking { [descriptor, received] in
      var bytes = [UInt8](repeating: 0, count: 16 << 10)
      let count = recv(descriptor, &bytes, bytes.count, 0)
      guard count >= 0 else { throw HTTPTransportError(.connectionLost, "\(errno)") }
      received.add(count)
      return count == 0 ? nil : Array(bytes.prefix(count))
    }
  }

  private func blocking<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(with: Result { try body() }) }
    }
  }
}
