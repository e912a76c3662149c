import GraphQLLanguage

/// Finds the fields whose objects are selected in several places, with their keys in some of these and
/// without in others. Only these can show one object in both ways. Visits each selection set once. Mistaking
/// a field for one of these only costs time.
struct MixedKeys {
  /// The names of these fields.
  private(set) var fields: Set<String> = []
  /// The names of the fields that may form keys; nil for all, because closures compute keys.
  private let keyNames: Set<String>?
  private let fragments: [String: FragmentDefinition]
  /// By field, what its last selection has of these. A condition or a directive on the way counts as
  /// part of the name.
  private var found: [String: Set<String>] = [:]
  private var known: [String: Set<String>] = [:]

  init(_ policies: RecordPolicies, _ fragments: [String: FragmentDefinition]) {
    keyNames = policies.keyNames
    self.fragments = fragments
  }

  /// Returns what a selection set has of the fields that may form keys.
  @discardableResult
  mutating func visit(_ selectionSet: SelectionSet) -> Set<String> {
    var keys: Set<String> = []
    for selection in selectionSet.selections {
      switch selection {
      case .field(let field):
        if let selectionSet = field.selectionSet {
          let inner = visit(selectionSet)
          if found.updateValue(inner, forKey: field.name) ?? inner != inner {
            fields.insert(field.name)
          }
        } else if keyNames?.contains(field.name) ?? true {
          keys.formUnion(Self.marked([field.name], nil, field.directives))
        }
      case .inlineFragment(let fragment):
        let inner = visit(fragment.selectionSet)
        keys.formUnion(Self.marked(inner, fragment.typeCondition, fragment.directives))
      case .fragmentSpread(let spread):
        let inner = visit(fragmentNamed: spread.name)
        let condition = fragments[spread.name]?.typeCondition
        keys.formUnion(Self.marked(inner, condition, spread.directives))
      }
    }
    return keys
  }

  private mutating func visit(fragmentNamed name: String) -> Set<String> {
    if let known = known[name] { return known }
    guard let fragment = fragments[name] else { return [] }
    known[name] = []
    let keys = visit(fragment.selectionSet)
    // Fragments that spread others twice would make the sets grow exponentially.
    let bounded = keys.count > 64 ? ["...\(name)"] : keys
    known[name] = bounded
    return bounded
  }

  private static func marked(
    _ names: Set<String>, _ condition: String?, _ directives: [Directive]
  ) -> Set<String> {
    let marks = directives.filter(\.isCondition)
    guard condition != nil || !marks.isEmpty else { return names }
    return Set(names.map { "\($0) \(condition ?? "") \(marks)" })
  }
}

extension RecordPolicies {
  /// The names of the fields that may form keys; nil for all, because closures compute keys.
  fileprivate var keyNames: Set<String>? {
    var names: Set<String> = ["id", "_id"]
    for key in keys.values {
      switch key {
      case .fields(let fields): names.formUnion(fields)
      case .computed: return nil
      case .embedded: continue
      }
    }
    return names
  }
}
