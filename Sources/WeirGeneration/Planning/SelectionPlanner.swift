import GraphQLLanguage
import GraphQLValidation

/// Plans the Swift types for the selection sets of one operation or fragment.
///
/// One selection set in the text becomes at most one type; nothing is merged from fragments, parents
/// or type conditions.
struct SelectionPlanner {
  typealias Source = SelectionCollection.Source

  let schema: TypeSystem
  let documents: Documents
  let file: NumberedFile
  /// The names that no nested type can have.
  let reservedTypes: Set<String>
  /// The namespaces that the code names, whose names no property can have.
  let namespaces: Set<String>
  /// The fragments that the code names, whose names no nested type can have either.
  let spreads: [Documents.Fragment]
  let casing: GenerationConfiguration.Casing
  private(set) var findings: [GenerationFinding] = []
  /// The fields that are selected, by the types that they are selected from.
  private(set) var selected: [String: Set<String>] = [:]
  private var sizes: SpreadSizes

  init(
    _ schema: TypeSystem, _ documents: Documents, _ file: NumberedFile,
    reservedTypes: Set<String> = [],
    namespaces: Set<String> = [], spreads: [Documents.Fragment] = [],
    casing: GenerationConfiguration.Casing
  ) {
    (self.schema, self.documents, self.file) = (schema, documents, file)
    self.reservedTypes = reservedTypes
    (self.namespaces, self.spreads, self.casing) = (namespaces, spreads, casing)
    sizes = SpreadSizes(documents, onlyUnmasked: false)
  }

  private var keys: SelectionKeys { SelectionKeys(schema: schema, documents: documents) }

  /// Plans the type of one object; `reservedProperties` are names that none of its own can have.
  mutating func plan(
    _ name: String, _ sources: [Source], on type: SchemaType, as role: SelectionType.Role,
    mayRepeat: Bool, reservedProperties: Set<String> = []
  ) -> SelectionType {
    let collection = SelectionCollection(sources, on: type, schema, documents)
    selected[type.name, default: []].formUnion(collection.fields.lazy.map(\.field.name))
    var plan = SelectionType(name: name, type: type, role: role, mayRepeat: mayRepeat)
    let names = MemberNames(
      collection, casing, reserved: reservedTypes,
      reservedProperties: namespaces.union(reservedProperties))
    plan.selectsTypename = collection.selectsTypename
    plan.isIdentifiable = collection.isIdentifiable
    for item in collection.items {
      switch item {
      case .field(let index):
        let field = collection.fields[index]
        if let member = member(field, names, in: plan) { plan.members.append(.field(member)) }
      case .spread(let index):
        plan.members.append(.fragment(fragment(collection.spreads[index], on: type, names)))
      }
    }
    for part in collection.parts { add(part, to: &plan) }
    if role == .root, type.name == schema.rootTypes[.subscription] {
      checkSubscription(sources.flatMap { Self.rootSpreads(in: $0.selections) }, on: type)
    }
    findings += collection.missing.map {
      GenerationFinding(schema.missingField($0.name, of: type), file, $0.location)
    }
    findings += names.used.findings(in: file)
    return plan
  }

  private mutating func member(
    _ field: SelectionCollection.Field, _ names: MemberNames, in parent: SelectionType
  ) -> SelectedField? {
    guard let type = schema.type(of: field.field.type) else {
      let message = schema.undefinedType(
        field.field.type, of: field.field.name, in: parent.type, isScalar: field.sources.isEmpty)
      findings.append(GenerationFinding(message, file, field.location))
      return nil
    }
    let content: SelectedField.Content
    if !type.isComposite {
      content = .leaf
    } else if let fragment = onlyFragment(field, on: type) {
      // The type is in use, although the fragment selects its fields.
      if selected[type.name] == nil { selected[type.name] = [] }
      content = .fragment(fragment)
    } else {
      let name = names.types[field.key]
      checkFragment(named: name, field.location)
      let mayRepeat = parent.mayRepeat || field.field.type.isList
      content = .type(
        plan(name, field.ownSources, on: type, as: .object, mayRepeat: mayRepeat))
    }
    return SelectedField(
      key: field.key, property: names.properties[field.key], field: field.field,
      isConditional: field.isConditional, content: content,
      keys: field.isConditional
        ? keys.paths(checked(field.ownSources, field.location), on: type, at: field.key) : [])
  }

  /// The fragment that is the only selection of a field, on the field's own type.
  private func onlyFragment(_ field: SelectionCollection.Field, on type: SchemaType) -> String? {
    var names: Set<String> = []
    for source in field.sources {
      guard source.selections.selections.count == 1,
        case .fragmentSpread(let spread) = source.selections.selections[0],
        !spread.directives.areConditional, !spread.isUnmasked,
        field.sources.count == 1 || !source.isConditional
      else { return nil }
      names.insert(spread.name)
    }
    // A fragment on a root type does not write the type's name, which the root of the data lacks.
    guard names.count == 1, let name = names.first, !schema.rootTypes.values.contains(type.name),
      let fragment = documents.fragments[name], fragment.definition.typeCondition == type.name
    else { return nil }
    return fragment.typeName
  }

