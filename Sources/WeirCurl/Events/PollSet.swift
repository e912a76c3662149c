#if os(Linux) || os(macOS)
  import Foundation
  import Weir

  #if !os(Linux)
    typealias DescriptorSet = PollSet
  #endif

  /// Descriptors that are watched by `poll`, for systems without `epoll`. Compiled on Linux as well, so
  /// that it stays correct.
  struct PollSet: ~Copyable {
    private var polled: [pollfd] = []
    private var places: [Int32: Int] = [:]

    init() throws(HTTPTransportError) {}

    /// Waits for these events of a descriptor from now on, and for no others; empty for none.
    mutating func watch(_ descriptor: Int32, for events: DescriptorEvents) {
      var wanted = Int16(0)
      if events.contains(.readable) { wanted |= Int16(POLLIN) }
      if events.contains(.writable) { wanted |= Int16(POLLOUT) }
      if let place = places[descriptor] {
        guard wanted == 0 else { return polled[place].events = wanted }
        places[descriptor] = nil
        let last = polled.removeLast()
        guard place < polled.count else { return }
        polled[place] = last
        places[last.fd] = place
      } else if wanted != 0 {
        places[descriptor] = polled.count
        polled.append(pollfd(fd: descriptor, events: wanted, revents: 0))
      }
    }

    /// Replaces `ready` by the descriptors that are ready. Waits up to a time; -1 for no limit.
    mutating func wait(milliseconds: Int32, _ ready: inout [ReadyDescriptor]) {
      ready.removeAll(keepingCapacity: true)
      guard poll(&polled, nfds_t(polled.count), milliseconds) > 0 else { return }
      for descriptor in polled where descriptor.revents != 0 {
        // After an error or the end of a connection, the next call tells which.
        let isBroken = descriptor.revents & Int16(POLLERR | POLLHUP) != 0
        var events: DescriptorEvents = []
        if isBroken || descriptor.revents & Int16(POLLIN) != 0 { events.insert(.readable) }
        if isBroken || descriptor.revents & Int16(POLLOUT) != 0 { events.insert(.writable) }
        ready.append(ReadyDescriptor(number: descriptor.fd, events: events))
      }
    }
  }
#endif
