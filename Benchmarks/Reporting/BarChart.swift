import Foundation

/// A bar for the time of each case, on a logarithmic axis that begins at one nanosecond.
struct BarChart {
  private static let rowHeight = 16.0

  private let measurements: [Measurement]

  init(_ measurements: [Measurement]) {
    self.measurements = measurements
  }

  /// - Returns: where the next part of the drawing may begin.
  func draw(in drawing: inout Drawing, top: Double, width: Double) -> Double {
    drawing.text(
      "Minimum per operation; the axis is logarithmic and begins at 1 ns", x: 20, y: top + 14,
      size: 13)
    let left = 20 + widest(measurements.map(\.name))
    let space = width - left - 20 - widest(measurements.map(label))
    let longest = log10(max(10, measurements.map(\.minimum).max() ?? 10))
    var y = top + 26
    for measurement in measurements {
      let length = space * log10(max(1, measurement.minimum)) / longest
      let isYardstick = measurement.name.hasPrefix("yardstick/")
      drawing.text(measurement.name, x: left - 8, y: y + 11, anchor: "end", color: "#444")
      drawing.bar(
        x: left, y: y + 2, width: length, height: Self.rowHeight - 4,
        color: isYardstick ? "#bbb" : "#1f77b4")
      drawing.text(label(of: measurement), x: left + length + 6, y: y + 11)
      y += Self.rowHeight
    }
    return y
  }

  private func widest(_ labels: [String]) -> Double {
    labels.map { Drawing.width(of: $0) }.max() ?? 0
  }

  private func label(of measurement: Measurement) -> String {
    guard !measurement.name.hasPrefix("yardstick/") else { return measurement.minimum.asTime }
    let multiple = measurement.multiples[measurement.yardstick] ?? 0
    return "\(measurement.minimum.asTime), \(multiple.asMultiple) × \(measurement.yardstick.title)"
  }
}
