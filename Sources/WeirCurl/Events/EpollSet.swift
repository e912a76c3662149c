#if os(Linux)
  import CCurl
  import Foundation
  import Weir

  typealias DescriptorSet = EpollSet

  /// Descriptors that the kernel watches. Waiting costs what is ready, not what is watched: ten thousand
  /// idle connections cost nothing.
  struct EpollSet: ~Copyable {
    private let epoll: Descriptor
    private var buffer = [epoll_event](repeating: epoll_event(), count: 128)

    init() throws(HTTPTransportError) {
      guard let epoll = Descriptor(epoll_create1(Int32(EPOLL_CLOEXEC))) else {
        throw .noDescriptor
      }
      self.epoll = epoll
    }

    /// Waits for these events of a descriptor from now on, and for no others; empty for none.
    ///
    /// The kernel forgets descriptors that are closed. So nothing is noted here that could be wrong when
    /// their numbers are used again.
    func watch(_ descriptor: Int32, for events: DescriptorEvents) {
      var event = epoll_event()
      event.data.fd = descriptor
      if events.contains(.readable) { event.events |= weir_epoll_in }
      if events.contains(.writable) { event.events |= weir_epoll_out }
      if events.isEmpty {
        epoll_ctl(epoll.number, EPOLL_CTL_DEL, descriptor, &event)
      } else if epoll_ctl(epoll.number, EPOLL_CTL_ADD, descriptor, &event) != 0, errno == EEXIST {
        epoll_ctl(epoll.number, EPOLL_CTL_MOD, descriptor, &event)
      }
    }

    /// Replaces `ready` by the descriptors that are ready. Waits up to a time; -1 for no limit.
    mutating func wait(milliseconds: Int32, _ ready: inout [ReadyDescriptor]) {
      ready.removeAll(keepingCapacity: true)
      let count = epoll_wait(epoll.number, &buffer, Int32(buffer.count), milliseconds)
      guard count > 0 else { return }
      for event in buffer[..<Int(count)] {
        // After an error or the end of a connection, the next call tells which.
        let isBroken = event.events & weir_epoll_broken != 0
        var events: DescriptorEvents = []
        if isBroken || event.events & weir_epoll_in != 0 { events.insert(.readable) }
        if isBroken || event.events & weir_epoll_out != 0 { events.insert(.writable) }
        ready.append(ReadyDescriptor(number: event.data.fd, events: events))
      }
    }
  }
#endif
