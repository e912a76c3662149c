import GraphQLLanguage
import GraphQLValidation

extension IntrospectionReader {
  func type(_ json: LocatedJSON, _ name: String) throws(GenerationFinding) -> TypeDefinition {
    let kind = try kind(of: json)
    var type = TypeDefinition(
      kind, description: description(of: json), name: name, location: location(of: json))
    switch kind {
    case .scalar:
      if let url = json["specifiedByURL"]?.string {
        type.directives = [directive("specifiedBy", "url", url)]
      }
    case .object, .interface:
      for interface in try elements(of: "interfaces", in: json) {
        type.interfaces.append(try self.name(of: interface))
      }
      for field in try elements(of: "fields", in: json) {
        type.fields.append(try self.field(field))
      }
    case .union:
      for member in try elements(of: "possibleTypes", in: json) {
        type.memberTypes.append(try self.name(of: member))
      }
    case .enum:
      for value in try elements(of: "enumValues", in: json) {
        type.values.append(try enumValue(value))
      }
    case .inputObject:
      if json["isOneOf"]?.bool == true { type.directives = [Directive(name: "oneOf")] }
      type.inputFields = try inputs("inputFields", in: json)
    }
    return type
  }

  private func enumValue(_ json: LocatedJSON) throws(GenerationFinding) -> EnumValueDefinition {
    let name = try name(of: json)
    guard !["true", "false", "null"].contains(name) else {
      throw error("\"\(name)\" cannot be the name of an enum value.", json["name"]?.offset ?? 0)
    }
    return EnumValueDefinition(
      description: description(of: json), name: name, directives: deprecation(of: json),
      location: location(of: json))
  }

  private func kind(of json: LocatedJSON) throws(GenerationFinding) -> TypeDefinition.Kind {
    let name = json["kind"]?.string
    if let kind = TypeDefinition.Kind.allCases.first(where: { $0.location.rawValue == name }) {
      return kind
    }
    throw error(
      "The kind of a type must be SCALAR, OBJECT, INTERFACE, UNION, ENUM, or INPUT_OBJECT.",
      json["kind"]?.offset ?? json.offset)
  }

  private func field(_ json: LocatedJSON) throws(GenerationFinding) -> FieldDefinition {
    FieldDefinition(
      description: description(of: json), name: try name(of: json),
      arguments: try inputs("args", in: json), type: try reference(json["type"], in: json),
      directives: deprecation(of: json), location: location(of: json))
  }

  /// The arguments of a field or a directive, or the fields of an input object.
  func inputs(
    _ key: String, in json: LocatedJSON
  ) throws(GenerationFinding) -> [InputValueDefinition] {
    var inputs: [InputValueDefinition] = []
    for input in try elements(of: key, in: json) {
      inputs.append(
        InputValueDefinition(
          description: description(of: input), name: try name(of: input),
          type: try reference(input["type"], in: input), defaultValue: try defaultValue(of: input),
          directives: deprecation(of: input), location: location(of: input)))
    }
    return inputs
  }

  private func defaultValue(of json: LocatedJSON) throws(GenerationFinding) -> Value? {
    guard let member = json["defaultValue"], let text = member.string else { return nil }
    guard let value = try? Value(parsing: text), value.isConstant else {
      throw error("The default value is not a constant of GraphQL: \(text)", member.offset)
    }
    return value
  }

  private func reference(
    _ json: LocatedJSON?, in parent: LocatedJSON
  ) throws(GenerationFinding) -> TypeReference {
    guard let json, !json.isNull else {
      throw error(
        "A type is missing, or nests deeper than the introspection query asks for.", parent.offset)
    }
    switch json["kind"]?.string {
    case "LIST": return .list(try reference(json["ofType"], in: json))
    case "NON_NULL":
      let inner = try reference(json["ofType"], in: json)
      if case .nonNull = inner { throw error("A type is non-null twice.", json.offset) }
      return .nonNull(inner)
    default: return .named(try name(of: json))
    }
  }

  private func deprecation(of json: LocatedJSON) -> [Directive] {
    guard json["isDeprecated"]?.bool == true else { return [] }
    guard let reason = json["deprecationReason"]?.string, reason != "No longer supported" else {
      return [Directive(name: "deprecated")]
    }
    return [directive("deprecated", "reason", reason)]
  }

  private func directive(_ name: String, _ argument: String, _ value: String) -> Directive {
    Directive(
      name: name, arguments: [Argument(name: argument, value: .string(StringValue(value)))])
  }
}
