/// Measures how deep selection sets nest after fragments have been inserted.
///
/// The parser limits the depth of each definition, but a chain of fragments can nest deeper, and
/// walking the selections takes stack space in proportion to the depth.
package struct SelectionNesting {
  package static let limit = 250

  package struct TooDeep: Error {}

  private let fragments: [String: FragmentDefinition]
  private var depths: [String: Int] = [:]
  private var enclosing: Set<String> = []

  package init(fragments: [String: FragmentDefinition]) {
    self.fragments = fragments
  }

  /// Returns the number of levels. Each fragment is measured once; a spread of a fragment within
  /// itself does not count.
  package mutating func depth(
    of set: SelectionSet, allowing levels: Int = SelectionNesting.limit
  ) throws(TooDeep) -> Int {
    guard levels > 0 else { throw TooDeep() }
    var deepest = 0
    for selection in set.selections {
      let depth: Int
      switch selection {
      case .field(let field):
        guard let inner = field.selectionSet else { continue }
        depth = try self.depth(of: inner, allowing: levels - 1)
      case .inlineFragment(let fragment):
        depth = try self.depth(of: fragment.selectionSet, allowing: levels - 1)
      case .fragmentSpread(let spread):
        depth = try self.depth(of: spread.name, allowing: levels - 1)
      }
      deepest = max(deepest, depth)
    }
    return deepest + 1
  }

  private mutating func depth(of name: String, allowing levels: Int) throws(TooDeep) -> Int {
    if let known = depths[name] {
      guard known <= levels else { throw TooDeep() }
      return known
    }
    guard let fragment = fragments[name], enclosing.insert(name).inserted else { return 0 }
    defer { enclosing.remove(name) }
    let depth = try depth(of: fragment.selectionSet, allowing: levels)
    depths[name] = depth
    return depth
  }
}
