import GraphQLLanguage
import GraphQLValidation

/// The selections of one object: fields by response key, and what depends on its type.
///
/// Inline fragments whose condition always holds are dissolved, so their fields belong to the object.
/// The documents are valid, so whatever is looked up in the schema is there, except fields that
/// objects lack because the schema is not valid.
struct SelectionCollection {
  /// A selection set, and whether it is selected under a condition.
  struct Source {
    let selections: SelectionSet
    let isConditional: Bool
  }

  struct Field {
    let key: String
    let field: SchemaField
    let location: SourceLocation
    var isConditional: Bool
    var sources: [Source] = []

    /// The selections with their conditions within the field's value. What makes the whole field
    /// conditional makes nothing in it conditional.
    var ownSources: [Source] {
      sources.count > 1
        ? sources : sources.map { Source(selections: $0.selections, isConditional: false) }
    }
  }

  struct Spread {
    let name: String
    let typeCondition: String
    let location: SourceLocation
    var isConditional: Bool
  }

  struct Part {
    let condition: SchemaType
    let location: SourceLocation
    var sources: [Source]
  }

  /// A field or a spread by its position in its list.
  enum Item {
    case field(Int)
    case spread(Int)
  }

  private(set) var items: [Item] = []
  private(set) var fields: [Field] = []
  private(set) var spreads: [Spread] = []
  private(set) var parts: [Part] = []
  /// The fields that the type lacks: only an interface of it has them.
  private(set) var missing: [GraphQLLanguage.Field] = []
  /// Whether the text selects the type's name, without a condition.
  private(set) var selectsTypename = false

  private let schema: TypeSystem
  private let documents: Documents
  private let type: SchemaType

  init(_ sources: [Source], on type: SchemaType, _ schema: TypeSystem, _ documents: Documents) {
    self.schema = schema
    self.documents = documents
    self.type = type
    for source in sources { add(source.selections, isConditional: source.isConditional) }
  }

  /// Whether a value of the object has an `id` in any case.
  var isIdentifiable: Bool {
    fields.contains {
      $0.key == "id" && $0.field.name == "id" && $0.sources.isEmpty && !$0.isConditional
        && $0.field.type.isNonNull && !$0.field.type.isList
    }
  }

  private mutating func add(_ set: SelectionSet, isConditional: Bool) {
    for selection in set.selections {
      switch selection {
      case .field(let field):
        add(field, isConditional: isConditional || field.directives.areConditional)
      case .fragmentSpread(let spread):
        add(spread, isConditional: isConditional || spread.directives.areConditional)
      case .inlineFragment(let fragment):
        add(fragment, isConditional: isConditional || fragment.directives.areConditional)
      }
    }
  }

  private mutating func add(_ syntax: GraphQLLanguage.Field, isConditional: Bool) {
    // The type's name is a property of its own, where it is needed.
    if syntax.isTypename {
      if !isConditional { selectsTypename = true }
      return
    }
    guard let field = schema.field(syntax.name, of: type) else {
      missing.append(syntax)
      return
    }
    let source = syntax.selectionSet.map { Source(selections: $0, isConditional: isConditional) }
    if let known = fields.firstIndex(where: { $0.key == syntax.responseKey }) {
      if !isConditional { fields[known].isConditional = false }
      fields[known].sources += source.map { [$0] } ?? []
    } else {
      items.append(.field(fields.count))
      fields.append(
        Field(
          key: syntax.responseKey, field: field, location: syntax.location,
          isConditional: isConditional, sources: source.map { [$0] } ?? []))
    }
  }

  private mutating func add(_ syntax: FragmentSpread, isConditional: Bool) {
    guard let fragment = documents.fragments[syntax.name] else { return }
    if syntax.isUnmasked {
      return add(syntax.unmasked(fragment.definition), isConditional: isConditional)
    }
    if let known = spreads.firstIndex(where: { $0.name == syntax.name }) {
      if !isConditional { spreads[known].isConditional = false }
      return
    }
    items.append(.spread(spreads.count))
    spreads.append(
      Spread(
        name: syntax.name, typeCondition: fragment.definition.typeCondition,
        location: syntax.location, isConditional: isConditional))
  }

  private mutating func add(_ syntax: InlineFragment, isConditional: Bool) {
    guard let name = syntax.typeCondition, !schema.isSubtype(type.name, of: name) else {
      return add(syntax.selectionSet, isConditional: isConditional)
    }
    guard let condition = schema.types[name] else { return }
    // An interface around it makes such text valid, but no object has two types.
    if type.kind == .object, condition.kind == .object { return }
    if consistsOfFragments(syntax.selectionSet, on: name) {
      return add(syntax.selectionSet, isConditional: isConditional)
    }
    let source = Source(selections: syntax.selectionSet, isConditional: isConditional)
    if let known = parts.firstIndex(where: { $0.condition.name == name }) {
      parts[known].sources.append(source)
    } else {
      parts.append(Part(condition: condition, location: syntax.location, sources: [source]))
    }
  }

  /// Whether all selections are fragments on the type of the condition, so that it adds nothing.
  private func consistsOfFragments(_ set: SelectionSet, on condition: String) -> Bool {
    set.selections.allSatisfy {
      guard case .fragmentSpread(let spread) = $0, !spread.isUnmasked else { return false }
      return documents.fragments[spread.name]?.definition.typeCondition == condition
    }
  }
}
