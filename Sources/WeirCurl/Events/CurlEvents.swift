#if os(Linux) || os(macOS)
  import CCurl
  import Dispatch
  import Weir

  /// The events that the thread of a transport waits for: those of descriptors, libcurl's timer, and
  /// calls of other threads. Only this thread uses it.
  final class CurlEvents {
    /// Wakes the thread while it waits.
    let wakeup: Wakeup
    private var descriptors: DescriptorSet
    private(set) var ready: [ReadyDescriptor] = []
    /// When libcurl wants to be called, in nanoseconds of the system's uptime; nil for never.
    private var deadline: UInt64?

    init() throws(HTTPTransportError) {
      wakeup = try Wakeup()
      descriptors = try DescriptorSet()
      descriptors.watch(wakeup.descriptor, for: .readable)
    }

    /// Waits for these events of a descriptor from now on; empty for none.
    func watch(_ descriptor: Int32, for events: DescriptorEvents) {
      descriptors.watch(descriptor, for: events)
    }

    /// Notes when libcurl wants to be called; -1 for never.
    func setDeadline(milliseconds: Int) {
      // Without reading the clock: most often that is at once.
      deadline =
        switch milliseconds {
        case ..<0: nil
        case 0: 0
        default: DispatchTime.now().uptimeNanoseconds + UInt64(milliseconds) * 1_000_000
        }
    }

    /// Whether libcurl wants to be called now. That is reported once.
    func takeDeadline() -> Bool {
      guard let time = deadline, time == 0 || time <= DispatchTime.now().uptimeNanoseconds else {
        return false
      }
      deadline = nil
      return true
    }

    /// Waits until a descriptor is `ready`, the time has come, or another thread has called `wakeup`; no
    /// longer than `limit` milliseconds, nil for no limit.
    func wait(atMost limit: Int32?) {
      var milliseconds = limit ?? -1
      if let deadline, limit != 0 {
        let now = DispatchTime.now().uptimeNanoseconds
        let left = deadline <= now ? 0 : Int32(clamping: (deadline - now) / 1_000_000 + 1)
        milliseconds = min(limit ?? left, left)
      }
      descriptors.wait(milliseconds: milliseconds, &ready)
      for index in ready.indices where ready[index].number == wakeup.descriptor {
        ready.remove(at: index)
        wakeup.clear()
        break
      }
    }
  }
#endif
