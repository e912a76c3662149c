import GraphQLLanguage
import GraphQLValidation

/// The parts of a schema that documents use: the coordinates of fields, arguments and types. A type
/// condition counts by its own coordinate, too.
struct DocumentUse {
  private let schema: TypeSystem
  private(set) var coordinates: Set<String> = []

  init(_ documents: [Document], of schema: TypeSystem) {
    self.schema = schema
    for definition in documents.flatMap(\.definitions) {
      switch definition {
      case .operation(let operation):
        coordinates.insert(operation.kind.rawValue)
        for variable in operation.variableDefinitions {
          addInput(variable.type.namedType)
          add(variable.directives)
        }
        add(operation.directives)
        add(operation.selectionSet, of: schema.rootType(operation.kind))
      case .fragment(let fragment):
        add(fragment.directives)
        add(fragment.selectionSet, on: fragment.typeCondition)
      case .schema, .type, .directive, .schemaExtension, .typeExtension: break
      }
    }
  }

  /// The coordinate of the use of a type as a condition.
  static func condition(_ type: String) -> String { "on \(type)" }

  /// Whether the documents use a place that a change concerns.
  func contains(_ change: SchemaChange) -> Bool {
    change.concerns.contains(where: coordinates.contains)
  }

  private mutating func add(_ set: SelectionSet, on condition: String) {
    coordinates.formUnion([condition, Self.condition(condition)])
    add(set, of: schema.types[condition])
  }

  private mutating func add(_ set: SelectionSet, of parent: SchemaType?) {
    for selection in set.selections {
      switch selection {
      case .field(let field): add(field, of: parent)
      case .fragmentSpread(let spread): add(spread.directives)
      case .inlineFragment(let fragment):
        add(fragment.directives)
        if let condition = fragment.typeCondition {
          add(fragment.selectionSet, on: condition)
        } else {
          add(fragment.selectionSet, of: parent)
        }
      }
    }
  }

  private mutating func add(_ field: Field, of parent: SchemaType?) {
    add(field.directives)
    guard let parent, let definition = schema.field(field.name, of: parent) else { return }
    // A field of an interface is read from the objects that implement it.
    for type in [parent.name] + schema.possibleTypes(of: parent.name) {
      let coordinate = "\(type).\(field.name)"
      coordinates.insert(coordinate)
      for argument in field.arguments { coordinates.insert("\(coordinate)(\(argument.name):)") }
    }
    for argument in field.arguments {
      if let type = definition.argument(argument.name)?.type { addInput(type.namedType) }
    }
    let type = definition.type.namedType
    coordinates.insert(type)
    if let set = field.selectionSet { add(set, of: schema.types[type]) }
  }

  /// Adds an input type and all that values of it can have, because variables may have it, too.
  private mutating func addInput(_ name: String) {
    guard coordinates.insert(name).inserted, let type = schema.types[name] else { return }
    for field in type.inputFields {
      coordinates.insert("\(name).\(field.name)")
      addInput(field.type.namedType)
    }
  }

  private mutating func add(_ directives: [Directive]) {
    for directive in directives {
      coordinates.insert("@\(directive.name)")
      for argument in directive.arguments {
        coordinates.insert("@\(directive.name)(\(argument.name):)")
      }
    }
  }
}
