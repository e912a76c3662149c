/// All that a run has found out.
struct Report {
  /// What the cases are compared with.
  let yardsticks: [Measurement]
  let cases: [Measurement]
  let memory: [MemoryMeasurement]
  let budgets: Budgets

  /// Everything that has a time.
  var measurements: [Measurement] { yardsticks + cases }

  /// Budgets that were passed. They hold for optimized programs.
  var excesses: [Budgets.Excess] {
    #if DEBUG
      []
    #else
      budgets.excesses(in: cases)
    #endif
  }
}
