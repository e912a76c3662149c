/// Measures selection sets after fragments have been inserted: how deep they nest, and how many
/// selections they have.
///
/// The parser limits the depth of each definition, but a chain of fragments can nest deeper, and
/// walking the selections takes stack space in proportion to the depth.
package struct SelectionNesting {
  package static let limit = 250

  package struct TooDeep: Error {}

  package struct Extent {
    /// The number of levels.
    package fileprivate(set) var depth = 0
    /// The number of selections; more than ``maximumSelections`` are not counted.
    package fileprivate(set) var selections = 0

    fileprivate mutating func count(_ inner: Extent = Extent()) {
      depth = max(depth, inner.depth)
      selections = min(selections + 1 + inner.selections, Self.maximumSelections)
    }

    /// The number that stands for all larger ones, and for fragments that spread themselves.
    package static let maximumSelections = 1 << 29
  }

  private let fragments: [String: FragmentDefinition]
  private var extents: [String: Extent] = [:]
  private var enclosing: Set<String> = []

  package init(fragments: [String: FragmentDefinition]) {
    self.fragments = fragments
  }

  /// Measures a selection set. Each fragment is measured once; a spread of a fragment within itself does
  /// not count as a level.
  package mutating func extent(
    of set: SelectionSet, allowing levels: Int = SelectionNesting.limit
  ) throws(TooDeep) -> Extent {
    guard levels > 0 else { throw TooDeep() }
    var extent = Extent()
    for selection in set.selections {
      switch selection {
      case .field(let field):
        guard let inner = field.selectionSet else {
          extent.count()
          continue
        }
        extent.count(try self.extent(of: inner, allowing: levels - 1))
      case .inlineFragment(let fragment):
        extent.count(try self.extent(of: fragment.selectionSet, allowing: levels - 1))
      case .fragmentSpread(let spread):
        extent.count(try self.extent(of: spread.name, allowing: levels - 1))
      }
    }
    extent.depth += 1
    return extent
  }

  private mutating func extent(of name: String, allowing levels: Int) throws(TooDeep) -> Extent {
    if let known = extents[name] {
      guard known.depth <= levels else { throw TooDeep() }
      return known
    }
    guard let fragment = fragments[name] else { return Extent() }
    guard enclosing.insert(name).inserted else {
      return Extent(selections: Extent.maximumSelections)
    }
    defer { enclosing.remove(name) }
    let extent = try extent(of: fragment.selectionSet, allowing: levels)
    extents[name] = extent
    return extent
  }
}
