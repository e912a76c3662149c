import Foundation

/// Cost against size, both logarithmic.
struct ScalingChart {
  struct Line {
    let name: String
    let points: [(size: Int, time: Double)]

    /// The exponent by which cost grows with size, between the first and the last point that have
    /// a size: 1 is linear, 0 is flat.
    var slope: Double? {
      let sized = points.filter { $0.size > 0 }
      guard let first = sized.first, let last = sized.last, last.size > first.size else {
        return nil
      }
      return log(last.time / first.time) / log(Double(last.size) / Double(first.size))
    }
  }

  private static let colors = [
    "#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b", "#17becf", "#7f7f7f",
  ]
  private static let height = 220.0
  private static let left = 70.0
  private static let legendWidth = 290.0

  let axis: String
  let lines: [Line]

  /// - Returns: where the next thing may begin.
  func draw(in drawing: inout Drawing, top: Double, width: Double) -> Double {
    let right = width - Self.legendWidth
    let bottom = top + Self.height
    drawing.text("Cost against the number of \(axis)", x: 20, y: top + 14, size: 13)
    let x = scale(sizes, from: Self.left, to: right - 20)
    let y = scale(times, from: bottom, to: top + 30)
    drawAxes(in: &drawing, x: x, y: y, right: right, bottom: bottom)
    for (index, line) in lines.enumerated() {
      let color = Self.colors[index % Self.colors.count]
      let points = line.points.map { (x: x(position($0.size)), y: y($0.time)) }
      drawing.line(points, color: color, width: 2)
      for point in points { drawing.dot(x: point.x, y: point.y, color: color) }
      let slope = line.slope.map { ", slope \($0.formatted(digits: 2))" } ?? ""
      drawing.text(
        line.name + slope, x: right + 10, y: top + 40 + Double(index) * 16, color: color)
    }
    return bottom + 50
  }

  private func drawAxes(
    in drawing: inout Drawing, x: (Double) -> Double, y: (Double) -> Double, right: Double,
    bottom: Double
  ) {
    for size in Set(lines.flatMap { $0.points.map(\.size) }) {
      drawing.text(
        "\(size)", x: x(position(size)), y: bottom + 18, anchor: "middle", color: "#666")
    }
    var tick = pow(10, floor(log10(times.min() ?? 1)))
    while tick <= (times.max() ?? 1) * 10 {
      if y(tick) <= bottom + 1, y(tick) >= bottom - Self.height + 25 {
        drawing.line([(Self.left, y(tick)), (right - 20, y(tick))], color: "#ddd")
        drawing.text(tick.asTime, x: Self.left - 6, y: y(tick) + 4, anchor: "end", color: "#666")
      }
      tick *= 10
    }
  }

  private var sizes: [Double] { lines.flatMap { $0.points.map { position($0.size) } } }
  private var times: [Double] { lines.flatMap { $0.points.map { max($0.time, 0.1) } } }

  /// Zero has no logarithm; it stands a step to the left of the smallest size.
  private func position(_ size: Int) -> Double {
    max(Double(size), 1)
  }

  private func scale(
    _ values: [Double], from start: Double, to end: Double
  ) -> (Double) -> Double {
    let low = log10((values.min() ?? 1) / 1.5)
    let high = log10((values.max() ?? 10) * 1.5)
    return { value in start + (end - start) * (log10(max(value, 0.1)) - low) / (high - low) }
  }
}
