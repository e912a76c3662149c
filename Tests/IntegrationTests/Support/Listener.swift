#if os(Linux) || os(macOS)
  import Foundation
  import Testing
  import Weir

  /// A server on loopback that accepts connections, and does nothing with them.
  final class Listener: Sendable {
    private let descriptor: Int32
    private let port: UInt16
    private let accepted = Locked<[Int32]>([])

    init() throws {
      #if canImport(Glibc)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      #else
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
      #endif
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isBound = withUnsafeMutableBytes(of: &address) { bytes in
        let address = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
        return bind(descriptor, address, length) == 0 && listen(descriptor, 4) == 0
          && getsockname(descriptor, address, &length) == 0
      }
      self.descriptor = descriptor
      port = UInt16(bigEndian: address.sin_port)
      try #require(isBound)
    }

    deinit {
      for accepted in accepted.withLock({ $0 }) { close(accepted) }
      close(descriptor)
    }

    var url: URL { get throws { try #require(URL(string: "http://127.0.0.1:\(port)/")) } }

    /// Waits for a connection, and returns the client's descriptors of it. The wait has a thread of its
    /// own, because other tests need those of the pool.
    func accept() async throws -> [Int32] {
      let descriptor = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          Thread.detachNewThread { [self] in
            #if canImport(Glibc)
              continuation.resume(returning: Glibc.accept(self.descriptor, nil, nil))
            #else
              continuation.resume(returning: Darwin.accept(self.descriptor, nil, nil))
            #endif
          }
        }
      } onCancel: {
        _ = shutdown(self.descriptor, Int32(SHUT_RDWR))
      }
      try #require(descriptor >= 0)
      accepted.withLock { $0.append(descriptor) }
      return try FileManager.default.contentsOfDirectory(atPath: "/dev/fd")
        .compactMap { Int32($0) }.filter(isPeer)
    }

    /// Whether a descriptor of this process is a connection to the server.
    private func isPeer(ofDescriptor descriptor: Int32) -> Bool {
      var address = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isConnected = withUnsafeMutableBytes(of: &address) {
        getpeername(
          descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, &length) == 0
      }
      return isConnected && UInt16(bigEndian: address.sin_port) == port
    }
  }
#endif
