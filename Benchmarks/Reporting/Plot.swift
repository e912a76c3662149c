/// The figures as a drawing: lines of time against size, and a bar for each case.
///
/// All axes are logarithmic: a line that rises by as much as it goes to the right is linear, a
/// level line does not depend on the size.
struct Plot {
  private static let width = 1_200.0
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

  /// The lines by what grows, without those of a single point.
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
