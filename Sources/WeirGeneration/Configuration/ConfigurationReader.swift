import GraphQLValidation

extension GenerationConfiguration {
  /// Reads the text of a `weir.json`.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - path: the path for messages.
  /// - Throws: a ``GenerationFinding`` for a text that is not JSON, an unknown key, or a value of
  ///   another kind.
  public init(parsing text: String, path: String) throws(GenerationFinding) {
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
    for (key, offset, value) in try reader.members(json) { try set(key, offset, value, reader) }
  }

  private mutating func set(
    _ key: String, _ offset: Int, _ value: LocatedJSON, _ reader: ConfigurationReader
  ) throws(GenerationFinding) {
    switch key {
    case "namespace":
      note(.namespace, value.offset, reader)
      namespace = try reader.typeName(value)
    case "access": access = try reader.access(value)
    case "scalars":
      for (name, offset, type) in try reader.members(value) {
        note(.scalar(name), offset, reader)
        scalars[name] = try reader.swiftType(type)
      }
    case "lint":
      for (rule, offset, level) in try reader.members(value) {
        note(.rule(rule), offset, reader)
        lint[rule] = try reader.level(level)
      }
    case "keys":
      for (type, offset, key) in try reader.members(value) {
        note(.key(type), offset, reader)
        keys[type] = try self.key(type, key, reader)
      }
    case "schema": schema = try reader.patterns(value)
    case "documents": documents = try reader.patterns(value)
    case "schemaTypes": schemaTypes = try schemaTypes(value, reader)
    case "normalizedCache": normalizedCache = try reader.bool(value)
    case "imports":
      imports = []
      for element in try reader.elements(value) { imports.append(try reader.typeName(element)) }
    case "documentation": documentation = try reader.bool(value)
    default:
      throw reader.error(
        "Unknown key \"\(key)\"." + Suggestions.question(similarTo: key, among: Self.keyNames)
          + " Known keys: \(Self.keyNames.joined(separator: ", ")).",
        offset)
    }
  }

  private static let keyNames = [
    "access", "documentation", "documents", "imports", "keys", "lint", "namespace",
    "normalizedCache", "scalars", "schema", "schemaTypes",
  ]

  private mutating func note(_ place: Source.Place, _ offset: Int, _ reader: ConfigurationReader) {
    let (line, column) = GenerationFinding.position(of: offset, in: reader.text)
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
        names.append(try reader.string(element))
        note(.keyField(type, names[names.count - 1]), element.offset, reader)
      }
    default:
      throw reader.error(
        "A key is the name of a field, a list of names, or null for objects without a key.",
        value.offset)
    }
    return .fields(names)
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

/// Reads values of a configuration, or says where they are wrong.
private struct ConfigurationReader {
  let text: String
  let path: String

  func error(_ message: String, _ offset: Int) -> GenerationFinding {
    let (line, column) = GenerationFinding.position(of: offset, in: text)
    return GenerationFinding(message, path: path, line: line, column: column)
  }

  func string(_ value: LocatedJSON) throws(GenerationFinding) -> String {
    guard case .string(let string) = value.content else {
      throw error("Expected a string.", value.offset)
    }
    return string
  }

  /// A name that can stand in Swift code.
  func typeName(_ value: LocatedJSON) throws(GenerationFinding) -> String {
    let name = try string(value)
    guard isName(name) else {
      throw error("\"\(name)\" is not the name of a Swift type or module.", value.offset)
    }
    return name
  }

  /// A name with the module before it, or a type of Swift.
  func swiftType(_ value: LocatedJSON) throws(GenerationFinding) -> String {
    let name = try string(value)
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ isName(String($0)) }) else {
      throw error(
        "\"\(name)\" is not the name of a Swift type, such as \"Foundation.Date\".", value.offset)
    }
    return name
  }

  /// Patterns of files below the folder: a build system lists no other files.
  func patterns(_ value: LocatedJSON) throws(GenerationFinding) -> [FilePattern] {
    let elements = try elements(value)
    guard !elements.isEmpty else { throw error("Name at least one file.", value.offset) }
    var patterns: [FilePattern] = []
    for element in elements {
      let text = try string(element)
      guard !text.hasPrefix("/"), !text.split(separator: "/").contains("..") else {
        throw error(
          "\"\(text)\" is outside of the folder. Copy the file into it, or use a link.",
          element.offset)
      }
      let (line, column) = GenerationFinding.position(of: element.offset, in: self.text)
      patterns.append(FilePattern(text, path: path, line: line, column: column))
    }
    return patterns
  }

  func level(_ value: LocatedJSON) throws(GenerationFinding) -> ValidationOptions.Level {
    guard let level = ValidationOptions.Level(rawValue: try string(value)) else {
      throw error("The level must be \"error\", \"warning\", or \"off\".", value.offset)
    }
    return level
  }

  private func isName(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, first.properties.isXIDStart || first == "_" else {
      return false
    }
    return name.unicodeScalars.allSatisfy { $0.properties.isXIDContinue }
  }

  /// The members of an object whose keys are all different.
  func members(
    _ value: LocatedJSON
  ) throws(GenerationFinding) -> [(key: String, offset: Int, value: LocatedJSON)] {
    guard case .object(let members) = value.content else {
      throw error("Expected an object.", value.offset)
    }
    var seen: Set<String> = []
    for (key, offset, _) in members where !seen.insert(key).inserted {
      throw error("The key \"\(key)\" occurs twice.", offset)
    }
    return members.map { ($0.key, $0.keyOffset, $0.value) }
  }

  func access(_ value: LocatedJSON) throws(GenerationFinding) -> GenerationConfiguration.Access {
    let name = try string(value)
    guard let access = GenerationConfiguration.Access(rawValue: name) else {
      let levels = GenerationConfiguration.Access.allCases.map { "\"\($0.rawValue)\"" }
      throw error(
        "The access level must be one of \(levels.joined(separator: ", ")).", value.offset)
    }
    return access
  }

  func bool(_ value: LocatedJSON) throws(GenerationFinding) -> Bool {
    guard case .bool(let isOn) = value.content else {
      throw error("Expected true or false.", value.offset)
    }
    return isOn
  }

  func elements(_ value: LocatedJSON) throws(GenerationFinding) -> [LocatedJSON] {
    guard case .array(let elements) = value.content else {
      throw error("Expected a list.", value.offset)
    }
    return elements
  }
}
