import TestSupport

/// A random schema of at most 30 types, as text. Many names are keywords of Swift, or names that
/// generated code uses itself.
struct RandomSchema {
  private(set) var text = ""
  private var random: SeededRandom

  private let enums: [String]
  private let inputs: [String]
  private let interfaces: [String]
  private let objects: [String]
  private let unions: [String]
  /// The type of each field's name, mostly: selections of one name can then be merged.
  private var usualTypes: [String: String] = [:]
  /// The fields of interfaces, which their objects have, too.
  private var sharedFields: [String: String] = [:]
  private var implemented: [String: [String]] = [:]
  private var interfaceFields: [String: [(name: String, text: String)]] = [:]

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    var names = Self.typeNames.shuffled(using: &random)
    func take(_ count: ClosedRange<Int>, _ random: inout SeededRandom) -> [String] {
      let count = Int.random(in: count, using: &random)
      defer { names.removeLast(count) }
      return Array(names.suffix(count))
    }
    enums = take(1...3, &random)
    inputs = take(2...5, &random)
    interfaces = take(1...4, &random)
    objects = take(2...6, &random)
    unions = take(1...2, &random)
    addLeaves()
    addInputs()
    addComposites()
    addRoots()
  }

  private static let scalars = ["DateTime", "URL", "UUID", "JSON", "Money", "Code", "Upload"]

  private static let typeNames = [
    "Type", "Type_", "Protocol", "Self", "Self_", "Any", "Array", "Optional", "Input", "Box", "On",
    "Data", "Types",
    "Foundation", "Weir", "Swift", "Element", "book", "class", "Value", "Result", "Node", "Error",
    "Set", "Dictionary", "Character", "Item", "Pet", "Cat", "_Odd", "Snake_Case", "URLs",
    "Hashable",
    "Identifiable", "Document", "schema", "init", "Never", "Void", "Date", "Sendable", "Codable",
  ]

  private static let fieldNames = [
    "id", "name", "title", "class", "default", "self", "self_", "Self", "Type", "Type_", "Protocol",
    "init", "in",
    "is", "as", "fields", "typename", "value", "hashValue", "description", "variables", "document",
    "data", "_x", "x1", "_", "_1", "items", "int", "string", "error", "some", "any", "async",
    "await", "try", "throws", "var", "let", "inout", "func", "operator", "true", "null", "nil",
    "get", "set", "where", "extension", "camelCase", "snake_case", "UPPER", "list", "write",
    "session", "tape", "object", "other", "parent", "child", "children", "first", "box", "date",
    "url", "a", "b", "c", "hash", "input", "super", "return", "public", "open", "actor", "each",
  ]

  private static let valueNames = [
    "FICTION", "SELF_HELP", "self_help", "BEFORE1940", "self", "default", "none", "some", "init",
    "Type", "Protocol", "Self", "self_", "none_", "rawValue", "allCases", "unrecognized", "hash",
    "hashValue",
    "write",
    "_", "_1", "_a", "A_", "x", "X", "class", "Class", "in", "NIL", "TRUE_", "http2Only", "V2_1",
    "URL", "camelCase", "encode", "description", "Any", "other",
  ]
}

// MARK: - Definitions

extension RandomSchema {
  private mutating func addLeaves() {
    for scalar in Self.scalars { text += "scalar \(scalar)\n" }
    for name in enums {
      let values = Self.valueNames.shuffled(using: &random).prefix(number(1...8))
      text += "enum \(name) { \(values.joined(separator: " ")) }\n"
    }
  }

  private mutating func addInputs() {
    for (position, name) in inputs.enumerated() {
      let isOneOf = chance(3)
      let fields = Self.fieldNames.shuffled(using: &random).prefix(number(1...5))
      let members = fields.enumerated().map { index, field in
        // A leaf comes first, so that each input object has a finite value.
        let target = index == 0 || chance(2) ? leaf() : pick(inputs)
        if isOneOf { return "\(field): \(wrapped(target))" }
        // A required input object comes later than this one, so it does not lead back.
        let isLater = inputs.firstIndex(of: target).map { $0 > position } ?? true
        if target == "Int", chance(2) { return "\(field): Int\(chance(2) ? "!" : "") = 3" }
        return "\(field): \(wrapped(target))\(isLater && chance(3) ? "!" : "")"
      }
      text += "input \(name)\(isOneOf ? " @oneOf" : "") { \(members.joined(separator: " ")) }\n"
    }
  }

