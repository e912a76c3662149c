/// How many bytes of results may be made although little in them is new.
///
/// Each result of an incremental response contains all data so far. If a large result were made for
/// each small payload, the work would grow with the square of the response. So results are made at
/// once until the budget is used up. After that they are made when the payloads since the last one
/// have brought an eighth more, when the budget has grown again with time, or at the end. A server
/// that sends a payload of a large response now and then is never held back.
struct RewritingBudget {
  /// The budget at first, and the most that it grows to again.
  private let burst: Int
  /// How fast it grows: a small part of what a processor can write.
  private static let bytesPerSecond = 32 << 20
  private let now: @Sendable () -> ContinuousClock.Instant
  private var credit: Int
  /// When the credit was computed.
  private var instant: ContinuousClock.Instant

  /// - Parameters:
  ///   - burst: The budget at first, in bytes. 64 MiB take a fraction of a second.
  ///   - now: The time.
  init(
    burst: Int = 64 << 20, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.burst = burst
    self.now = now
    credit = burst
    instant = now()
  }

  /// Whether a result of this size may be made now.
  func allows(_ size: Int) -> Bool { size <= creditNow }

  /// Notes that a result of this size was made. The time that making it took does not count.
  mutating func spend(_ size: Int, of available: Int) {
    credit = max(0, available - size)
    instant = now()
  }

  /// The bytes that may be spent now.
  var creditNow: Int {
    let seconds = instant.duration(to: now()) / .seconds(1)
    return Int(min(Double(burst), Double(credit) + seconds * Double(Self.bytesPerSecond)))
  }
}
