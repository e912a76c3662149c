import GraphQLLanguage

/// A subscription selects one field of the root, which is not for introspection and not conditional
/// (section 5.2.4.1).
enum SingleRootField: ValidationRule {
  static let name = "single-root-field"

  static func check(
    _ operation: OperationDefinition, _ file: SourceFile, _ context: DocumentContext
  ) {
    guard operation.kind == .subscription, let root = context.schema.rootType(.subscription)
    else { return }
    var collection = RootFields(root: root, context: context)
    collection.collect(operation.selectionSet, file)
    let name = operation.name.map { "Subscription \"\($0)\"" } ?? "Anonymous Subscription"
    if let first = collection.conditions.first {
      context.report(
        Self.self,
        "\(name) must not use `@skip` or `@include` directives in the top level selection.",
        at: first, related: Array(collection.conditions.dropFirst()))
      return
    }
    let extra = collection.groups.dropFirst().flatMap(\.places)
    if let first = extra.first {
      context.report(
        Self.self, "\(name) must select only one top level field.", at: first,
        related: Array(extra.dropFirst()))
    }
    for group in collection.groups where group.fieldName.hasPrefix("__") {
      context.report(
        Self.self, "\(name) must not select an introspection top level field.",
        at: group.places[0], related: Array(group.places.dropFirst()))
    }
  }
}

/// The fields of the root with all fragments that apply to its type (section 5.2.4.1,
/// "CollectSubscriptionFields").
private struct RootFields {
  let root: SchemaType
  let context: DocumentContext
  private(set) var groups: [(fieldName: String, places: [SourcePlace])] = []
  private(set) var conditions: [SourcePlace] = []
  private var positions: [String: Int] = [:]
  private var visited: Set<String> = []

  init(root: SchemaType, context: DocumentContext) {
    self.root = root
    self.context = context
  }

  mutating func collect(_ set: SelectionSet, _ file: SourceFile) {
    // A list of work, because a chain of fragments can be long.
    var work: [(Selection, SourceFile)] = set.selections.reversed().map { ($0, file) }
    while let (selection, file) = work.popLast() {
      switch selection {
      case .field(let field):
        addConditions(field.directives, file)
        add(field, SourcePlace(file: file, location: field.location))
      case .inlineFragment(let fragment):
        addConditions(fragment.directives, file)
        guard applies(fragment.typeCondition) else { continue }
        work += fragment.selectionSet.selections.reversed().map { ($0, file) }
      case .fragmentSpread(let spread):
        addConditions(spread.directives, file)
        guard visited.insert(spread.name).inserted, let use = context.fragments[spread.name],
          applies(use.fragment.typeCondition)
        else { continue }
        work += use.fragment.selectionSet.selections.reversed().map { ($0, use.file) }
      }
    }
  }

  private mutating func add(_ field: Field, _ place: SourcePlace) {
    if let position = positions[field.responseKey] {
      groups[position].places.append(place)
    } else {
      positions[field.responseKey] = groups.count
      groups.append((field.name, [place]))
    }
  }

  private mutating func addConditions(_ directives: [Directive], _ file: SourceFile) {
    for directive in directives where directive.isCondition {
      conditions.append(SourcePlace(file: file, location: directive.location))
    }
  }

  private func applies(_ condition: String?) -> Bool {
    guard let condition, context.schema.types[condition] != nil else { return condition == nil }
    return context.schema.isSubtype(root.name, of: condition)
  }
}
