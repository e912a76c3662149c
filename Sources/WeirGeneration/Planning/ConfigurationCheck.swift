import GraphQLLanguage
import GraphQLValidation

extension GenerationConfiguration {
  /// The names in the configuration that Swift, the schema or the validation does not have.
  func mistakes(in schema: TypeSystem) -> [GenerationFinding] {
    var findings = keywords
    if SwiftName.reservedDefinitions.contains(namespace) || namespace == "Foundation"
      || SwiftName.quoted(namespace) != namespace || Self.localNames.contains(namespace)
      || conditions(in: schema).contains(SwiftName.firstUpper(namespace))
    {
      findings.append(
        finding(
          "Swift or generated code needs the name \"\(namespace)\". Choose another one for the "
            + "namespace.", .namespace))
    }
    let types = schema.typeNames
    for name in scalars.keys.sorted() where schema.types[name]?.kind != .scalar {
      let known = types.filter { schema.types[$0]?.kind == .scalar }
      findings.append(
        finding(
          "The schema has no scalar \"\(name)\"."
            + Suggestions.question(similarTo: name, among: known), .scalar(name)))
    }
    for name in scalars.keys.sorted() where ScalarTypes.builtIn[name] != nil {
      let cure =
        name == "ID"
        ? " Write \"ids\": \"\(scalars[name] ?? "…")\" beside \"scalars\"."
        : " Give the field a scalar of its own in the schema."
      findings.append(
        finding("The Swift type of \"\(name)\" cannot be chosen here.\(cure)", .scalar(name)))
    }
    if case .named(let names) = schemaTypes {
      for name in names where schema.types[name].map(\.isBuiltIn) ?? true {
        findings.append(
          finding(
            "The schema has no type \"\(name)\"."
              + Suggestions.question(similarTo: name, among: types), .schemaType(name)))
      }
    }
    return findings + unknownRules + requiredRules
  }

  /// The mistakes of a schema, at the levels of `lint`; otherwise they are warnings, because schemas of
  /// real servers have some.
  func findings(for schema: TypeSystem) -> [GenerationFinding] {
    schema.validate().compactMap { diagnostic in
      var diagnostic = diagnostic
      switch lint[diagnostic.rule] ?? .warning {
      case .error: diagnostic.severity = .error
      case .warning: diagnostic.severity = .warning
      case .off: return nil
      }
      if diagnostic.rule == "directives-are-defined" {
        diagnostic.message += " Define it in a *.graphqls file."
      }
      return GenerationFinding(diagnostic)
    }
  }

  private var unknownRules: [GenerationFinding] {
    let known = ValidationOptions.allRules.union(RuleExplanation.schemas.keys)
    return lint.keys.sorted().filter { !known.contains($0) }.map { name in
      finding(
        "Unknown rule \"\(name)\"." + Suggestions.question(similarTo: name, among: known),
        .rule(name))
    }
  }

  private var requiredRules: [GenerationFinding] {
    lint.keys.sorted().filter { Self.requiredRules.contains($0) && lint[$0] != .error }.map {
      finding(
        "No types can be generated from documents that break the rule \"\($0)\", so its findings are "
          + "always errors.", .rule($0))
    }
  }

  /// The variables and properties in generated code that would hide a namespace, or that it would
  /// rename.
  private static let localNames: Set = [
    "fields", "typename", "value", "variables", "configuration", "id", "on",
  ]

  /// The types for type conditions, which hide a namespace of their name or of their property's.
  private func conditions(in schema: TypeSystem) -> Set<String> {
    let types = schema.typeNames.filter { schema.types[$0]?.isComposite == true }
    return Set(types.map { "As\(SwiftName.firstUpper($0))" })
  }

  /// The findings for types and modules that contain a keyword.
  private var keywords: [GenerationFinding] {
    (types + imports.map { ($0, .import($0)) }).compactMap { name, place in
      let keyword = name.split(separator: ".").first { SwiftName.quoted(String($0)) != $0 }
      return keyword.map {
        finding(
          "\"\(name)\" is not the name of a Swift type or module, because \"\($0)\" is a keyword. "
            + "Name another one.", place)
      }
    }
  }

  /// The Swift types of scalars and of `ID`, with their places.
  private var types: [(name: String, place: Source.Place)] {
    scalars.sorted { $0.key < $1.key }.map { ($1, .scalar($0)) } + (ids.map { [($0, .ids)] } ?? [])
  }

  /// The findings for Swift types whose names have another meaning in generated code. A type that the
  /// configuration has taken over from another module is reported at the namespace.
  var hiddenTypes: [GenerationFinding] {
    types.compactMap { type, place in
      otherMeaning(of: type).map {
        finding($0, source.places[place] == nil ? .namespace : place)
      }
    }
  }

  private func otherMeaning(of type: String) -> String? {
    if type == namespace {
      return "\"\(type)\" is also the namespace of the schema's types. Choose another one: "
        + "\"namespace\": \"…\"."
    }
    if type.hasPrefix("\(namespace).") {
      return "\"\(type)\" means a type in the namespace \"\(namespace)\". Write "
        + "\"\(type.dropFirst(namespace.count + 1))\" if the type is in this module; otherwise choose "
        + "another namespace: \"namespace\": \"…\"."
    }
    guard UsedModules.isUnknown(of: type), SwiftName.reservedDefinitions.contains(type),
      SwiftName.quoted(type) == type
    else { return nil }
    let cure =
      type == "Data"
      ? ": \"Foundation.Data\"." : ", such as \"Kit.\(type)\", or rename it."
    return "In generated code, \"\(type)\" means another type. Write its module, too\(cure)"
  }
}
