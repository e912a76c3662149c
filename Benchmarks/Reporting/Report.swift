/// All figures of a run.
struct Report {
  /// The work that cases are compared with.
  let yardsticks: [Measurement]
  let cases: [Measurement]
  let memory: [MemoryMeasurement]
  let budgets: Budgets

  /// Everything that was timed.
  var measurements: [Measurement] { yardsticks + cases }

  /// The budgets that were exceeded. Budgets apply only to optimized programs.
  var excesses: [String] {
    #if DEBUG
      []
    #else
      budgets.excesses(in: cases)
    #endif
  }
}
