#if os(Linux) || os(macOS)
  import Foundation

  /// A file descriptor, closed with this value, which cannot be copied and so has one owner.
  struct Descriptor: ~Copyable {
    let number: Int32

    /// Takes over a descriptor that a function of the system has returned; nil if it has failed.
    init?(_ number: Int32) {
      guard number >= 0 else { return nil }
      self.number = number
    }

    deinit {
      close(number)
    }
  }

  /// The events of a descriptor, with libcurl's numbers (`CURL_CSELECT_…`).
  struct DescriptorEvents: OptionSet, Hashable {
    let rawValue: Int32

    static let readable = DescriptorEvents(rawValue: 1)
    static let writable = DescriptorEvents(rawValue: 2)
  }

  /// A descriptor and the events that have happened.
  struct ReadyDescriptor {
    let number: Int32
    let events: DescriptorEvents
  }
#endif
