/// This run beside a former one.
///
/// A case counts as changed if its minimum and its median have both moved the same way, by more
/// than the samples of either run spread from minimum to median, and by more than a tenth: two
/// runs of one program differ by as much.
struct Comparison {
  enum Verdict: String {
    case faster, slower
    case same = "within noise"
    case new = "not in the file"
    /// What is left when a baseline is taken off may be nothing.
    case immeasurable = "too small to compare"
  }

  struct Row {
    let name: String
    /// Minimum over minimum; below 1 is faster now.
    var ratio: Double?
    var verdict: Verdict
  }

  let rows: [Row]
  /// Names that only the file has.
  let missing: [String]

  init(of measurements: [Measurement], with former: ResultFile) {
    var earlier = Dictionary(former.cases.map { ($0.name, $0) }) { first, _ in first }
    rows = measurements.map { now in
      guard let then = earlier.removeValue(forKey: now.name) else {
        return Row(name: now.name, verdict: .new)
      }
      guard min(now.minimum, now.median, then.minNanoseconds, then.medianNanoseconds) > 0 else {
        return Row(name: now.name, verdict: .immeasurable)
      }
      return Row(
        name: now.name, ratio: now.minimum / then.minNanoseconds,
        verdict: Self.verdict(now, then))
    }
    missing = former.cases.map(\.name).filter { earlier[$0] != nil }
  }

  private static func verdict(_ now: Measurement, _ then: ResultFile.Case) -> Verdict {
    let spread = max(
      0.1, now.median / now.minimum - 1, then.medianNanoseconds / then.minNanoseconds - 1)
    let minima = now.minimum / then.minNanoseconds
    let medians = now.median / then.medianNanoseconds
    if minima > 1 + spread, medians > 1 + spread { return .slower }
    if minima < 1 / (1 + spread), medians < 1 / (1 + spread) { return .faster }
    return .same
  }

  var text: String {
    let rows = rows.map { [$0.name, $0.ratio?.short ?? "", $0.verdict.rawValue] }
    let table = Table.aligned([["compared with the file", "ratio", ""]] + rows)
    guard !missing.isEmpty else { return "\n" + table }
    return "\n" + table + "\nNot measured now: " + missing.joined(separator: ", ")
  }
}
