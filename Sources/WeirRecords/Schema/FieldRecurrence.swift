import GraphQLLanguage

/// Finds the fields that are selected again somewhere within their own selection. Only these can be
/// found again within their own value. Visits each selection set once.
struct FieldRecurrence {
  private(set) var recurring: Set<String> = []
  /// A bit for each field that may recur. If there are more than 64, some share one, and may be
  /// found although they do not recur.
  private let bits: [String: UInt64]
  private let fragments: [String: FragmentDefinition]
  /// The bits of the fields within each fragment.
  private var known: [String: UInt64] = [:]

  /// `repeated` has all fields that are selected in several places.
  init(repeated: Set<String>, fragments: [String: FragmentDefinition]) {
    let names = repeated.sorted().enumerated()
    bits = Dictionary(
      names.map { ($1, 1 << UInt64($0 % 64)) }, uniquingKeysWith: { first, _ in first })
    self.fragments = fragments
  }

  /// Returns the bits of the fields within a selection set.
  mutating func visit(_ selectionSet: SelectionSet) -> UInt64 {
    guard !bits.isEmpty else { return 0 }
    var found: UInt64 = 0
    for selection in selectionSet.selections {
      switch selection {
      case .field(let field):
        let own = bits[field.name] ?? 0
        let inner = field.selectionSet.map { visit($0) } ?? 0
        if own & inner != 0 { recurring.insert(field.name) }
        found |= own | inner
      case .inlineFragment(let fragment): found |= visit(fragment.selectionSet)
      case .fragmentSpread(let spread): found |= visit(fragmentNamed: spread.name)
      }
    }
    return found
  }

  private mutating func visit(fragmentNamed name: String) -> UInt64 {
    if let known = known[name] { return known }
    guard let fragment = fragments[name] else { return 0 }
    let found = visit(fragment.selectionSet)
    known[name] = found
    return found
  }
}
