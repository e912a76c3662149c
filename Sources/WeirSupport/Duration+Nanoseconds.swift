extension Duration {
  /// The duration in nanoseconds, rounded; beyond 292 years, the nearest of those that `Int64` has.
  package var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let half: Int64 = attoseconds < 0 ? -500_000_000 : 500_000_000
    let (whole, isTooFar) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflows) = whole.addingReportingOverflow((attoseconds + half) / 1_000_000_000)
    return isTooFar || overflows ? (seconds < 0 ? .min : .max) : sum
  }
}
