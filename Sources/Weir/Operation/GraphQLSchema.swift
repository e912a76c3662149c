public import GraphQLLanguage

/// The part of a server's schema that a cache needs: the types that fields return, and the objects
/// of each interface and union.
///
/// Create it from the schema in SDL, or from the result of an introspection query. The rest of the
/// schema (types of arguments, input types, directives) is ignored.
public struct GraphQLSchema: Sendable {
  /// The root type of each kind of operation that the server has.
  public private(set) var rootTypes: [GraphQLOperation.Kind: String] = [:]

  /// The fields that return objects, interfaces or unions: by type and field name.
  package private(set) var compositeFields: [String: [String: String]] = [:]

  /// All fields by type and name, with the names of their arguments.
  package private(set) var fieldArguments: [String: [String: Set<String>]] = [:]
  /// Whether the text contains arguments; an introspection result need not.
  package private(set) var knowsArguments = true

  /// The object types of each interface and union.
  private var objects: [String: Set<String>] = [:]

  /// Reads a schema definition, including extensions in the same text.
  ///
  /// - Throws: `GraphQLSyntaxError` if the text does not parse.
  public init(sdl: String) throws(GraphQLSyntaxError) {
    self.init(try Document(parsing: sdl))
  }

  /// Reads the part of a schema that generated code contains: the types that its documents use.
  public init(generated sdl: StaticString) {
    // The generator has written the text. Without types, a cache knows what it has met.
    self.init((try? Document(parsing: "\(sdl)")) ?? Document(definitions: []))
  }

  /// Reads a schema definition from a syntax tree.
  public init(_ document: Document) {
    // A schema definition names all roots.
    var unnamed = Set(GraphQLOperation.Kind.allCases)
    for definition in document.definitions {
      if case .schema = definition { unnamed = [] }
      switch definition {
      case .schema(let schema), .schemaExtension(let schema):
        for root in schema.operationTypes {
          rootTypes[GraphQLOperation.Kind(root.kind)] = root.type
        }
      case .type(let type), .typeExtension(let type): add(type)
      case .operation, .fragment, .directive: break
      }
    }
    complete(unnamed)
  }

  /// Whether the schema has an object, interface or union type of this name.
  package func knows(_ type: String) -> Bool { objects[type] != nil }

  /// The names of all object, interface and union types.
  package var typenames: Set<String> { Set(objects.keys) }

  /// Returns the object types of a named type: the type itself, if it is an object type.
  public func possibleTypes(of type: String) -> Set<String> {
    objects[type] ?? [type]
  }
}

// MARK: - SDL

extension GraphQLSchema {
  private mutating func add(_ type: TypeDefinition) {
    switch type.kind {
    case .object:
      for name in type.interfaces + [type.name] { objects[name, default: []].insert(type.name) }
    case .interface, .union:
      objects[type.name, default: []].formUnion(type.memberTypes)
    case .scalar, .enum, .inputObject:
      break
    }
    for field in type.fields {
      compositeFields[type.name, default: [:]][field.name] = field.type.namedType
      fieldArguments[type.name, default: [:]][field.name] = Set(field.arguments.map(\.name))
    }
  }

  /// Drops the fields that return leaves. The roots of the `unnamed` kinds have the usual names: the
  /// schema does not say which ones there are.
  private mutating func complete(_ unnamed: Set<GraphQLOperation.Kind>) {
    compositeFields = compositeFields.mapValues { fields in
      fields.filter { objects[$0.value] != nil }
    }
    for kind in unnamed where rootTypes[kind] == nil {
      if objects[kind.typename] != nil { rootTypes[kind] = kind.typename }
    }
  }
}

// MARK: - Introspection

extension GraphQLSchema {
  /// Reads the result of an introspection query: the response, its `data`, or its `__schema`.
  ///
  /// The result must contain the names of the root types and, for each type, `kind`, `name`,
  /// `possibleTypes`, and `fields` with their `type` (GraphQL specification, section 4). The `args`
  /// of fields are read if they are there.
  ///
  /// - Throws: ``GraphQLSchemaError`` if the list of types is missing, or if a type has no name or kind.
  public init(introspection json: JSON) throws(GraphQLSchemaError) {
    let schema = json["data"]?["__schema"] ?? json["__schema"] ?? json
    guard let types = schema["types"] else {
      throw GraphQLSchemaError(message: "The introspection result contains no list of types.")
    }
    var unnamed: Set<GraphQLOperation.Kind> = []
    for kind in GraphQLOperation.Kind.allCases {
      let root = schema["\(kind.rawValue)Type"]
      rootTypes[kind] = root?["name"]?.string
      // Null says that there is none.
      if root == nil { unnamed.insert(kind) }
    }
    knowsArguments = false
    for type in types.elements {
      guard let name = type["name"]?.string, let kind = type["kind"]?.string else {
        throw GraphQLSchemaError(message: "A type in the introspection result has no name or kind.")
      }
      guard let kind = Self.introspectedKinds[kind] else { continue }
      let introspected = type["fields"].map { Array($0.elements) } ?? []
      if introspected.contains(where: { $0["args"]?.kind == .array }) { knowsArguments = true }
      let fields = introspected.compactMap(FieldDefinition.init(introspected:))
      let objects = type["possibleTypes"]?.elements.compactMap { $0["name"]?.string } ?? []
      add(TypeDefinition(kind, name: name, fields: fields, memberTypes: objects))
    }
    complete(unnamed)
  }

  private static let introspectedKinds: [String: TypeDefinition.Kind] = [
    "OBJECT": .object, "INTERFACE": .interface, "UNION": .union,
  ]
}

extension FieldDefinition {
  fileprivate init?(introspected field: JSON) {
    guard let name = field["name"]?.string, var type = field["type"] else { return nil }
    while let inner = type["ofType"], !inner.isNull { type = inner }
    guard let typename = type["name"]?.string else { return nil }
    let arguments = field["args"]?.elements.compactMap { $0["name"]?.string } ?? []
    self.init(
      name: name,
      arguments: arguments.map { InputValueDefinition(name: $0, type: .named("")) },
      type: .named(typename))
  }
}

/// The error of an introspection result that does not contain a schema.
public struct GraphQLSchemaError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A sentence for a person.
  public let message: String

  /// The message.
  public var description: String { message }
}
