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
    let reader = ConfigurationReader(text: text, path: path)
    let json: LocatedJSON
    do throws(JSONSyntaxError) {
      json = try LocatedJSON(parsing: text)
    } catch {
      throw reader.error(error.message, error.offset)
    }
    guard case .object(let members) = json.content else {
      throw reader.error("The configuration must be an object.", json.offset)
    }
    var seen: Set<String> = []
    for (key, offset, value) in members {
      guard seen.insert(key).inserted else {
        throw reader.error("The key \"\(key)\" occurs twice.", offset)
      }
      try set(key, offset, value, reader)
    }
  }

  private mutating func set(
    _ key: String, _ offset: Int, _ value: LocatedJSON, _ reader: ConfigurationReader
  ) throws(GenerationFinding) {
    switch key {
    case "namespace": namespace = try reader.typeName(value)
    case "access":
      let name = try reader.string(value)
      guard let access = Access(rawValue: name) else {
        let levels = Access.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        throw reader.error("The access level must be one of \(levels).", value.offset)
      }
      self.access = access
    case "scalars":
      for (name, type) in try reader.members(value) { scalars[name] = try reader.swiftType(type) }
    case "lint":
      for (rule, level) in try reader.members(value) {
        let value = try reader.level(level)
        lint[try reader.rule(rule, level)] = value
      }
    case "imports":
      imports = []
      for element in try reader.elements(value) { imports.append(try reader.typeName(element)) }
    case "schema": schema = try reader.patterns(value)
    case "documents": documents = try reader.patterns(value)
    case "documentation":
      guard case .bool(let isOn) = value.content else {
        throw reader.error("Expected true or false.", value.offset)
      }
      documentation = isOn
    default:
      throw reader.error(
        "Unknown key \"\(key)\". Known keys: access, documentation, documents, imports, lint, "
          + "namespace, scalars, schema.",
        offset)
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

  /// The name of a rule for documents.
  func rule(_ name: String, _ value: LocatedJSON) throws(GenerationFinding) -> String {
    if RuleExplanation.documents[name] != nil || RuleExplanation.lint[name] != nil { return name }
    guard RuleExplanation.schemas[name] == nil else {
      throw error("The rule \"\(name)\" is about schemas: its findings are warnings.", value.offset)
    }
    let similar = Suggestions.similar(to: name, among: RuleExplanation.all.keys)
    throw error("Unknown rule \"\(name)\".\(Suggestions.question(similar))", value.offset)
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

  func members(
    _ value: LocatedJSON
  ) throws(GenerationFinding) -> [(key: String, value: LocatedJSON)] {
    guard case .object(let members) = value.content else {
      throw error("Expected an object.", value.offset)
    }
    return members.map { ($0.key, $0.value) }
  }

  func elements(_ value: LocatedJSON) throws(GenerationFinding) -> [LocatedJSON] {
    guard case .array(let elements) = value.content else {
      throw error("Expected a list.", value.offset)
    }
    return elements
  }
}
