import Foundation

/// The amount of work: `WEIR_STRESS=10` multiplies the rounds.
enum Stress {
  static let factor = ProcessInfo.processInfo.environment["WEIR_STRESS"].flatMap(Double.init) ?? 1

  static func rounds(_ count: Int) -> Int { max(1, Int(Double(count) * factor)) }

  /// Returns everything, or in a shorter run, as under a sanitizer, every eighth element: each of
  /// them takes a request, and neighbours do the same in the program.
  static func some<Element>(of elements: [Element]) -> [Element] {
    factor < 1 ? stride(from: 3, to: elements.count, by: 8).map { elements[$0] } : elements
  }
}
