import GraphQLLanguage
import GraphQLValidation

/// The fields that `@fieldPolicy(forField:keyArgs:)` in the schema redirects to entities.
struct FieldRedirects {
  private struct Redirect {
    let owner: String
    let field: String
    let typename: String
    /// The arguments that form the key, or paths within them.
    let paths: [String]
  }

  /// Why a policy does not become a redirect.
  private enum Mistake {
    /// A name does not exist.
    case unknown(String)
    /// Apollo iOS may be able to use the policy.
    case unfit(String)

    var message: String {
      switch self {
      case .unknown(let message), .unfit(let message): message
      }
    }

    var severity: GenerationFinding.Severity {
      switch self {
      case .unknown: .error
      case .unfit: .warning
      }
    }
  }

  private let schema: TypeSystem
  private var all: [Redirect] = []
  private(set) var findings: [GenerationFinding] = []

  private static let readArguments: [String: Set<String>] = [
    "typePolicy": ["keyFields"], "fieldPolicy": ["forField", "keyArgs"],
  ]

  init(_ schema: TypeSystem, _ configuration: GenerationConfiguration) {
    self.schema = schema
    let places = NumberedFiles()
    for type in schema.typeNames.compactMap({ schema.types[$0] }) {
      for part in type.parts {
        for policy in part.definition.directives {
          // Other caches need none.
          guard configuration.normalizedCache == true else { continue }
          if policy.name == "fieldPolicy" { read(policy, of: type, places[part.file]) }
          noteUnread(policy, of: type, places[part.file])
        }
      }
    }
  }

  /// The lines that declare the redirects among some types.
  func lines(among known: Set<String>) -> [String] {
    all.filter { known.contains($0.typename) }.flatMap { redirect in
      schema.possibleTypes(of: redirect.owner).filter(known.contains).map { owner in
        let paths = redirect.paths.map { "\"\($0)\"" }.joined(separator: ", ")
        let key = redirect.paths.count == 1 ? "idFrom: \(paths)" : "idsFrom: [\(paths)]"
        return "configuration.fields[\"\(owner).\(redirect.field)\"] = "
          + ".redirecting(to: \"\(redirect.typename)\", \(key))"
      }
    }
  }
}

// MARK: - Directives

extension FieldRedirects {
  private mutating func read(_ policy: Directive, of type: SchemaType, _ file: NumberedFile) {
    let paths = policy.words("keyArgs")
    guard let name = policy.words("forField").first, !paths.isEmpty else { return }
    if let mistake = mistake(paths, of: name, type) {
      findings.append(
        GenerationFinding(mistake.message, severity: mistake.severity, file, policy.location))
    } else if let field = type.field(name) {
      all.append(
        Redirect(
          owner: type.name, field: name, typename: field.type.namedType, paths: paths))
    }
  }

  /// Notes the arguments that declare something else than keys.
  private mutating func noteUnread(
    _ policy: Directive, of type: SchemaType, _ file: NumberedFile
  ) {
    guard let read = Self.readArguments[policy.name] else { return }
    for argument in policy.arguments where !read.contains(argument.name) {
      let field = (policy.words("forField") + policy.words("connectionFields")).first ?? "field"
      findings.append(
        GenerationFinding(
          "The argument \"\(argument.name)\" of \"@\(policy.name)\" is not read. Declare pages in "
            + "Swift: configuration.fields[\"\(type.name).\(field)\"] = .connection()",
          severity: .warning, file, policy.location))
    }
  }

  /// Why arguments of a field cannot lead to an entity.
  private func mistake(_ paths: [String], of name: String, _ type: SchemaType) -> Mistake? {
    guard let field = type.field(name) else {
      return .unknown(
        "The type \"\(type.name)\" has no field \"\(name)\" for its policy."
          + Suggestions.question(similarTo: name, among: type.fields.map(\.name)))
    }
    guard schema.type(of: field.type)?.isComposite != false else {
      return .unfit(
        "The field \"\(type.name).\(name)\" is not redirected to an entity: it returns no objects.")
    }
    for path in paths {
      let steps = path.split(separator: ".").map(String.init)
      guard let argument = steps.first.flatMap({ field.argument($0) }) else {
        return .unknown(
          "The field \"\(type.name).\(name)\" has no argument \"\(steps.first ?? "")\"."
            + Suggestions.question(similarTo: steps.first ?? "", among: field.arguments.map(\.name))
        )
      }
      let isList = paths.count == 1 && field.type.isList
      if let mistake = mistake(path, steps.dropFirst(), argument.type, isList: isList) {
        return mistake
      }
    }
    return nil
  }

  /// Why the value that a path leads to cannot be a part of a key.
  private func mistake(
    _ path: String, _ steps: ArraySlice<String>, _ argument: TypeReference, isList: Bool
  ) -> Mistake? {
    var type = argument
    for step in steps {
      guard let object = schema.type(of: type), object.kind == .inputObject, !type.isList else {
        return .unfit(
          "The path \"\(path)\" leads through a value that is not an input object. The policy is not read."
        )
      }
      guard let next = object.inputField(step) else {
        return .unknown(
          "The input object \"\(object.name)\" has no field \"\(step)\"."
            + Suggestions.question(similarTo: step, among: object.inputFields.map(\.name)))
      }
      type = next.type
    }
    guard schema.type(of: type)?.kind != .inputObject, type.isList == isList else {
      return .unfit(
        "The value of \"\(path)\" is not read as a key: a key consists of scalars, and a list field has "
          + "one list of them.")
    }
    return nil
  }
}

extension Directive {
  /// The words of an argument that is a string; empty if there is none.
  func words(_ name: String) -> [String] {
    guard case .string(let text)? = arguments.first(where: { $0.name == name })?.value else {
      return []
    }
    return text.value.split(separator: " ").map(String.init)
  }
}
