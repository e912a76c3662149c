extension Duration {
  /// The duration in milliseconds; at least 0, and at most `Int64.max`.
  package var milliseconds: Int64 {
    guard self > .zero else { return 0 }
    let (seconds, attoseconds) = components
    let (product, isTooFar) = seconds.multipliedReportingOverflow(by: 1000)
    let milliseconds = attoseconds / 1_000_000_000_000_000
    return isTooFar
      ? .max
      : product.addingReportingOverflow(milliseconds).overflow
        ? .max : product + milliseconds
  }
}
