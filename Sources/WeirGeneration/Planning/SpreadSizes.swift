import GraphQLLanguage
import GraphQLValidation

/// How many selections are in the fragments that selections spread.
///
/// A few fragments that spread each other more than once can repeat more than any memory holds.
struct SpreadSizes {
  static let limit = 50_000
  /// How many repeated selections have keys, each of which is a text in the generated code.
  static let keyLimit = 5_000

  private let fragments: [String: Documents.Fragment]
  private let onlyUnmasked: Bool
  private var known: [String: Int] = [:]

  init(_ documents: Documents, onlyUnmasked: Bool) {
    fragments = documents.fragments
    self.onlyUnmasked = onlyUnmasked
  }

  /// Whether a fragment repeats too many selections of others.
  mutating func isTooLarge(_ fragment: String) -> Bool {
    fragments[fragment].map { isTooLarge($0.definition.selectionSet) } ?? false
  }

  /// Whether a selection set repeats too many selections of fragments.
  mutating func isTooLarge(_ selections: SelectionSet) -> Bool {
    size(ofSpreadsIn: selections) > Self.limit
  }

  /// Whether the keys of a selection set repeat too many selections of fragments: in addition to the
  /// selections that the texts of these fragments have, which may be as many as their author writes.
  mutating func hasTooManyKeys(_ selections: SelectionSet) -> Bool {
    let size = size(ofSpreadsIn: selections)
    if size <= Self.keyLimit { return false }
    return size > Self.limit || size - textSize(of: selections) > Self.keyLimit
  }

  /// The selections of the fragments that a selection set spreads, also in each other, each once.
  private mutating func textSize(of selections: SelectionSet) -> Int {
    var seen: Set<String> = []
    var pending = counted(selections).map(\.name)
    var size = 0
    while let name = pending.popLast() {
      guard seen.insert(name).inserted, let set = fragments[name]?.definition.selectionSet else {
        continue
      }
      let spreads = counted(set).map(\.name)
      pending += spreads
      size += self.size(of: name) - spreads.reduce(0) { $0 + self.size(of: $1) }
    }
    return size
  }

  /// The finding for a definition that repeats too many selections; nil if it spreads a fragment of
  /// this module with that finding.
  mutating func finding(_ definition: Definition, in file: SourceFile) -> GenerationFinding? {
    guard let selections = definition.selections, isTooLarge(selections) else { return nil }
    let spreads = counted(selections)
    for spread in spreads
    where fragments[spread.name]?.modules.isEmpty == true && isTooLarge(spread.name) { return nil }
    return GenerationFinding(
      "The unmasked fragments repeat more than \(Self.limit) selections here. Spread some of them "
        + "without @unmask.", file, spreads.first?.location ?? definition.location)
  }

  /// The selections of the fragments that a selection set spreads, each as often as it is repeated; or
  /// more than the limit.
  private mutating func size(ofSpreadsIn selections: SelectionSet) -> Int {
    var size = 0
    for spread in counted(selections) where size <= Self.limit {
      size += self.size(of: spread.name)
    }
    return size
  }

  private func counted(_ selections: SelectionSet) -> [FragmentSpread] {
    Documents.spreads(in: selections).filter(isCounted)
  }

  private func isCounted(_ spread: FragmentSpread) -> Bool { spread.isUnmasked || !onlyUnmasked }

  private mutating func size(of fragment: String) -> Int {
    if let size = known[fragment] { return size }
    guard let definition = fragments[fragment]?.definition else { return 0 }
    // A fragment that spreads itself is an error of the validation.
    known[fragment] = 0
    let size = size(of: definition.selectionSet)
    known[fragment] = size
    return size
  }

  /// The size, or a little more than the limit.
  private mutating func size(of set: SelectionSet) -> Int {
    var size = 0
    for selection in set.selections {
      switch selection {
      case .field(let field): size += 1 + (field.selectionSet.map { self.size(of: $0) } ?? 0)
      case .fragmentSpread(let spread): size += isCounted(spread) ? self.size(of: spread.name) : 1
      case .inlineFragment(let fragment): size += self.size(of: fragment.selectionSet)
      }
      size = min(size, Self.limit + 1)
    }
    return size
  }
}
