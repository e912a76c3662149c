import GraphQLLanguage

/// A schema defines each type and directive once (section 3.3), and has one schema definition with
/// one root type of each kind (section 3.3.1). A built-in scalar may be repeated, but no other kind of
/// type can have its name (section 3.5).
enum UniqueDefinitions: ValidationRule {
  static let name = "unique-definitions"

  static func check(_ context: ValidationContext) {
    checkTypes(context)
    checkDirectives(context)
    checkSchema(context)
  }

  private static func checkTypes(_ context: ValidationContext) {
    var known: [String: SourcePlace] = [:]
    for file in context.schema.sources {
      for case .type(let type) in file.document.definitions {
        let place = SchemaType.Part(definition: type, isExtension: false, file: file).namePlace
        report(
          "There can be only one type named \"\(type.name)\".", type.name, place, &known, context)
        if type.kind != .scalar, TypeSystem.specifiedScalars.contains(type.name) {
          context.report(
            Self.self, "The name \"\(type.name)\" belongs to a built-in scalar.", at: place)
        }
      }
    }
  }

  private static func checkDirectives(_ context: ValidationContext) {
    var known: [String: SourcePlace] = [:]
    for file in context.schema.sources {
      for case .directive(let directive) in file.document.definitions {
        let place = SchemaDirective(definition: directive, file: file).namePlace
        report(
          "There can be only one directive named \"@\(directive.name)\".", directive.name, place,
          &known, context)
      }
    }
  }

  private static func checkSchema(_ context: ValidationContext) {
    var known: [String: SourcePlace] = [:]
    var hasDefinition = false
    for file in context.schema.sources {
      for definition in file.document.definitions {
        switch definition {
        case .schema(let schema):
          if hasDefinition {
            context.report(
              Self.self, "Must provide only one schema definition.",
              at: SourcePlace(file: file, location: schema.location))
          }
          hasDefinition = true
          checkOperationTypes(schema, file, &known, context)
        case .schemaExtension(let schema):
          checkOperationTypes(schema, file, &known, context)
        default: break
        }
      }
    }
  }

  private static func checkOperationTypes(
    _ schema: SchemaDefinition, _ file: SourceFile, _ known: inout [String: SourcePlace],
    _ context: ValidationContext
  ) {
    for operation in schema.operationTypes {
      let kind = operation.kind.rawValue
      report(
        "There can be only one \(kind) type in schema.", kind,
        SourcePlace(file: file, location: operation.location), &known, context)
    }
  }

  /// Reports a name that is already known, at its first place.
  private static func report(
    _ message: String, _ name: String, _ place: SourcePlace, _ known: inout [String: SourcePlace],
    _ context: ValidationContext
  ) {
    guard let first = known[name] else { return known[name] = place }
    context.report(Self.self, message, at: first, related: [place])
  }
}
