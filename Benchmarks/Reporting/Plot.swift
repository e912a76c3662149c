import Foundation

/// The figures as a drawing: a bar for each case, and lines of cost against size.
///
/// Both are logarithmic: a line that climbs by as much as it goes to the right is linear, a level
/// one does not depend on the size.
struct Plot {
  private static let width = 960.0
  private let report: Report

  init(_ report: Report) {
    self.report = report
  }

  var svg: String {
    var drawing = Drawing()
    var top = 40.0
    drawing.text("Weir: \(Machine.description)", x: 20, y: 24, size: 14)
    for group in groups {
      top = ScalingChart(axis: group.axis, lines: group.lines).draw(
        in: &drawing, top: top, width: Self.width)
    }
    top = BarChart(report.measurements).draw(in: &drawing, top: top, width: Self.width)
    return drawing.svg(width: Self.width, height: top + 20)
  }

  /// The lines by what grows; those of one point are left out.
  private var groups: [(axis: String, lines: [ScalingChart.Line])] {
    var axes: [String] = []
    var lines: [String: [String: [(size: Int, time: Double)]]] = [:]
    for measurement in report.cases {
      guard let scaling = measurement.scaling else { continue }
      if lines[scaling.axis] == nil { axes.append(scaling.axis) }
      lines[scaling.axis, default: [:]][scaling.line, default: []]
        .append((scaling.size, measurement.minimum))
    }
    return axes.compactMap { axis in
      let drawn = (lines[axis] ?? [:]).filter { $0.value.count > 1 }
        .map { ScalingChart.Line(name: $0.key, points: $0.value.sorted { $0.size < $1.size }) }
        .sorted { $0.name < $1.name }
      return drawn.isEmpty ? nil : (axis, drawn)
    }
  }
}

/// The parts of a drawing, as SVG.
struct Drawing {
  private var elements: [String] = []

  mutating func text(
    _ text: String, x: Double, y: Double, size: Double = 11, anchor: String = "start",
    color: String = "#222"
  ) {
    let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;")
    elements.append(
      #"<text x="\#(x.drawn)" y="\#(y.drawn)" font-size="\#(size.drawn)" "#
        + #"text-anchor="\#(anchor)" fill="\#(color)">\#(escaped)</text>"#)
  }

  mutating func bar(x: Double, y: Double, width: Double, height: Double, color: String) {
    elements.append(
      #"<rect x="\#(x.drawn)" y="\#(y.drawn)" width="\#(max(0, width).drawn)" "#
        + #"height="\#(height.drawn)" fill="\#(color)"/>"#)
  }

  mutating func line(_ points: [(x: Double, y: Double)], color: String, width: Double = 1) {
    let path = points.map { "\($0.x.drawn),\($0.y.drawn)" }.joined(separator: " ")
    elements.append(
      #"<polyline points="\#(path)" fill="none" stroke="\#(color)" stroke-width="\#(width.drawn)"/>"#
    )
  }

  mutating func dot(x: Double, y: Double, color: String) {
    elements.append(#"<circle cx="\#(x.drawn)" cy="\#(y.drawn)" r="3" fill="\#(color)"/>"#)
  }

  func svg(width: Double, height: Double) -> String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width.drawn) \(height.drawn)" \
    width="\(width.drawn)" height="\(height.drawn)" font-family="sans-serif">
    <rect width="100%" height="100%" fill="#fff"/>
    \(elements.joined(separator: "\n"))
    </svg>

    """
  }
}

extension Double {
  fileprivate var drawn: String { formatted(digits: 1) }
}
