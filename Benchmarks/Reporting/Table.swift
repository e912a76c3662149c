import Foundation

/// The text that a run prints at its end.
struct Table {
  private let report: Report

  init(_ report: Report) {
    self.report = report
  }

  var text: String {
    [head, yardsticks, cases, floors, counts, memory, legend].compactMap { $0 }.joined(
      separator: "\n\n")
  }

  private var head: String {
    #if DEBUG
      "Built without optimization, so these figures mean nothing. Use swift run -c release."
    #else
      Machine.description
    #endif
  }

  private var yardsticks: String? {
    guard !report.yardsticks.isEmpty else { return nil }
    let rows = report.yardsticks.map { [$0.name, $0.median.asTime, $0.minimum.asTime] }
    return Self.aligned([["yardstick", "median", "minimum"]] + rows)
  }

  private var cases: String? {
    guard !report.cases.isEmpty else { return nil }
    let head = ["case", "median", "minimum", "p90", "multiple of", "", "each"]
    var rows = [head]
    var section = ""
    for measurement in report.cases {
      let area = String(measurement.name.prefix { $0 != "/" })
      if area != section { rows.append([]) }
      section = area
      rows.append(row(measurement))
    }
    return Self.aligned(rows)
  }

  private func row(_ measurement: Measurement) -> [String] {
    [
      measurement.name, measurement.median.asTime, measurement.minimum.asTime,
      measurement.p90.asTime, measurement.yardstick.title,
      (measurement.multiples[measurement.yardstick] ?? 0).asMultiple,
      share(of: measurement),
    ]
  }

  private func share(of measurement: Measurement) -> String {
    if let parts = measurement.parts {
      return "\((measurement.minimum / Double(parts.count)).asTime) / \(parts.name)"
    }
    // What is too short to measure has no rate.
    guard let rate = measurement.rate, measurement.median > 0 else { return "" }
    return "\((1e9 / measurement.median).short) \(rate) / s"
  }

  /// The cases beside the least that they can cost.
  private var floors: String? {
    let rows = report.cases.compactMap { measurement in
      measurement.floor.map { floor in
        [
          measurement.name, measurement.minimum.asTime, floor.asTime,
          (measurement.minimum / floor).asMultiple,
        ]
      }
    }
    guard !rows.isEmpty else { return nil }
    return Self.aligned([["beside its floor", "minimum", "floor", "multiple"]] + rows)
  }

  /// The counted costs of the operations, and their limits.
  private var counts: String? {
    let counted = report.cases.filter { $0.counts != nil }
    guard let kinds = counted.first?.counts?.byName.map(\.name) else { return nil }
    return Self.aligned(
      [["each operation"] + kinds + ChainCount.names] + counted.map(countsRow))
  }

  private func countsRow(_ measurement: Measurement) -> [String] {
    let counts = measurement.counts?.byName ?? []
    return [measurement.name]
      + counts.map { kind, count in
        let budget = report.budgets.budget(of: measurement.name, for: kind)
        return count.formatted(digits: 2) + (budget.map { " of \($0.formatted(digits: 2))" } ?? "")
      }
      + (measurement.chain.map { chain in
        [chain.executions, chain.lookUps].map { $0.formatted(digits: 2) }
      } ?? [])
  }

  private var memory: String? {
    guard !report.memory.isEmpty else { return nil }
    let rows = report.memory.map { item in
      [
        item.name, "\(item.bytesEach.formatted(digits: 0)) bytes / \(item.unit)",
        "\(item.remainderEach.formatted(digits: 0)) bytes",
        item.multipleOfJSON.map { "\($0.formatted(digits: 2)) × its JSON" } ?? "",
      ]
    }
    return Self.aligned([["memory", "held", "after release", "held"]] + rows)
  }

  private var legend: String {
    let used = Set(report.cases.map(\.yardstick)).sorted()
    let lines = used.map { "  \($0.title): \($0.explanation)" }
    return
      (["A multiple compares minima; the yardstick was timed in alternation with the case:"]
      + lines + [
        "A floor does the same tasks, resumes, parses, reads and decodes by hand, without a client.",
        "Executions of the chain, and look-ups of queries in the cache, are counted in another run, with "
          + "two more exchanges.",
        "Each: the minimum divided by the number of parts; rates use the median.",
      ])
      .joined(separator: "\n")
  }

  /// Aligns the first column to the left, the others to the right.
  static func aligned(_ rows: [[String]]) -> String {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      let cells = row.enumerated().map { index, cell in
        cell.padded(to: widths[index], leading: index > 0)
      }
      return String(cells.joined(separator: "  ").trimmingSuffix { $0 == " " })
    }.joined(separator: "\n")
  }
}

extension String {
  fileprivate func trimmingSuffix(while isDropped: (Character) -> Bool) -> Substring {
    var rest = self[...]
    while let last = rest.last, isDropped(last) { rest.removeLast() }
    return rest
  }
}

/// The machine that the run took place on.
enum Machine {
  static var description: String {
    let process = ProcessInfo.processInfo
    let date = Date().formatted(.iso8601.year().month().day())
    return "\(date), \(process.operatingSystemVersionString), \(architecture), "
      + "\(process.activeProcessorCount) processors\(model.map { ", \($0)" } ?? "")"
  }

  private static var architecture: String {
    #if arch(x86_64)
      "x86_64"
    #elseif arch(arm64)
      "arm64"
    #else
      "another architecture"
    #endif
  }

  /// The name of the processor, which only Linux provides here.
  private static var model: String? {
    guard let text = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("model name") })
    else { return nil }
    return line.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
  }
}
