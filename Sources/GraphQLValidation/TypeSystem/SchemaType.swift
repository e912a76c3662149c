public import GraphQLLanguage

/// A named type of a schema, merged with its extensions (specification, section 3.4).
public final class SchemaType: SchemaElement {
  /// A definition or an extension of a type.
  public struct Part: Sendable {
    /// The definition as it was parsed.
    public let definition: TypeDefinition
    /// Whether it is an extension: `extend type …`.
    public let isExtension: Bool
    /// The file of the part.
    public let file: SourceFile

    var place: SourcePlace { SourcePlace(file: file, location: definition.location) }
  }

  /// The name.
  public let name: String
  /// The documentation.
  public let description: String?
  /// The directives on the definition and its extensions.
  public let directives: [Directive]
  /// The place of the definition.
  public let place: SourcePlace
  /// The kind of the type.
  public let kind: TypeDefinition.Kind
  /// The fields of an object type or an interface. If several have one name, only the first is here.
  public let fields: [SchemaField]
  /// The fields of an input object, each name once.
  public let inputFields: [SchemaInput]
  /// The values of an enumeration, each name once.
  public let values: [SchemaEnumValue]
  /// The names of the interfaces that an object type or an interface implements.
  public let interfaces: [String]
  /// The names of the members of a union.
  public let memberTypes: [String]
  /// The definitions and extensions that the type was merged from, in the order of the sources.
  public let parts: [Part]

  /// The positions of the members by name; empty for a type with few members, which are searched.
  private let positions: [String: Int]

  init(_ parts: [Part], kind: TypeDefinition.Kind, name: String) {
    let main = parts.first { !$0.isExtension } ?? parts[0]
    self.parts = parts
    self.kind = kind
    self.name = name
    place = main.place
    description = main.definition.description?.value
    let same = parts.filter { $0.definition.kind == kind }
    directives = same.flatMap(\.definition.directives)
    fields = Self.unique(same, \.fields, SchemaField.init)
    inputFields = Self.unique(same, \.inputFields, SchemaInput.init)
    values = Self.unique(same, \.values, SchemaEnumValue.init)
    interfaces = Self.unique(same.flatMap(\.definition.interfaces))
    memberTypes = Self.unique(same.flatMap(\.definition.memberTypes))
    let names = fields.map(\.name) + inputFields.map(\.name) + values.map(\.name)
    positions =
      names.count > 8
      ? Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first } : [:]
  }

  private static func unique<Syntax, Element: SchemaElement>(
    _ parts: [Part], _ members: KeyPath<TypeDefinition, [Syntax]>,
    _ make: (Syntax, SourceFile) -> Element
  ) -> [Element] {
    let all = parts.flatMap { part in
      part.definition[keyPath: members].map { make($0, part.file) }
    }
    guard all.count > 1 else { return all }
    var seen = Set<String>(minimumCapacity: all.count)
    return all.filter { seen.insert($0.name).inserted }
  }

  private static func unique(_ names: [String]) -> [String] {
    guard names.count > 1 else { return names }
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }
}

extension SchemaType {
  /// Returns the field of an object type or an interface.
  ///
  /// `__typename`, `__schema` and `__type` are fields of no type; see ``TypeSystem/field(_:of:)``.
  public func field(_ name: String) -> SchemaField? { member(name, of: fields) }

  /// Returns the field of an input object.
  public func inputField(_ name: String) -> SchemaInput? { member(name, of: inputFields) }

  /// Returns the value of an enumeration.
  public func value(_ name: String) -> SchemaEnumValue? { member(name, of: values) }

  private func member<Element: SchemaElement>(_ name: String, of all: [Element]) -> Element? {
    if positions.isEmpty { return all.first { $0.name == name } }
    return positions[name].flatMap { all.indices.contains($0) ? all[$0] : nil }
  }

  /// Whether the type has fields or possible types: an object type, an interface or a union.
  public var isComposite: Bool { kind == .object || kind == .interface || kind == .union }

  /// Whether a field of the type has no selection set: a scalar or an enumeration.
  public var isLeaf: Bool { kind == .scalar || kind == .enum }

  /// Whether the type can be that of an argument, a variable or a field of an input object.
  public var isInput: Bool { isLeaf || kind == .inputObject }

  /// Whether the type stands for several object types: an interface or a union.
  public var isAbstract: Bool { kind == .interface || kind == .union }

  /// Whether an input object takes exactly one of its fields (specification, section 3.10.1).
  public var isOneOf: Bool {
    kind == .inputObject && directives.contains { $0.name == "oneOf" }
  }

  /// The address of the specification of a scalar (section 3.13.4).
  public var specifiedBy: String? {
    guard let directive = directives.first(where: { $0.name == "specifiedBy" }),
      case .string(let url)? = directive.argument("url")
    else { return nil }
    return url.value
  }

  /// Whether the type belongs to every schema: a built-in scalar, or a type of the introspection.
  public var isBuiltIn: Bool { place.file === TypeSystem.builtIn }
}
