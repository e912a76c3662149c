#if os(Linux) || os(macOS)
  import CCurl
  import Foundation
  import Weir

  /// Wakes a thread that waits for descriptors. Any thread may use it.
  final class Wakeup: Sendable {
    private let reading: Descriptor
    #if !os(Linux)
      private let writing: Descriptor
    #endif

    init() throws(HTTPTransportError) {
      #if os(Linux)
        guard let reading = Descriptor(eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC)))
        else { throw .noDescriptor }
      #else
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0, let reading = Descriptor(ends[0]), let writing = Descriptor(ends[1])
        else { throw .noDescriptor }
        for end in ends {
          _ = fcntl(end, F_SETFL, O_NONBLOCK)
          _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        self.writing = writing
      #endif
      self.reading = reading
    }

    /// The descriptor that is readable after a call of `wake`.
    var descriptor: Int32 { reading.number }

    /// Makes the descriptor readable.
    func wake() {
      // A call fails only if the buffer is full, and then the descriptor is readable.
      #if os(Linux)
        eventfd_write(reading.number, 1)
      #else
        var byte = UInt8(0)
        _ = write(writing.number, &byte, 1)
      #endif
    }

    /// Makes the descriptor unreadable until the next call of `wake`.
    func clear() {
      #if os(Linux)
        var count = eventfd_t(0)
        eventfd_read(reading.number, &count)
      #else
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(reading.number, &bytes, bytes.count) == bytes.count {}
      #endif
    }
  }

  extension HTTPTransportError {
    static let noDescriptor = HTTPTransportError(
      .other, "The system has no descriptor for another transport.")
  }
#endif
