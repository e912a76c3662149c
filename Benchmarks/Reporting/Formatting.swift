import Foundation

extension Double {
  /// With at most this number of digits after the point, and without zeros at the end.
  func formatted(digits: Int) -> String {
    var text = String(format: "%.\(digits)f", self)
    guard text.contains(".") else { return text }
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  /// With two significant digits, however small it is.
  var asMultiple: String {
    guard self > 0 else { return "0" }
    let unit = pow(10, floor(log10(self)) - 1)
    let rounded = (self / unit).rounded() * unit
    // Rounding may have added a digit; 0.999 is 1.0.
    let exponent = Int(floor(log10(rounded * (1 + 1e-9))))
    return String(format: "%.\(Swift.max(0, 1 - exponent))f", rounded)
  }

  /// With three significant digits, or three after the point.
  var short: String {
    let size = abs(self)
    if size >= 100 { return String(format: "%.0f", self) }
    if size >= 10 { return String(format: "%.1f", self) }
    if size >= 1 { return String(format: "%.2f", self) }
    return String(format: "%.3f", self)
  }

  /// Nanoseconds in a suitable unit.
  var asTime: String {
    switch abs(self) {
    case 0: "0 ns"
    case ..<1e3: "\(short) ns"
    case ..<1e6: "\((self / 1e3).short) µs"
    case ..<1e9: "\((self / 1e6).short) ms"
    default: "\((self / 1e9).short) s"
    }
  }
}

extension String {
  func padded(to width: Int, leading: Bool) -> String {
    let space = String(repeating: " ", count: Swift.max(0, width - count))
    return leading ? space + self : self + space
  }
}
