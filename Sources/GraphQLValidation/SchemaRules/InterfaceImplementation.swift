import GraphQLLanguage

/// A type implements its interfaces: it has their fields with compatible types and arguments, and
/// names all interfaces that they implement (sections 3.6 and 3.7, "IsValidImplementation").
enum InterfaceImplementation: ValidationRule {
  static let name = "interface-implementation"

  static func check(_ type: SchemaType, _ context: ValidationContext) {
    guard type.kind == .object || type.kind == .interface else { return }
    for name in type.interfaces {
      guard let interface = context.schema.types[name] else { continue }
      let places = type.places(ofInterface: name)
      guard interface.kind == .interface else {
        report(
          "Type \(type.name) must only implement Interface types, it cannot implement \(name).",
          places, context)
        continue
      }
      if interface === type {
        report(
          "Type \(name) cannot implement itself because it would create a circular reference.",
          places, context)
      }
      if places.count > 1 {
        report("Type \(type.name) can only implement \(name) once.", places, context)
      }
      checkAncestors(type, interface, places, context)
      for field in interface.fields { check(field, of: interface, in: type, context) }
    }
  }

  private static func checkAncestors(
    _ type: SchemaType, _ interface: SchemaType, _ places: [SourcePlace],
    _ context: ValidationContext
  ) {
    for ancestor in interface.interfaces
    where context.schema.types[ancestor] != nil && !type.interfaces.contains(ancestor) {
      report(
        ancestor == type.name
          ? "Type \(type.name) cannot implement \(interface.name) because it would create a "
            + "circular reference."
          : "Type \(type.name) must implement \(ancestor) because it is implemented by "
            + "\(interface.name).",
        interface.places(ofInterface: ancestor) + places, context)
    }
  }

  private static func check(
    _ expected: SchemaField, of interface: SchemaType, in type: SchemaType,
    _ context: ValidationContext
  ) {
    let coordinate = "\(interface.name).\(expected.name)"
    guard let field = type.field(expected.name) else {
      return report(
        "Interface field \(coordinate) expected but \(type.name) does not provide it.",
        [expected.place, type.place], context)
    }
    if !context.schema.isSubtype(field.type, of: expected.type) {
      report(
        "Interface field \(coordinate) expects type \(expected.type.canonicalText) but "
          + "\(type.name).\(field.name) is type \(field.type.canonicalText).",
        [expected.typePlace, field.typePlace], context)
    }
    checkArguments(field, expected, coordinate, type, context)
    if expected.deprecationReason == nil, let place = field.deprecationPlace {
      report(
        "Interface field \(coordinate) is not deprecated, so implementation field "
          + "\(type.name).\(field.name) must not be deprecated.",
        [place, field.typePlace], context)
    }
  }

  private static func checkArguments(
    _ field: SchemaField, _ expected: SchemaField, _ coordinate: String, _ type: SchemaType,
    _ context: ValidationContext
  ) {
    let own = "\(type.name).\(field.name)"
    for argument in expected.arguments {
      guard let counterpart = field.argument(argument.name) else {
        report(
          "Interface field argument \(coordinate)(\(argument.name):) expected but \(own) does not "
            + "provide it.",
          [argument.place, field.place], context)
        continue
      }
      if argument.type == counterpart.type { continue }
      report(
        "Interface field argument \(coordinate)(\(argument.name):) expects type "
          + "\(argument.type.canonicalText) but \(own)(\(argument.name):) is type "
          + "\(counterpart.type.canonicalText).",
        [argument.typePlace, counterpart.typePlace], context)
    }
    for argument in field.arguments
    where argument.isRequired && expected.argument(argument.name) == nil {
      report(
        "Argument \"\(own)(\(argument.name):)\" must not be required type "
          + "\"\(argument.type.canonicalText)\" if not provided by the Interface field "
          + "\"\(coordinate)\".",
        [argument.place, expected.place], context)
    }
  }

  private static func report(
    _ message: String, _ places: [SourcePlace], _ context: ValidationContext
  ) {
    context.report(Self.self, message, at: places[0], related: Array(places.dropFirst()))
  }
}

extension SchemaType {
  /// The places where the type names an interface; at least one if it implements it.
  fileprivate func places(ofInterface name: String) -> [SourcePlace] {
    parts.flatMap { part in
      part.definition.interfaces.enumerated().filter { $0.element == name }
        .map { part.interfacePlace($0.offset) }
    }
  }
}

extension TypeSystem {
  /// "IsSubType" for references to types, with lists and non-null types.
  fileprivate func isSubtype(_ type: TypeReference, of expected: TypeReference) -> Bool {
    switch (type, expected) {
    case (.nonNull(let inner), .nonNull(let other)): isSubtype(inner, of: other)
    case (_, .nonNull): false
    case (.nonNull(let inner), _): isSubtype(inner, of: expected)
    case (.list(let inner), .list(let other)): isSubtype(inner, of: other)
    case (.named(let name), .named(let other)): isSubtype(name, of: other)
    case (.list, .named), (.named, .list): false
    }
  }
}
