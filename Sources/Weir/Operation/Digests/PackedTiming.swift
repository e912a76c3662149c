internal import Foundation
internal import WeirSupport

/// A timing in 24 bytes instead of 48, because a cache keeps one for each result.
struct PackedTiming: Sendable {
  /// Seconds since the reference date; not a number without a timing.
  private let receivedAt: Double
  private let duration: Int64
  /// `Int64.min` for nil.
  private let maximumAge: Int64

  init(_ timing: ResultTiming?) {
    receivedAt = timing?.receivedAt.timeIntervalSinceReferenceDate ?? .nan
    duration = timing?.duration.nanoseconds ?? 0
    maximumAge = timing?.maximumAge?.nanoseconds ?? .min
  }

  var value: ResultTiming? {
    guard !receivedAt.isNaN else { return nil }
    return ResultTiming(
      receivedAt: Date(timeIntervalSinceReferenceDate: receivedAt),
      duration: .nanoseconds(duration),
      maximumAge: maximumAge == .min ? nil : .nanoseconds(maximumAge))
  }
}
