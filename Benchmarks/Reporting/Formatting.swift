import Foundation

extension Double {
  /// With so many digits after the point, but none of them in vain.
  func formatted(digits: Int) -> String {
    var text = String(format: "%.\(digits)f", self)
    guard text.contains(".") else { return text }
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  /// Three digits that count.
  var short: String {
    let size = abs(self)
    if size >= 100 { return String(format: "%.0f", self) }
    if size >= 10 { return String(format: "%.1f", self) }
    if size >= 1 { return String(format: "%.2f", self) }
    return String(format: "%.3f", self)
  }

  /// Nanoseconds in a unit that suits.
  var asTime: String {
    switch abs(self) {
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
