#if os(Linux) || os(macOS)
  import Foundation
  import Testing

  /// A server on loopback that accepts connections, and does nothing with them.
  final class Listener {
    private let descriptor: Int32
    private let port: UInt16
    private var accepted: Int32 = -1

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
      if accepted >= 0 { close(accepted) }
      close(descriptor)
    }

    var url: URL { get throws { try #require(URL(string: "http://127.0.0.1:\(port)/")) } }

    /// Waits for a connection.
    func accept() throws {
      #if canImport(Glibc)
        accepted = Glibc.accept(descriptor, nil, nil)
      #else
        accepted = Darwin.accept(descriptor, nil, nil)
      #endif
      try #require(accepted >= 0)
    }

    /// Whether a descriptor of this process is a connection to the server.
    func isPeer(ofDescriptor descriptor: Int32) -> Bool {
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
