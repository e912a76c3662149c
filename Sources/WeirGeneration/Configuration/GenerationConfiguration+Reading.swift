import GraphQLValidation

extension GenerationConfiguration {
  /// Reads the text of a `weir.json`.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - path: the path for messages.
  /// - Throws: a ``GenerationFinding`` for a text that is not JSON, an unknown key, or a value of
  ///   another kind.
  package init(parsing text: String, path: String) throws(GenerationFinding) {
    self.init()
    source.path = path
    let reader = ConfigurationReader(text: text, path: path)
    let json: LocatedJSON
    do throws(JSONSyntaxError) {
      json = try LocatedJSON(parsing: text)
    } catch {
      throw reader.error(error.message, error.offset)
    }
    guard case .object = json.content else {
      throw reader.error("The configuration must be an object.", json.offset)
    }
    for (name, offset, value) in try reader.members(json) {
      guard let setting = Setting(rawValue: name) else {
        let names = Setting.allCases.map(\.rawValue)
        throw reader.error(
          "Unknown key \"\(name)\"." + Suggestions.question(similarTo: name, among: names)
            + " Known keys: \(names.joined(separator: ", ")).",
          offset)
      }
      try set(setting, value, reader)
    }
  }

  /// The keys of a `weir.json`, in alphabetical order.
  package enum Setting: String, CaseIterable {
    case access, casing, documentation, documents, ids, imports, keys, lint, manifest, namespace
    case normalizedCache, scalars, schema, schemaTypes
  }

  private mutating func set(
    _ setting: Setting, _ value: LocatedJSON, _ reader: ConfigurationReader
  ) throws(GenerationFinding) {
    switch setting {
    case .namespace:
      note(.namespace, value.offset, reader)
      namespace = try reader.typeName(value)
    case .access: access = try reader.choice(value, "The access level")
    case .scalars:
      for (name, offset, type) in try reader.members(value) {
        note(.scalar(name), offset, reader)
        scalars[name] = try reader.swiftType(type)
      }
    case .ids:
      note(.ids, value.offset, reader)
      ids = try reader.identifierType(value)
    case .casing:
      casing = try reader.choice(value, "\"casing\"")
    case .manifest:
      note(.manifest, value.offset, reader)
      manifest = try reader.manifest(value)
    case .lint:
      for (rule, offset, level) in try reader.members(value) {
        note(.rule(rule), offset, reader)
        lint[rule] = try reader.level(level)
      }
    case .keys:
      for (type, offset, key) in try reader.members(value) {
        note(.key(type), offset, reader)
        keys[type] = try self.key(type, key, reader)
      }
    case .schema: schema = try reader.patterns(value)
    case .documents: documents = try reader.patterns(value)
    case .schemaTypes: schemaTypes = try schemaTypes(value, reader)
    case .normalizedCache: normalizedCache = try reader.bool(value)
    case .imports: imports = try imports(value, reader)
    case .documentation: documentation = try reader.bool(value)
    }
  }

  private mutating func note(_ place: Source.Place, _ offset: Int, _ reader: ConfigurationReader) {
    let (line, column) = reader.position(of: offset)
    source.places[place] = Source.Position(line: line, column: column)
  }

  /// Reads a key: the name of a field, a list of names, or null.
  private mutating func key(
    _ type: String, _ value: LocatedJSON, _ reader: ConfigurationReader
  ) throws(GenerationFinding) -> Key {
    var names: [String] = []
    switch value.content {
    case .null: return .embedded
    case .string(let name):
      names = [name]
      note(.keyField(type, name), value.offset, reader)
    case .array(let elements) where !elements.isEmpty:
      for element in elements {
        let name = try reader.string(element)
        guard !names.contains(name) else {
          throw reader.error("The field \"\(name)\" occurs twice in the key.", element.offset)
        }
        names.append(name)
        note(.keyField(type, names[names.count - 1]), element.offset, reader)
      }
    default:
      throw reader.error(
        "A key is the name of a field, a list of names, or null for objects without a key.",
        value.offset)
    }
    return .fields(names)
  }

  private mutating func imports(
    _ value: LocatedJSON, _ reader: ConfigurationReader
  ) throws(GenerationFinding) -> [String] {
    var names: [String] = []
    for element in try reader.elements(value) {
      let name = try reader.typeName(element)
      names.append(name)
      note(.import(name), element.offset, reader)
    }
    return names
  }

  private mutating func schemaTypes(
    _ value: LocatedJSON, _ reader: ConfigurationReader
  ) throws(GenerationFinding) -> SchemaTypes {
    switch value.content {
    case .string("used"): return .used
    case .string("all"): return .all
    case .array(let elements):
      var names: [String] = []
      for element in elements {
        names.append(try reader.string(element))
        note(.schemaType(names[names.count - 1]), element.offset, reader)
      }
      return .named(names)
    default:
      throw reader.error(
        "Expected \"used\", \"all\", or a list of types of the schema.", value.offset)
    }
  }
}