  private mutating func checkFragment(named name: String, _ location: SourceLocation) {
    guard let fragment = spreads.first(where: { $0.typeName == name }) else { return }
    findings.append(
      GenerationFinding(
        "The type for these fields would be named \"\(name)\" like a fragment that is used here. "
          + "Give the field an alias, or rename the fragment.", file, location,
        related: [
          GenerationFinding(
            "The fragment is here.", fragment.file, fragment.definition.location)
        ]))
  }
}

extension SelectionPlanner {
  /// Reports fragments that need the name of the root's type, which a subscription cannot select, or are
  /// sent with it because queries or mutations need it.
  private mutating func checkSubscription(_ spreads: [FragmentSpread], on root: SchemaType) {
    var pending = spreads
    var seen: Set<String> = []
    while !pending.isEmpty {
      let spread = pending.removeFirst()
      guard seen.insert("\(spread.name) \(spread.isUnmasked)").inserted,
        let fragment = documents.fragments[spread.name]?.definition
      else { continue }
      let isSent = fragment.lacksTypename(in: schema)
      if spread.isUnmasked {
        pending += Self.rootSpreads(in: spread.unmasked(fragment).selectionSet)
      }
      guard
        isSent || !spread.isUnmasked && schema.types[fragment.typeCondition]?.isAbstract == true
      else { continue }
      findings.append(
        GenerationFinding(
          "The fragment \"\(spread.name)\" needs the name of the object's type, but a subscription "
            + "selects one field only. \(isSent ? "W" : "Spread it with @unmask, or w")rite it on "
            + "\"\(root.name)\".", file, spread.location))
    }
  }

  private static func rootSpreads(in set: SelectionSet) -> [FragmentSpread] {
    set.selections.flatMap { selection -> [FragmentSpread] in
      switch selection {
      case .field: []
      case .fragmentSpread(let spread): [spread]
      case .inlineFragment(let fragment): rootSpreads(in: fragment.selectionSet)
      }
    }
  }
}

// MARK: - Conditions

extension SelectionPlanner {
  /// Returns selections whose keys tell whether a response has them: none, with a finding, if these are
  /// too many.
  private mutating func checked(_ sources: [Source], _ location: SourceLocation) -> [Source] {
    let isTooLarge = sources.contains { !$0.isConditional && sizes.hasTooManyKeys($0.selections) }
    guard isTooLarge else { return sources }
    findings.append(
      GenerationFinding(
        "The fragments repeat more than \(SpreadSizes.keyLimit) selections here, which are too many to "
          + "tell whether a response has them. Spread fewer fragments.", file, location))
    return []
  }

  private mutating func fragment(
    _ spread: SelectionCollection.Spread, on type: SchemaType, _ names: MemberNames
  ) -> SpreadFragment {
    let fragment = documents.fragments[spread.name]
    let selections = fragment?.definition.selectionSet ?? []
    return SpreadFragment(
      typeName: fragment?.typeName ?? spread.name,
      property: names.properties[SwiftName.firstLower(spread.name)],
      condition: condition(
        spread.typeCondition, on: type, isConditional: spread.isConditional,
        [Source(selections: selections, isConditional: false)], spread.location))
  }

  private mutating func add(
    _ part: SelectionCollection.Part, to plan: inout SelectionType
  ) {
    let name = "As\(SwiftName.firstUpper(part.condition.name))"
    checkFragment(named: name, part.location)
    // If one of several fragments on a type is unconditional, so is the part.
    let isConditional = part.sources.allSatisfy(\.isConditional)
    let sources =
      part.sources.count > 1
      ? part.sources : part.sources.map { Source(selections: $0.selections, isConditional: false) }
    let type = self.plan(
      name, sources, on: part.condition, as: .part, mayRepeat: plan.mayRepeat)
    let condition = condition(
      part.condition.name, on: plan.type, isConditional: isConditional, sources, part.location)
    let planned = SelectionType.Part(type: type, condition: condition)
    if part.condition.kind == .object {
      plan.objectParts.append(planned)
    } else {
      plan.abstractParts.append(planned)
    }
  }

  private mutating func condition(
    _ name: String, on type: SchemaType, isConditional: Bool, _ sources: [Source],
    _ location: SourceLocation
  ) -> Condition {
    guard let target = schema.types[name], !schema.isSubtype(type.name, of: name) else {
      guard isConditional else { return .none }
      let paths = keys.paths(checked(sources, location), on: type)
      return .keys(keys.typename(of: name, on: type) + paths)
    }
    if target.kind == .object {
      return .object(
        name, keys: isConditional ? keys.paths(checked(sources, location), on: target) : [])
    }
    return .abstract(
      name, of: type.name, keys: keys.paths(checked(sources, location), on: target),
      isConditional: isConditional)
  }
}
