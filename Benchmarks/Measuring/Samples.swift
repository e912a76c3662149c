/// Times of one operation, in nanoseconds, and their statistics.
struct Samples {
  private(set) var sorted: [Double]

  init(_ times: [Double]) {
    sorted = times.sorted()
  }

  var count: Int { sorted.count }
  var minimum: Double { sorted.first ?? 0 }
  var median: Double { quantile(0.5) }
  var p90: Double { quantile(0.9) }

  /// Interpolates between the two nearest samples.
  private func quantile(_ share: Double) -> Double {
    guard let last = sorted.last else { return 0 }
    let position = share * Double(sorted.count - 1)
    let index = Int(position)
    guard index + 1 < sorted.count else { return last }
    let distance = position - Double(index)
    return sorted[index] * (1 - distance) + sorted[index + 1] * distance
  }
}

/// The figures of one case.
struct Measurement {
  let name: String
  let median: Double
  let minimum: Double
  let p90: Double
  let sampleCount: Int
  /// The yardstick that the table compares the case with.
  let yardstick: Yardstick
  /// The time as a multiple of each yardstick that was timed.
  let multiples: [Yardstick: Double]
  var parts: (count: Int, name: String)?
  var rate: String?
  /// The counted costs of an operation; nil if they were not counted.
  var counts: Counts?
  /// How often an operation executes the chain; nil if that was not counted, or is never.
  var chain: ChainCount?
  var scaling: Scaling?
  /// The least that the case can cost, in nanoseconds; nil if it has no floor.
  var floor: Double?
}
