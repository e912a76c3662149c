import GraphQLLanguage
import GraphQLValidation

/// The keys of the schema's types, from `weir.json` and from `@typePolicy(keyFields:)`.
struct EntityKeys {
  typealias Key = GenerationConfiguration.Key

  private let schema: TypeSystem
  private let isNormalized: Bool
  /// The keys that are declared, by the names of objects, interfaces and unions.
  private var declared: [String: Key] = [:]
  /// For each member of a union with a key, the name of the union; the first one counts.
  private var unions: [String: String] = [:]
  private(set) var findings: [GenerationFinding] = []

  init(_ schema: TypeSystem, _ configuration: GenerationConfiguration) {
    self.schema = schema
    isNormalized = configuration.normalizedCache ?? false
    let places = NumberedFiles()
    for name in schema.typeNames {
      if let type = schema.types[name] { readPolicy(of: type, places) }
    }
    for (name, key) in configuration.keys.sorted(by: { $0.key < $1.key }) {
      check(key, of: name, configuration)
      declared[name] = key
    }
    for name in declared.keys.sorted() where schema.types[name]?.kind == .union {
      for member in schema.possibleTypes(of: name) where unions[member] == nil {
        unions[member] = name
      }
    }
  }

  /// The declared key of an object type: its own, otherwise that of its first interface or union by
  /// name, as the cache does it.
  func key(of type: SchemaType) -> Key? {
    if declared.isEmpty { return nil }
    if let own = declared[type.name] { return own }
    let abstract = type.interfaces + (unions[type.name].map { [$0] } ?? [])
    return abstract.filter { declared[$0] != nil }.min().flatMap { declared[$0] }
  }

  /// The fields that documents must select of objects, for the rule `require-key`. Only a normalized
  /// cache needs `id`, otherwise `_id`, which is the key of all other types.
  var required: [String: [String]] {
    var required: [String: [String]] = [:]
    for name in schema.typeNames {
      guard let type = schema.types[name], type.kind == .object else { continue }
      switch key(of: type) {
      case .fields(let fields): required[name] = fields
      case .embedded: break
      case nil:
        guard isNormalized else { continue }
        required[name] = ["id", "_id"].first { type.field($0) != nil }.map { [$0] }
      }
    }
    return required
  }
}

// MARK: - Declarations

extension EntityKeys {
  private mutating func readPolicy(of type: SchemaType, _ places: NumberedFiles) {
    guard let policy = type.directives.first(where: { $0.name == "typePolicy" }) else { return }
    let fields = policy.words("keyFields")
    guard !fields.isEmpty else { return }
    declared[type.name] = .fields(fields)
    let part = type.parts.first { part in
      part.definition.directives.contains { $0.name == policy.name }
    }
    for field in fields {
      guard let message = mistake(field, of: type) else { continue }
      let file = places[part?.file ?? type.place.file]
      findings.append(GenerationFinding(message, file, policy.location))
    }
  }

  private mutating func check(
    _ key: Key, of name: String, _ configuration: GenerationConfiguration
  ) {
    guard let type = schema.types[name], type.isComposite else {
      let names = schema.typeNames.filter { schema.types[$0]?.isComposite == true }
      findings.append(
        configuration.finding(
          "The schema has no object type, interface or union \"\(name)\"."
            + Suggestions.question(similarTo: name, among: names), .key(name)))
      return
    }
    guard case .fields(let fields) = key else { return }
    for field in fields {
      if let message = mistake(field, of: type) {
        findings.append(configuration.finding(message, .keyField(name, field)))
      }
    }
  }

  /// Why a field cannot be a part of a key.
  private func mistake(_ name: String, of type: SchemaType) -> String? {
    // A union has no fields; those of its members count.
    let owners =
      type.kind == .union
      ? schema.possibleTypes(of: type.name).compactMap { schema.types[$0] } : [type]
    for owner in owners {
      guard let field = owner.field(name) else {
        return "The type \"\(owner.name)\" has no field \"\(name)\" for its key."
          + Suggestions.question(similarTo: name, among: owner.fields.map(\.name))
      }
      if field.type.isList || schema.type(of: field.type)?.isLeaf == false
        || field.arguments.contains(where: \.isRequired)
      {
        return "The field \"\(owner.name).\(name)\" cannot be a part of a key: a key consists of "
          + "fields with one value and without arguments."
      }
    }
    return nil
  }
}
