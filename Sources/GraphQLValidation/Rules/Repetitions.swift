/// Names that occur several times, for the rules about uniqueness.
enum Repetitions {
  /// Returns the groups of elements with the same name, for names that occur more than once, in the
  /// order of the first elements.
  static func groups<Element>(
    of elements: [Element], by name: (Element) -> String
  ) -> [(name: String, elements: [Element])] {
    guard elements.count > 1 else { return [] }
    var positions: [String: Int] = [:]
    var groups: [(name: String, elements: [Element])] = []
    for element in elements {
      let name = name(element)
      if let position = positions[name] {
        groups[position].elements.append(element)
      } else {
        positions[name] = groups.count
        groups.append((name, [element]))
      }
    }
    return groups.count == elements.count ? [] : groups.filter { $0.elements.count > 1 }
  }
}
