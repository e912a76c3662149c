/// How much time is spent on a case.
struct Effort {
  /// How long a sample takes at least, unless one operation is one sample.
  let sample: Duration
  /// How long the work is done before it is timed.
  let warmUp: Duration
  /// How many samples there are of work that is fast.
  let samples: Int
  /// How many samples there are at least, however slow the work is.
  let minimumSamples: Int
  /// When no more samples than the minimum are taken.
  let limit: Duration
  /// How many operations allocations are counted over.
  let countedOperations: Int

  static let full = Effort(
    sample: .milliseconds(2), warmUp: .milliseconds(50), samples: 31, minimumSamples: 15,
    limit: .milliseconds(400), countedOperations: 1000)

  static let quick = Effort(
    sample: .microseconds(300), warmUp: .milliseconds(3), samples: 15, minimumSamples: 3,
    limit: .milliseconds(20), countedOperations: 200)
}
