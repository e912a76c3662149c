import TestSupport

extension Stress {
  /// Returns everything, or in a shorter run, as under a sanitizer, every eighth element: each of
  /// them takes a request, and neighbours do the same in the program.
  static func some<Element>(of elements: [Element]) -> [Element] {
    factor < 1 ? stride(from: 3, to: elements.count, by: 8).map { elements[$0] } : elements
  }
}