  private mutating func addComposites() {
    for (position, name) in interfaces.enumerated() {
      let parents = interfaces[..<position].filter { _ in chance(3) }
      add("interface", name, implementing: closure(of: parents))
    }
    var rest = Set(interfaces)
    for name in objects {
      // Each interface has an object, so that its fields have values.
      let parents =
        name == objects.last
        ? interfaces.filter(rest.contains) : interfaces.filter { _ in chance(2) }
      let all = closure(of: parents)
      rest.subtract(all)
      add("type", name, implementing: all)
    }
    for name in unions {
      let members = objects.shuffled(using: &random).prefix(number(1...objects.count))
      text += "union \(name) = \(members.joined(separator: " | "))\n"
    }
  }

  private mutating func addRoots() {
    add("type", "Query", implementing: closure(of: interfaces.filter { _ in chance(4) }))
    add("type", "Mutation", implementing: [])
    add("type", "Subscription", implementing: [])
  }

  /// The interfaces and those that they implement.
  private func closure(of names: [String]) -> [String] {
    interfaces.filter { candidate in
      names.contains(candidate)
        || names.contains { parents(of: $0).contains(candidate) }
    }
  }

  private func parents(of name: String) -> [String] {
    implemented[name] ?? []
  }

  private mutating func add(_ kind: String, _ name: String, implementing parents: [String]) {
    var fields: [(name: String, text: String)] = []
    for parent in parents {
      for field in interfaceFields[parent] ?? []
      where !fields.contains(where: { $0.name == field.name }) {
        fields.append(field)
      }
    }
    for field in Self.fieldNames.shuffled(using: &random).prefix(number(2...6))
    where !fields.contains(where: { $0.name == field }) {
      let text = "\(field)\(arguments()): \(type(of: field))"
      // Interfaces agree on their fields, so a type can implement several.
      fields.append((field, kind == "interface" ? sharedFields[field] ?? text : text))
    }
    if kind == "interface" {
      (interfaceFields[name], implemented[name]) = (fields, parents)
      for field in fields { sharedFields[field.name] = field.text }
    }
    let header = parents.isEmpty ? "" : " implements \(parents.joined(separator: " & "))"
    let lines = fields.map { field in
      let isNarrower = kind == "type" && !field.text.hasSuffix("!") && chance(6)
      return "  \(field.text)\(isNarrower ? "!" : "")\n"
    }.joined()
    text += "\(kind) \(name)\(header) {\n\(lines)}\n"
  }

  private mutating func arguments() -> String {
    guard chance(4) else { return "" }
    let names = Self.fieldNames.shuffled(using: &random).prefix(number(1...3))
    let arguments = names.map { name in
      let target = chance(2) ? leaf() : pick(inputs)
      return "\(name): \(wrapped(target))\(chance(3) ? "!" : "")"
    }
    return "(\(arguments.joined(separator: ", ")))"
  }
}

// MARK: - Types

extension RandomSchema {
  /// The type of an output field.
  private mutating func type(of field: String) -> String {
    if field == "id", chance(2) { return chance(4) ? "ID" : "ID!" }
    if let usual = usualTypes[field], !chance(6) { return usual }
    let target = chance(2) ? leaf() : pick(objects + interfaces + unions + ["Query"])
    let type = wrapped(target) + (chance(2) ? "!" : "")
    usualTypes[field] = type
    return type
  }

  private mutating func leaf() -> String {
    pick(["Int", "Float", "String", "Boolean", "ID"] + Self.scalars + enums + enums)
  }

  /// A type in no list, in one, or in two. Its outermost level is nullable.
  private mutating func wrapped(_ name: String) -> String {
    switch number(0...9) {
    case 0, 1: "[\(name)\(chance(2) ? "!" : "")]"
    case 2: "[[\(name)\(chance(2) ? "!" : "")]\(chance(2) ? "!" : "")]"
    default: name
    }
  }

  private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &random)
  }

  private mutating func pick(_ names: [String]) -> String {
    names[Int.random(in: 0..<names.count, using: &random)]
  }
}
