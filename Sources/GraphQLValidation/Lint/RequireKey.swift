import GraphQLLanguage

/// Objects of a type with a key are selected with it. Without the key, a normalized cache keeps them
/// as a part of their parent. The key may be in a fragment that is missing.
enum RequireKey: ValidationRule {
  static let name = "require-key"

  static func check(_ context: DocumentContext) {
    let keys = context.options.keys
    if keys.isEmpty { return }
    let table = context.selections
    for use in table.fields {
      guard let set = use.selectionSet,
        let type = use.type.flatMap({ context.schema.type(of: $0) }),
        let fields = table.allFields(of: set)
      else { continue }
      for name in objectTypes(type, fields) {
        guard let key = keys[name] else { continue }
        let missing = key.filter { key in
          !fields.contains { isKey($0, key, of: name, context.schema) }
        }
        if missing.isEmpty { continue }
        let list = Suggestions.list(missing.map { "\"\($0)\"" }, "and")
        context.report(
          Self.self,
          "\"\(name)\" is selected without its key \(list), so a normalized cache cannot store it as "
            + "an entity.",
          at: SourcePlace(file: use.file, location: use.field.location), suggestions: missing)
      }
    }
  }

  /// The object types of which something is selected.
  private static func objectTypes(
    _ type: SchemaType, _ fields: [SelectionTable.FieldUse]
  ) -> [String] {
    if type.kind == .object { return [type.name] }
    let parents = fields.compactMap { $0.parent?.kind == .object ? $0.parent?.name : nil }
    return Set(parents).sorted()
  }

  /// Whether a field is a part of the key. An alias does not change that.
  private static func isKey(
    _ use: SelectionTable.FieldUse, _ key: String, of type: String, _ schema: TypeSystem
  ) -> Bool {
    guard use.field.name == key, let parent = use.parent else { return false }
    return schema.isSubtype(type, of: parent.name)
  }
}
