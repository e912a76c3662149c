import Foundation

/// A bar for the time of each case, logarithmic from one nanosecond on.
struct BarChart {
  private static let labelWidth = 330.0
  private static let rowHeight = 16.0

  private let measurements: [Measurement]

  init(_ measurements: [Measurement]) {
    self.measurements = measurements
  }

  /// - Returns: where the next thing may begin.
  func draw(in drawing: inout Drawing, top: Double, width: Double) -> Double {
    drawing.text("Minimum per operation", x: 20, y: top + 14, size: 13)
    let longest = log10(max(10, measurements.map(\.minimum).max() ?? 10))
    let space = width - Self.labelWidth - 190
    var y = top + 26
    for measurement in measurements {
      let length = space * max(0, log10(max(1, measurement.minimum))) / longest
      let isYardstick = measurement.name.hasPrefix("yardstick/")
      drawing.text(
        measurement.name, x: Self.labelWidth - 8, y: y + 11, anchor: "end", color: "#444")
      drawing.bar(
        x: Self.labelWidth, y: y + 2, width: length, height: Self.rowHeight - 4,
        color: isYardstick ? "#bbb" : "#1f77b4")
      drawing.text(label(of: measurement), x: Self.labelWidth + length + 6, y: y + 11)
      y += Self.rowHeight
    }
    return y
  }

  private func label(of measurement: Measurement) -> String {
    let multiple = measurement.multiples[measurement.yardstick] ?? 0
    return "\(measurement.minimum.asTime), \(multiple.short) × \(measurement.yardstick.title)"
  }
}
