import GraphQLValidation

/// Reads values of a configuration, or says where they are wrong.
struct ConfigurationReader {
  let path: String
  /// Many places are kept for messages, so the text is read once for all of them.
  private let lines: LineTable

  init(text: String, path: String) {
    self.path = path
    lines = LineTable(text)
  }

  /// The line and the column of an offset.
  func position(of offset: Int) -> (line: Int, column: Int) {
    let (line, column, _) = lines.position(of: offset)
    return (line, column)
  }

  func error(_ message: String, _ offset: Int) -> GenerationFinding {
    let (line, column) = position(of: offset)
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

  /// A type that can stand for `ID`, whose values are strings in responses.
  func identifierType(_ value: LocatedJSON) throws(GenerationFinding) -> String {
    let type = try swiftType(value)
    let name = type.split(separator: ".").last ?? ""
    guard type.hasPrefix("Swift.") || !type.contains("."), name != "String" else { return type }
    guard GenerationConfiguration.swiftNumbers.contains(String(name)) else { return type }
    throw error(
      "Values of ID are strings in responses, which \"\(type)\" cannot read. Name a type of your own "
        + "that decodes a string, such as \"Kit.Number\".", value.offset)
  }

  /// The path of a file that the tool writes.
  func manifest(_ value: LocatedJSON) throws(GenerationFinding) -> String {
    let path = try string(value)
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard !path.hasPrefix("/") else {
      throw error("\"\(path)\" must be relative to the folder of this file.", value.offset)
    }
    guard name.hasSuffix(".json"), name != ".json", name != "weir.json" else {
      throw error(
        "\"\(path)\" is not a name for a manifest, such as \"operations.json\".", value.offset)
    }
    return path
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
      let (line, column) = position(of: element.offset)
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
    guard name != "_" else { return false }
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

  /// One of the values of an enumeration; `name` begins the message.
  func choice<Choice: RawRepresentable & CaseIterable>(
    _ value: LocatedJSON, _ name: String
  ) throws(GenerationFinding) -> Choice where Choice.RawValue == String {
    guard let choice = Choice(rawValue: try string(value)) else {
      let choices = Choice.allCases.map { "\"\($0.rawValue)\"" }
      throw error("\(name) must be one of \(choices.joined(separator: ", ")).", value.offset)
    }
    return choice
  }

  func bool(_ value: LocatedJSON) throws(GenerationFinding) -> Bool {
    guard case .bool(let isOn) = value.content else {
      throw error("Expected true or false.", value.offset)
    }
    return isOn
  }

  func elements(_ value: LocatedJSON) throws(GenerationFinding) -> [LocatedJSON] {
    if case .string(let text) = value.content {
      throw error("Expected a list: [\(text.jsonText)].", value.offset)
    }
    guard case .array(let elements) = value.content else {
      throw error("Expected a list.", value.offset)
    }
    return elements
  }
}

extension GenerationConfiguration {
  /// Swift's own types that JSON's numbers and truth values are read as.
  static let swiftNumbers: Set<String> = [
    "Bool", "Double", "Float", "Float16", "Float32", "Float64", "Float80", "Int", "Int8", "Int16",
    "Int32", "Int64", "Int128", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "UInt128",
  ]
}
