import Foundation

/// Time against size, both on logarithmic axes.
struct ScalingChart {
  struct Line {
    let name: String
    let points: [(size: Int, time: Double)]

    /// The exponent with which the time grows with the size, between the first and the last point
    /// that have a size and a measurable time: 1 is linear, 0 is flat.
    var slope: Double? {
      let sized = points.filter { $0.size > 0 && $0.time > 0 }
      guard let first = sized.first, let last = sized.last, last.size > first.size else {
        return nil
      }
      return log(last.time / first.time) / log(Double(last.size) / Double(first.size))
    }

    /// The line as the legend describes it.
    var label: String {
      guard let slope else { return name }
      return "\(name), slope \(max(0, slope).formatted(digits: 2))"
    }
  }

  private static let left = 70.0
  private static let rowHeight = 17.0

  let axis: String
  let lines: [Line]

  /// - Returns: where the next part of the drawing may begin.
  func draw(in drawing: inout Drawing, top: Double, width: Double) -> Double {
    let legendWidth = 40 + (lines.map { Drawing.width(of: $0.label) }.max() ?? 0)
    let right = width - legendWidth
    let plotTop = top + 30
    let bottom = plotTop + max(190, Double(lines.count) * Self.rowHeight)
    drawing.text(
      "Time per operation against the number of \(axis); both axes are logarithmic", x: 20,
      y: top + 14, size: 13)
    let x = scale(sizes.map(position), from: Self.left + 30, to: right - 50)
    let y = scale(ticks, from: bottom, to: plotTop)
    drawAxes(in: &drawing, x: x, y: y, bottom: bottom, right: right - 20)
    for (index, line) in lines.enumerated() {
      let style = LineStyle(index)
      let points = line.points.map { (x: x(position($0.size)), y: y(drawn($0.time))) }
      drawing.line(points, color: style.color, width: 1.5)
      for point in points { drawing.mark(style, x: point.x, y: point.y) }
      let row = plotTop + 6 + Double(index) * Self.rowHeight
      drawing.line([(right, row), (right + 24, row)], color: style.color, width: 1.5)
      drawing.mark(style, x: right + 12, y: row)
      drawing.text(line.label, x: right + 30, y: row + 4)
    }
    return bottom + 60
  }

  private func drawAxes(
    in drawing: inout Drawing, x: (Double) -> Double, y: (Double) -> Double, bottom: Double,
    right: Double
  ) {
    for tick in ticks {
      drawing.line([(Self.left, y(tick)), (right, y(tick))], color: "#ddd")
      drawing.text(tick.asTime, x: Self.left - 6, y: y(tick) + 4, anchor: "end", color: "#666")
    }
    drawing.line([(Self.left, bottom), (right, bottom)], color: "#999")
    // Labels that would touch the one before them move to a second row.
    var rowEnds = [-Double.infinity, -Double.infinity]
    for size in sizes {
      let label = "\(size)"
      let middle = x(position(size))
      let half = Drawing.width(of: label) / 2 + 3
      let row = rowEnds[0] < middle - half ? 0 : 1
      rowEnds[row] = middle + half
      drawing.line([(middle, bottom), (middle, bottom + 4)], color: "#999")
      drawing.text(
        label, x: middle, y: bottom + 17 + Double(row) * 13, anchor: "middle", color: "#666")
    }
  }

  private var sizes: [Int] { Set(lines.flatMap { $0.points.map(\.size) }).sorted() }
  private var times: [Double] { lines.flatMap { $0.points.map { drawn($0.time) } } }

  /// Powers of ten, at least two, that enclose all times.
  private var ticks: [Double] {
    let first = Int(floor(log10(times.min() ?? 1)))
    let last = max(first + 1, Int(ceil(log10(times.max() ?? 1))))
    return (first...last).map { pow(10, Double($0)) }
  }

  /// A time that was not measurable has no logarithm either.
  private func drawn(_ time: Double) -> Double { max(time, 0.1) }

  /// Zero has no logarithm; it stands to the left of the smallest size.
  private func position(_ size: Int) -> Double {
    size > 0 ? Double(size) : Double(sizes.first { $0 > 0 } ?? 1) / 4
  }

  private func scale(
    _ values: [Double], from start: Double, to end: Double
  ) -> (Double) -> Double {
    let low = log10(values.min() ?? 1)
    let high = log10(values.max() ?? 10)
    return { value in start + (end - start) * (log10(max(value, 0.1)) - low) / (high - low) }
  }
}
