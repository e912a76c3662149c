import GraphQLLanguage

/// Objects of a type with a key are selected with it. Without the key, a normalized cache keeps them
/// as a part of their parent. The key may be in a fragment that is missing.
enum RequireKey: ValidationRule {
  static let name = "require-key"

  static func check(_ context: DocumentContext) {
    if context.options.keys.isEmpty { return }
    let table = context.selections
    for use in table.fields {
      guard let set = use.selectionSet,
        let type = use.type.flatMap({ context.schema.type(of: $0) }),
        let fields = table.allFields(of: set)
      else { continue }
      let objects = Objects(fields: fields, keys: context.options.keys, schema: context.schema)
      for (name, missing) in objects.findings(type) {
        let list = Suggestions.list(missing.map { "\"\($0)\"" }, "and")
        let key =
          name == type.name && type.isAbstract ? "the key \(list) of its types" : "its key \(list)"
        context.report(
          Self.self,
          "\"\(name)\" is selected without \(key), so a normalized cache cannot store it as an entity.",
          at: SourcePlace(file: use.file, location: use.field.location), suggestions: missing)
      }
    }
  }
}

/// The objects that one field selects.
private struct Objects {
  let fields: [SelectionTable.FieldUse]
  let keys: [String: [String]]
  let schema: TypeSystem

  /// Returns the types that lack fields of their keys, with these fields.
  ///
  /// An interface or a union is one of them only if all of its types lack the same field: the author may
  /// know that the others do not occur, or that they need no entity.
  func findings(_ type: SchemaType) -> [(name: String, missing: [String])] {
    if type.kind == .object { return findings([type.name]) }
    let named = Set(fields.compactMap { $0.parent?.kind == .object ? $0.parent?.name : nil })
    let possible = schema.possibleTypes(of: type.name)
    // The name of the type alone is often there for types that nobody expects.
    let parents = Set(
      fields.compactMap { $0.field.name == "__typename" ? nil : $0.parent?.name })
    let others = possible.filter { name in
      !named.contains(name) && parents.contains { schema.isSubtype(name, of: $0) }
    }
    guard !others.isEmpty else { return findings(named.sorted()) }
    let all = others + possible.filter(named.contains)
    if all.count == 1 { return findings(all) }
    let missing = missingInAll(all)
    return missing.isEmpty ? findings(named.sorted()) : [(type.name, missing)]
  }

  private func findings(_ names: [String]) -> [(name: String, missing: [String])] {
    names.map { ($0, missing(of: $0)) }.filter { !$0.missing.isEmpty }
  }

  /// The fields that are a part of each type's key, and selected of none of the types.
  private func missingInAll(_ names: [String]) -> [String] {
    var common = names.first.map(missing) ?? []
    for name in names.dropFirst() where !common.isEmpty {
      let missing = missing(of: name)
      common.removeAll { !missing.contains($0) }
    }
    return common
  }

  /// The fields of a type's key that are not selected. An alias does not change that.
  private func missing(of name: String) -> [String] {
    (keys[name] ?? []).filter { key in
      !fields.contains { use in
        use.field.name == key && use.parent.map { schema.isSubtype(name, of: $0.name) } ?? false
      }
    }
  }
}
