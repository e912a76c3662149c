import GraphQLLanguage

/// An extension is of the same kind as the type that it extends, which is defined (section 3.4.3).
enum TypeExtensions: ValidationRule {
  static let name = "type-extensions"

  static func check(_ type: SchemaType, _ context: ValidationContext) {
    let definition = type.parts.first { !$0.isExtension }
    for part in type.parts where part.isExtension {
      guard let definition else {
        reportMissing(part, context)
        continue
      }
      if part.definition.kind == definition.definition.kind { continue }
      let isBuiltIn = definition.file === TypeSystem.builtIn
      context.report(
        Self.self, "Cannot extend non-\(part.definition.kind.words) type \"\(type.name)\".",
        at: isBuiltIn ? part.place : definition.place, related: isBuiltIn ? [] : [part.place])
    }
  }

  private static func reportMissing(_ part: SchemaType.Part, _ context: ValidationContext) {
    let name = part.definition.name
    let similar = context.similar(Self.self, to: name, in: "") {
      context.schema.typeNames.filter { name in
        context.schema.types[name]?.parts.contains { !$0.isExtension } == true
      }
    }
    context.report(
      Self.self,
      "Cannot extend type \"\(name)\" because it is not defined.\(Suggestions.question(similar))",
      at: part.namePlace, suggestions: similar)
  }
}

extension TypeDefinition.Kind {
  fileprivate var words: String {
    switch self {
    case .scalar: "scalar"
    case .object: "object"
    case .interface: "interface"
    case .union: "union"
    case .enum: "enum"
    case .inputObject: "input object"
    }
  }
}
