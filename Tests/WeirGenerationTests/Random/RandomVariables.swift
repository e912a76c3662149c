import GraphQLLanguage
import GraphQLValidation
import TestSupport

@testable import WeirGeneration

/// Random values of an operation's variables: as the expression that creates the generated operation,
/// and as JSON.
struct RandomVariables {
  private let schema: TypeSystem
  private let names: TypeNames
  private var cycles: InputCycles
  private var random: SeededRandom

  /// A value in Swift and in JSON.
  struct Value {
    let swift: String
    let json: String
  }

  init(_ schema: TypeSystem, _ configuration: GenerationConfiguration, _ random: SeededRandom) {
    self.schema = schema
    names = TypeNames(schema, configuration, imported: ImportedNames())
    cycles = InputCycles(schema)
    self.random = random
  }

  /// Returns the operation with values of its variables.
  mutating func operation(_ document: RandomDocument) -> Value {
    object(
      SwiftName.firstUpper(document.name),
      document.variables.map {
        Member(name: $0.name, type: $0.type, hasDefault: $0.hasDefault, isBoxed: false)
      }, depth: 0)
  }

  private struct Member {
    let name: String
    let type: TypeReference
    let hasDefault: Bool
    let isBoxed: Bool
  }

  /// The three states of what need not be there.
  private enum State {
    case absent
    case null
    case value(Value)
  }

  /// An operation or an input object.
  private mutating func object(_ name: String, _ members: [Member], depth: Int) -> Value {
    let states = members.map { state(of: $0, depth: depth) }
    let needsStates = states.contains { if case .null = $0 { true } else { random.chance(12) } }
    var (arguments, fields): ([String], [String]) = ([], [])
    let properties = DistinctNames.properties(members.map(\.name), names.casing)
    for (member, state) in zip(members, states) {
      let label = SwiftName.label(properties[member.name])
      let isRequired = member.type.isNonNull && !member.hasDefault
      switch state {
      case .absent:
        if random.chance(3) { arguments.append("\(label): \(needsStates ? ".absent" : "nil")") }
      case .null:
        arguments.append("\(label): .null")
        fields.append("\"\(member.name)\":null")
      case .value(let value):
        let boxed = member.isBoxed ? "Box(\(value.swift))" : value.swift
        let argument =
          isRequired || !needsStates ? value.swift : ".value(\(boxed))"
        arguments.append("\(label): \(argument)")
        fields.append("\"\(member.name)\":\(value.json)")
      }
    }
    return Value(
      swift: "\(name)(\(arguments.joined(separator: ", ")))",
      json: "{\(fields.joined(separator: ","))}")
  }

  private mutating func state(of member: Member, depth: Int) -> State {
    if member.type.isNonNull, !member.hasDefault {
      return .value(value(of: member.type, depth: depth))
    }
    if depth > 2 || random.chance(3) { return .absent }
    if !member.type.isNonNull, random.chance(4) { return .null }
    return .value(value(of: member.type, depth: depth))
  }

  /// A value that is not null.
  private mutating func value(of type: TypeReference, depth: Int) -> Value {
    switch type {
    case .nonNull(let inner): return value(of: inner, depth: depth)
    case .named(let name): return value(named: name, depth: depth)
    case .list(let element):
      let count = depth > 3 ? 0 : Int.random(in: 0...2, using: &random)
      let values = (0..<count).map { _ in
        !element.isNonNull && random.chance(4)
          ? Value(swift: "nil", json: "null") : value(of: element, depth: depth + 1)
      }
      return Value(
        swift: "[\(values.map(\.swift).joined(separator: ", "))]",
        json: "[\(values.map(\.json).joined(separator: ","))]")
    }
  }

  private mutating func value(named name: String, depth: Int) -> Value {
    let number = Int.random(in: 0...999, using: &random)
    switch name {
    case "Int": return Value(swift: "\(number)", json: "\(number)")
    case "Float": return Value(swift: "\(number).25", json: "\(number).25")
    case "Boolean": return Value(swift: "\(number > 500)", json: "\(number > 500)")
    case "ID", "String":
      let text = ["\(number)", "", "ä\\u{1F600}", "\\u{1}\\n\\\\\\\""][number % 4]
      let json = ["\(number)", "", "ä😀", "\\u0001\\n\\\\\\\""][number % 4]
      return Value(swift: "\"\(text)\"", json: "\"\(json)\"")
    case "DateTime":
      return Value(swift: "Date(timeIntervalSince1970: 0)", json: "\"1970-01-01T00:00:00Z\"")
    case "URL":
      let url = "\"https://example.com/\(number)?q=%20\""
      return Value(swift: "URL(string: \(url))!", json: url)
    case "UUID":
      let id = "\"00000000-0000-4000-8000-0000000000\(10 + number % 90)\""
      return Value(swift: "UUID(uuidString: \(id))!", json: id)
    case "Upload":
      return Value(swift: "upload(\"file-\(number)\")", json: "\"file-\(number)\"")
    case "Money": return Value(swift: "Decimal(\(number))", json: "\(number)")
    case "JSON", "Code":
      let json = #"{"b":[\#(number),null],"a":"x"}"#
      return Value(swift: "json(#\"\(json)\"#)", json: json)
    default: break
    }
    guard let type = schema.types[name] else { return Value(swift: "nil", json: "null") }
    if type.kind == .enum { return enumeration(type) }
    return input(type, depth: depth)
  }

  private mutating func enumeration(_ type: SchemaType) -> Value {
    let position = Int.random(in: 0..<type.values.count, using: &random)
    let raw = type.values[position].name
    let name = names.namespace.qualified(type.name)
    return Value(
      swift: random.chance(2)
        ? "\(name)(rawValue: \"\(raw)\")" : "\(name).allCases[\(position)]", json: "\"\(raw)\"")
  }

  private mutating func input(_ type: SchemaType, depth: Int) -> Value {
    let name = names.namespace.qualified(type.name)
    guard type.isOneOf else {
      return object(
        name,
        type.inputFields.map { field in
          Member(
            name: field.name, type: field.type, hasDefault: field.defaultValue != nil,
            isBoxed: cycles.isCyclic(field.definition, of: type))
        }, depth: depth + 1)
    }
    // The first field is a leaf, so that the value ends.
    let position =
      depth > 2 ? 0 : Int.random(in: 0..<type.inputFields.count, using: &random)
    let field = type.inputFields[position]
    let value = value(of: field.type, depth: depth + 1)
    let cases = DistinctNames.cases(type.inputFields.map(\.name), names.casing)
    return Value(
      swift: "\(name).\(SwiftName.quoted(cases[field.name]))(\(value.swift))",
      json: "{\"\(field.name)\":\(value.json)}")
  }
}
