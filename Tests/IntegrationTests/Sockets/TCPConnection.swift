#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A TCP connection to this machine. Reading and writing block: one thread reads, and one task at a
/// time writes.
final class TCPConnection: Sendable {
  struct Failure: Error {
    let function: String
    let number: Int32
  }

  private let descriptor: Int32

  init(port: Int) throws {
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, stream, 0)
    guard descriptor >= 0 else { throw Failure(function: "socket", number: errno) }
    // From here on `deinit` closes the descriptor, also when this initializer throws.
    self.descriptor = descriptor
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    // Proof: a `sockaddr_in` is a `sockaddr` of this size, and lives until the call has returned.
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Failure(function: "connect", number: errno) }
    #if canImport(Darwin)
      var isOn: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  deinit {
    close(descriptor)
  }

  /// Returns the next bytes; empty at the end.
  func read() throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    guard count >= 0 else { throw Failure(function: "recv", number: errno) }
    return Array(bytes[..<count])
  }

  func write(_ bytes: [UInt8]) throws {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
      guard count > 0 else { throw Failure(function: "send", number: errno) }
      rest = rest.dropFirst(count)
    }
  }

  /// Shuts both directions down, which ends a blocked `read`.
  func shutDown() {
    shutdown(descriptor, Int32(SHUT_RDWR))
  }
}
