import GraphQLLanguage
package import GraphQLValidation

extension SourceFile {
  /// Reads the result of an introspection query as a schema.
  ///
  /// - Parameters:
  ///   - path: the path for messages.
  ///   - text: the response as JSON, its `data`, or its `__schema`. Places of findings point into it.
  /// - Throws: a ``GenerationFinding`` for a text that is not JSON, or does not describe a schema.
  package convenience init(path: String, introspection text: String) throws(GenerationFinding) {
    let reader = IntrospectionReader(text: text, path: path)
    self.init(path: path, document: try reader.document(), text: text, isJSON: true)
  }
}

/// Makes definitions of the result of an introspection query (specification, section 4).
///
/// Names are checked, because they become a part of files: a server must not be able to write code.
struct IntrospectionReader {
  let text: String
  let path: String

  func error(_ message: String, _ offset: Int) -> GenerationFinding {
    let (line, column) = GenerationFinding.position(of: offset, in: text)
    return GenerationFinding(message, path: path, line: line, column: column)
  }

  func document() throws(GenerationFinding) -> Document {
    let json: LocatedJSON
    do throws(JSONSyntaxError) {
      json = try LocatedJSON(parsing: text)
    } catch {
      throw self.error(error.message, error.offset)
    }
    let schema = try schema(in: json)
    var definitions: [Definition] = [try schemaDefinition(schema)]
    for type in try elements(of: "types", in: schema) {
      let name = try name(of: type)
      if TypeSystem.isSpecified(name) { continue }
      definitions.append(.type(try self.type(type, name)))
    }
    for directive in try elements(of: "directives", in: schema) {
      let name = try name(of: directive)
      if TypeSystem.specifiedDirectives.contains(name) { continue }
      if let definition = try self.directive(directive, name) {
        definitions.append(.directive(definition))
      }
    }
    return Document(definitions: definitions)
  }

  private func schema(in json: LocatedJSON) throws(GenerationFinding) -> LocatedJSON {
    // Also beside a schema, a part of which may be missing then.
    if let message = json["errors"]?.elements?.first?["message"]?.string {
      throw error("The server answered with an error: \(message)", json.offset)
    }
    let schema = json["data"]?["__schema"] ?? json["__schema"] ?? json
    if schema["types"] != nil { return schema }
    throw error(
      "Expected the result of an introspection query: an object with \"data\", \"__schema\", or "
        + "\"types\".", json.offset)
  }

  private func schemaDefinition(_ schema: LocatedJSON) throws(GenerationFinding) -> Definition {
    var roots: [OperationTypeDefinition] = []
    for kind in OperationKind.allCases {
      guard let type = schema["\(kind.rawValue)Type"], !type.isNull else { continue }
      roots.append(
        OperationTypeDefinition(kind: kind, type: try name(of: type), location: location(of: type)))
    }
    return .schema(
      SchemaDefinition(
        description: description(of: schema), operationTypes: roots,
        location: SourceLocation(utf8Offset: schema.offset)))
  }

  private func directive(
    _ json: LocatedJSON, _ name: String
  ) throws(GenerationFinding) -> DirectiveDefinition? {
    // A location that this version of the specification does not have cannot be used either.
    let locations = try elements(of: "locations", in: json).compactMap {
      $0.string.flatMap(DirectiveLocation.init)
    }
    if locations.isEmpty { return nil }
    return DirectiveDefinition(
      description: description(of: json), name: name, arguments: try inputs("args", in: json),
      isRepeatable: json["isRepeatable"]?.bool ?? false, locations: locations,
      location: location(of: json))
  }
}

// MARK: - Members

extension IntrospectionReader {
  /// The elements of a list; none if the list is missing or null.
  func elements(
    of key: String, in json: LocatedJSON
  ) throws(GenerationFinding) -> [LocatedJSON] {
    guard let list = json[key], !list.isNull else { return [] }
    guard let elements = list.elements else {
      throw error("Expected a list for \"\(key)\".", list.offset)
    }
    return elements
  }

  /// The name of an element of the schema.
  func name(of json: LocatedJSON) throws(GenerationFinding) -> String {
    guard let member = json["name"], let name = member.string else {
      throw error("An element of the schema has no name.", json.offset)
    }
    guard case .named(let parsed)? = try? TypeReference(parsing: name), parsed == name else {
      throw error("\"\(name)\" is not a name of GraphQL.", member.offset)
    }
    return name
  }

  func location(of json: LocatedJSON) -> SourceLocation {
    SourceLocation(utf8Offset: json["name"]?.offset ?? json.offset)
  }

  /// The description of an element. Some servers answer an empty one instead of null.
  func description(of json: LocatedJSON) -> StringValue? {
    guard let text = json["description"]?.string, !text.isEmpty else { return nil }
    return StringValue(text, isBlock: true)
  }
}
