package import GraphQLLanguage

/// Visits every definition of a schema once, and shows it to the rules that are about it.
struct SchemaWalk {
  let context: ValidationContext

  private var schema: TypeSystem { context.schema }

  func visit() {
    UniqueDefinitions.check(context)
    RootTypes.check(context)
    visitSchemaDefinitions()
    for name in schema.directives.keys.sorted() {
      guard let directive = schema.directives[name], directive.file !== TypeSystem.builtIn else {
        continue
      }
      visit(directive)
    }
    for name in schema.typeNames {
      if let type = schema.types[name] { visit(type) }
    }
    DirectiveCycles.check(context)
    InputObjectCycles.check(context)
    DefaultValueCycles.check(context)
  }

  private func visitSchemaDefinitions() {
    var known: [String: SourcePlace] = [:]
    for file in schema.sources {
      for definition in file.document.definitions {
        switch definition {
        case .schema(let part), .schemaExtension(let part):
          for operation in part.operationTypes {
            KnownTypes.check(
              operation.type, SourcePlace(file, operation.location, tokens: 2), context)
          }
          visit(part.directives, on: .schema, in: file, &known)
        default: break
        }
      }
    }
  }

  private func visit(_ directive: SchemaDirective) {
    ReservedNames.check(directive, context)
    UniqueMembers.checkArguments(
      directive.definition.arguments, of: "@\(directive.name)", in: directive.file, context)
    for argument in directive.arguments {
      visit(argument, "@\(directive.name)(\(argument.name):)", typePlace: argument.place)
    }
  }
}

// MARK: - Types

extension SchemaWalk {
  private func visit(_ type: SchemaType) {
    ReservedNames.check(type, context)
    TypeExtensions.check(type, context)
    UniqueMembers.check(type, context)
    NonEmptyTypes.check(type, context)
    UnionMembers.check(type, context)
    InterfaceImplementation.check(type, context)
    OneOfFields.check(type, context)
    var known: [String: SourcePlace] = [:]
    for part in type.parts where part.file !== TypeSystem.builtIn {
      for (position, name) in part.definition.interfaces.enumerated() {
        KnownTypes.check(name, part.interfacePlace(position), context)
      }
      for (position, name) in part.definition.memberTypes.enumerated() {
        KnownTypes.check(name, part.memberPlace(position), context)
      }
      visit(part.definition.directives, on: type.kind.location, in: part.file, &known)
    }
    for field in type.fields { visit(field, of: type) }
    for value in type.values {
      ReservedNames.check(value, context)
      visit(value.directives, on: .enumValue, in: value.file)
    }
    for field in type.inputFields {
      visit(field, "\(type.name).\(field.name)", typePlace: field.typePlace, isField: true)
      OneOfFields.check(field, of: type, context)
    }
  }

  private func visit(_ field: SchemaField, of type: SchemaType) {
    ReservedNames.check(field, context)
    KnownTypes.check(field.type, field.typePlace, context)
    InputAndOutputTypes.check(field, of: type, context)
    visit(field.directives, on: .fieldDefinition, in: field.file)
    for argument in field.arguments {
      visit(
        argument, "\(type.name).\(field.name)(\(argument.name):)", typePlace: argument.typePlace)
    }
  }

  private func visit(
    _ input: SchemaInput, _ coordinate: String, typePlace: SourcePlace, isField: Bool = false
  ) {
    ReservedNames.check(input, context)
    KnownTypes.check(input.type, input.typePlace, context)
    InputAndOutputTypes.check(input, coordinate, at: typePlace, context)
    DeprecatedInputs.check(
      input, "\(isField ? "input field" : "argument") \(coordinate)", context)
    DefaultValues.check(input, coordinate, context)
    if let value = input.appliedDefault { InputObjectFieldUniqueness.check(value, context) }
    visit(
      input.directives, on: isField ? .inputFieldDefinition : .argumentDefinition, in: input.file)
  }
}

// MARK: - Directives

extension SchemaWalk {
  private func visit(
    _ directives: [Directive], on location: DirectiveLocation, in file: SourceFile
  ) {
    if directives.isEmpty { return }
    var known: [String: SourcePlace] = [:]
    visit(directives, on: location, in: file, &known)
  }

  /// Visits the directives of a definition whose other parts have the `known` ones.
  private func visit(
    _ directives: [Directive], on location: DirectiveLocation, in file: SourceFile,
    _ known: inout [String: SourcePlace]
  ) {
    let use = AppliedDirectives(directives: directives, location: location, file: file)
    DirectivesAreDefined.check(use, context)
    DirectivesAreInValidLocations.check(use, context)
    DirectivesAreUniquePerLocation.check(use, &known, context)
    for directive in directives {
      let arguments = AppliedArguments(
        arguments: directive.arguments,
        defined: schema.directives[directive.name]?.definition.arguments,
        owner: .directive(directive.name), place: use.place(of: directive))
      RequiredArguments.check(arguments, context)
      ArgumentNames.check(arguments, context)
      ArgumentUniqueness.check(arguments, context)
      for argument in directive.arguments {
        let value = AppliedValue(
          value: argument.value, location: argument.location, tokens: 2, file: file,
          type: arguments.defined?.first { $0.name == argument.name }?.type)
        ValuesOfCorrectType.check(value, context)
        InputObjectFieldUniqueness.check(value, context)
      }
    }
  }
}

extension TypeDefinition.Kind {
  /// Where directives on a type of this kind stand. The name is that of the kind in introspection.
  package var location: DirectiveLocation {
    switch self {
    case .scalar: .scalar
    case .object: .object
    case .interface: .interface
    case .union: .union
    case .enum: .enum
    case .inputObject: .inputObject
    }
  }
}
