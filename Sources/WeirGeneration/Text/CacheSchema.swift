import GraphQLLanguage
import GraphQLValidation

/// The part of a schema that caches need: the types whose fields documents select, with all fields, and
/// the names of all root types, so that no ordinary type is taken for one.
struct CacheSchema {
  /// The definitions, as short as possible.
  let text: String
  /// The names of the types.
  let typenames: Set<String>
  /// The object types, in the order of the bytes of their names.
  let objects: [SchemaType]

  /// Makes it for the types whose fields are selected.
  init(_ schema: TypeSystem, _ selected: some Collection<String>) {
    let names = Set(selected).union(selected.flatMap { schema.possibleTypes(of: $0) })
    typenames = names
    var definitions: [Definition] = []
    for name in names.sorted() {
      guard let type = schema.types[name], !type.isBuiltIn else { continue }
      definitions.append(.type(Self.definition(of: type, among: names)))
    }
    let roots = OperationKind.allCases.compactMap { kind in
      schema.rootTypes[kind].map { OperationTypeDefinition(kind: kind, type: $0) }
    }
    if !definitions.isEmpty, !roots.isEmpty {
      definitions.insert(.schema(SchemaDefinition(operationTypes: roots)), at: 0)
    }
    objects = names.sorted().compactMap { schema.types[$0] }.filter {
      $0.kind == .object && !$0.isBuiltIn
    }
    text = definitions.isEmpty ? "" : Document(definitions: definitions).minifiedText
  }

  /// An interface that documents do not use is left out: not all of its objects are known here, so
  /// caches must not rely on them.
  private static func definition(of type: SchemaType, among names: Set<String>) -> TypeDefinition {
    TypeDefinition(
      type.kind, name: type.name, interfaces: type.interfaces.filter(names.contains),
      fields: type.fields.map { field in
        FieldDefinition(
          name: field.name,
          arguments: field.definition.arguments.map {
            InputValueDefinition(name: $0.name, type: $0.type)
          }, type: field.type)
      }, memberTypes: type.memberTypes)
  }
}
