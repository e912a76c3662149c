/// How much time is spent on a case.
struct Effort {
  /// The shortest time of a sample, unless the workload fixes its operations.
  let sample: Duration
  /// How long the work is repeated before it is timed.
  let warmUp: Duration
  /// The number of samples of fast work.
  let samples: Int
  /// The smallest number of samples, however slow the work is.
  let minimumSamples: Int
  /// After this time, only the minimum of samples is taken.
  let limit: Duration
  /// The number of operations over which allocations are counted.
  let countedOperations: Int

  static let full = Effort(
    sample: .milliseconds(2), warmUp: .milliseconds(50), samples: 31, minimumSamples: 15,
    limit: .milliseconds(400), countedOperations: 1000)

  static let quick = Effort(
    sample: .microseconds(300), warmUp: .milliseconds(3), samples: 15, minimumSamples: 3,
    limit: .milliseconds(20), countedOperations: 200)
}
