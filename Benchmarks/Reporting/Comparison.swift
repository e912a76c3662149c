/// Compares this run with an earlier one.
///
/// A case counts as changed if its minimum and its median have both moved in one direction, by more
/// than either run's distance from minimum to median, and by more than a tenth. Two runs of the
/// same program differ by that much.
struct Comparison {
  enum Verdict: String {
    case faster, slower
    case same = "within noise"
    case new = "not in the file"
    /// Nothing may be left after a baseline was subtracted.
    case immeasurable = "too small to compare"
  }

  struct Row {
    let name: String
    /// The minimum now divided by the minimum then; below 1 is faster.
    var ratio: Double?
    var verdict: Verdict
    /// The counts that have changed, by name: before and now.
    var counts: [String: String] = [:]
  }

  let rows: [Row]
  /// Names that occur only in the file.
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
        verdict: Self.verdict(now, then), counts: Self.changes(now, then))
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

  private static func changes(
    _ now: Measurement, _ then: ResultFile.Case
  ) -> [String: String] {
    var changes: [String: String] = [:]
    for (name, count) in now.counts?.byName ?? [] where name != "waits" {
      let latter = count.formatted(digits: 2)
      guard let former = then.counts?[name]?.formatted(digits: 2), former != latter else {
        continue
      }
      changes[name] = "\(former) → \(latter)"
    }
    return changes
  }

  var text: String {
    let times = rows.map { [$0.name, $0.ratio?.short ?? "", $0.verdict.rawValue] }
    var parts = ["", Table.aligned([["compared with the file", "ratio", ""]] + times)]
    let counts = rows.filter { !$0.counts.isEmpty }.map { row in
      [row.name] + Counts.names.dropLast().map { row.counts[$0] ?? "" }
    }
    if !counts.isEmpty {
      parts += [
        "", Table.aligned([["each operation, before and now"] + Counts.names.dropLast()] + counts),
      ]
    }
    if !missing.isEmpty { parts.append("Not measured now: " + missing.joined(separator: ", ")) }
    return parts.joined(separator: "\n")
  }
}
