import Foundation
import Weir

/// A clock that stands still until a test advances it.
///
/// Pass it to anything that takes a clock, such as a cache with a time to live or a retry with a delay,
/// and call `advance(by:)` instead of waiting. Tasks that one call wakes may run in any order. Where the
/// order matters, as between a response and a timeout, advance to one deadline at a time, and wait for its
/// effect in between.
///
/// Give one clock to several normalized stores to test what expires between two runs of your app: the
/// second store finds the data of the first one as old as the clock says.
public final class ManualClock: Clock, Sendable {
  /// A point in time.
  public struct Instant: InstantProtocol {
    /// The time since the clock was made.
    public let offset: Duration

    /// Returns the instant that is `duration` later.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    /// Returns the duration from this instant to `other`.
    public func duration(to other: Instant) -> Duration {
      other.offset - offset
    }

    /// Whether `left` is earlier than `right`.
    public static func < (left: Instant, right: Instant) -> Bool {
      left.offset < right.offset
    }
  }

  private struct Sleeper {
    let id: UInt64
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant(offset: .zero)
    var sleepers: [UInt64: Sleeper] = [:]
    var lastID: UInt64 = 0
  }

  private let state = Locked(State())
  private let sleeping = ArrivalCount()
  /// The time since 1970 at which the clock was made.
  private let beginning = Duration.seconds(Date().timeIntervalSince1970)

  /// Makes a clock that stands at zero.
  public init() {}

  /// The current instant.
  public var now: Instant { state.withLock { $0.now } }

  /// Zero: the clock is exact.
  public var minimumResolution: Duration { .zero }

  /// The number of tasks that sleep on the clock.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Advances the clock and wakes the tasks whose deadlines have been reached.
  public func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
    }
    sleeping.add(-woken.count)
    for sleeper in woken { sleeper.continuation.resume() }
  }

  /// Waits until at least `count` tasks sleep on the clock, or the calling task is cancelled.
  public func sleepers(_ count: Int) async {
    await sleeping.reaches(count)
  }

  /// Sleeps until the clock has been advanced to `deadline`.
  ///
  /// - Throws: `CancellationError` if the task is cancelled first.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<Void, any Error>? in
          if Task.isCancelled { return .failure(CancellationError()) }
          if deadline <= state.now { return .success(()) }
          state.sleepers[id] = Sleeper(id: id, deadline: deadline, continuation: continuation)
          return nil
        }
        if let result { continuation.resume(with: result) } else { sleeping.add(1) }
      }
    } onCancel: {
      let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
      guard let sleeper else { return }
      sleeping.add(-1)
      sleeper.continuation.resume(throwing: CancellationError())
    }
  }
}

extension ManualClock: DatedClock {
  package var timeSince1970: Duration { beginning + now.offset }
}
