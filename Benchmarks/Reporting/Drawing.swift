/// A colour and a mark that together are different for each of the first 24 lines of a chart.
struct LineStyle {
  enum Mark: CaseIterable {
    case circle, square, triangle
  }

  private static let colors = [
    "#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b", "#17becf", "#7f7f7f",
  ]

  let color: String
  let mark: Mark

  init(_ index: Int) {
    color = Self.colors[index % Self.colors.count]
    mark = Mark.allCases[index % Mark.allCases.count]
  }
}

/// The parts of a drawing, as SVG.
struct Drawing {
  private var elements: [String] = []

  /// How wide a text is at most, if its size is 11.
  static func width(of text: String) -> Double { Double(text.count) * 6.4 }

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
    elements.append(
      #"<polyline points="\#(path(points))" fill="none" stroke="\#(color)" "#
        + #"stroke-width="\#(width.drawn)"/>"#)
  }

  mutating func mark(_ style: LineStyle, x: Double, y: Double) {
    switch style.mark {
    case .circle:
      elements.append(
        #"<circle cx="\#(x.drawn)" cy="\#(y.drawn)" r="3.5" fill="\#(style.color)"/>"#)
    case .square:
      bar(x: x - 3.2, y: y - 3.2, width: 6.4, height: 6.4, color: style.color)
    case .triangle:
      let corners = path([(x, y - 4.5), (x - 4.2, y + 3), (x + 4.2, y + 3)])
      elements.append(#"<polygon points="\#(corners)" fill="\#(style.color)"/>"#)
    }
  }

  private func path(_ points: [(x: Double, y: Double)]) -> String {
    points.map { "\($0.x.drawn),\($0.y.drawn)" }.joined(separator: " ")
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
