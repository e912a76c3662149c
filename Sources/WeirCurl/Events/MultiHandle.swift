#if os(Linux) || os(macOS)
  import CCurl
  import Weir

  /// The requests that one thread performs, with their connections; freed with this value.
  ///
  /// Proof of the pointer: it comes from `curl_multi_init` and is freed only by `deinit`. The owner
  /// removes all requests before.
  struct MultiHandle: ~Copyable {
    let pointer: UnsafeMutableRawPointer
    let events: CurlEvents

    /// Proof of the context: `events` is released after `deinit` has freed the handle, and libcurl calls
    /// the functions only in calls with this handle or one of its requests.
    init() throws(HTTPTransportError) {
      try CurlLibrary.check(version: weir_curl_version())
      let events = try CurlEvents()
      guard CurlLibrary.isReady, let pointer = curl_multi_init() else {
        throw HTTPTransportError(.other, "libcurl has no memory or descriptor for a transport.")
      }
      self.pointer = pointer
      self.events = events
      weir_curl_multi_set_events(
        pointer,
        { _, socket, wanted, context, _ in
          CurlEvents.from(context)?.watch(socket, for: DescriptorEvents(wanted: wanted))
          return 0
        },
        { _, milliseconds, context in
          CurlEvents.from(context)?.setDeadline(milliseconds: milliseconds)
          return 0
        }, Unmanaged.passUnretained(events).toOpaque())
    }

    deinit {
      curl_multi_cleanup(pointer)
    }

    func set(_ option: CURLMoption, _ value: Int) {
      weir_curl_multi_set_long(pointer, option, value)
    }

    /// Lets libcurl send and receive what it can without waiting on a descriptor.
    func perform(_ ready: ReadyDescriptor) {
      var running: Int32 = 0
      curl_multi_socket_action(pointer, ready.number, ready.events.rawValue, &running)
    }

    /// Lets libcurl do what is due now, such as starting requests.
    func performDue() {
      guard events.takeDeadline() else { return }
      var running: Int32 = 0
      curl_multi_socket_action(pointer, CURL_SOCKET_BAD, 0, &running)
    }
  }

  extension CurlEvents {
    fileprivate static func from(_ context: UnsafeMutableRawPointer?) -> CurlEvents? {
      context.map { Unmanaged<CurlEvents>.fromOpaque($0).takeUnretainedValue() }
    }
  }

  extension DescriptorEvents {
    /// The events that libcurl wants (`CURL_POLL_…`).
    fileprivate init(wanted: Int32) {
      switch wanted {
      case CURL_POLL_IN: self = .readable
      case CURL_POLL_OUT: self = .writable
      case CURL_POLL_INOUT: self = [.readable, .writable]
      default: self = []
      }
    }
  }
#endif
