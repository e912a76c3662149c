import GraphQLLanguage
import GraphQLValidation
import TestSupport

@testable import WeirGeneration

/// A random operation on a schema, with its fragments.
///
/// Most of them are valid. Some break rules that depend on all selections together: whether fields of
/// one response key can be merged, and whether their Swift names differ.
struct RandomDocument {
  struct Variable {
    let name: String
    let type: TypeReference
    let hasDefault: Bool
  }

  let name: String
  let kind: OperationKind
  private(set) var text = ""
  private(set) var variables: [Variable] = []
  private(set) var random: SeededRandom

  private let schema: TypeSystem
  private var fragments: [(name: String, type: String, text: String)] = []
  private var aliases = 0
  private var size = 0

  init(_ name: String, _ kind: OperationKind, on schema: TypeSystem, seed: UInt64) {
    self.name = name
    self.kind = kind
    self.schema = schema
    random = SeededRandom(seed: seed)
    guard let root = schema.rootType(kind) else { return }
    let selections = kind == .subscription ? rootField(of: root) : selections(on: root, depth: 0)
    let definitions = variables.map { variable in
      let defaultText =
        variable.hasDefault ? " = \(literal(of: variable.type, depth: 0, true))" : ""
      return "$\(variable.name): \(variable.type.canonicalText)\(defaultText)"
    }
    let header = definitions.isEmpty ? "" : "(\(definitions.joined(separator: ", ")))"
    text = "\(kind.rawValue) \(name)\(header) \(selections)\n"
    for fragment in fragments {
      text += "fragment \(fragment.name) on \(fragment.type) \(fragment.text)\n"
    }
  }

  private static let variableNames = [
    "first", "self", "in", "let", "inout", "variables", "var", "default", "Type", "hashValue", "x",
    "init", "class", "is", "by", "Self", "document", "write", "Protocol", "async", "_v", "Data",
  ]
}

// MARK: - Selections

extension RandomDocument {
  private mutating func selections(on type: SchemaType, depth: Int) -> String {
    size += 1
    var parts: [String] = []
    for _ in 0..<number(1...4) {
      let choice = depth > 4 || size > 25 ? 0 : number(0...9)
      switch choice {
      case 5 where depth > 0 && chance(4): parts.append(typename())
      case 0...5 where !type.fields.isEmpty: parts.append(field(of: type, depth: depth))
      case 6, 7: parts.append(inline(on: type, depth: depth))
      case 8, 9: parts.append(spread(on: type, depth: depth))
      default: parts.append(typename())
      }
    }
    return "{ \(parts.joined(separator: " ")) }"
  }

  /// The name of the type. With an alias it is a field like others, which may have a condition.
  private mutating func typename() -> String {
    guard chance(2) else { return "__typename" }
    aliases += 1
    return "kind\(aliases): __typename\(chance(3) ? condition() : "")"
  }

  /// A subscription has one root field, without a condition.
  private mutating func rootField(of type: SchemaType) -> String {
    "{ \(field(of: type, depth: 0, isConditional: false)) }"
  }

  private mutating func field(
    of type: SchemaType, depth: Int, isConditional: Bool = true
  ) -> String {
    let isDeep = depth > 3 || size > 25
    let leaves = type.fields.filter { schema.type(of: $0.type)?.isComposite == false }
    let candidates = isDeep ? leaves : type.fields
    guard let field = pick(candidates) else { return "__typename" }
    var text = field.name
    if !field.arguments.isEmpty || chance(6) {
      aliases += 1
      let names = ["alias\(aliases)", "\(field.name)_\(aliases)", "Alias\(aliases)", "_\(aliases)"]
      text = "\(pick(names) ?? ""): \(text)"
    }
    let given = field.arguments.filter { $0.isRequired || chance(2) }
    if !given.isEmpty {
      let arguments = given.map { "\($0.name): \(value(of: $0))" }
      text += "(\(arguments.joined(separator: ", ")))"
    }
    if isConditional, chance(7) { text += condition() }
    if field.type.isList, kind == .query, chance(3) {
      text += pick([" @stream", " @stream(initialCount: 1)"]) ?? ""
    }
    guard let target = schema.type(of: field.type), target.isComposite else { return text }
    return "\(text) \(selections(on: target, depth: depth + 1))"
  }

  private mutating func inline(on type: SchemaType, depth: Int) -> String {
    let directive = chance(4) ? condition(canDefer: true) : ""
    guard !chance(6), let target = overlapping(type) else {
      return "...\(directive) \(selections(on: type, depth: depth + 1))"
    }
    return "... on \(target.name)\(directive) \(selections(on: target, depth: depth + 1))"
  }

  private mutating func spread(on type: SchemaType, depth: Int) -> String {
    let directive =
      (chance(4) ? condition(canDefer: true) : "") + (chance(5) ? " @unmask" : "")
    let known = fragments.filter { schema.overlap($0.type, type.name) }
    if chance(3), let fragment = pick(known) { return "...\(fragment.name)\(directive)" }
    guard let target = overlapping(type) else { return "__typename" }
    let text = selections(on: target, depth: depth + 1)
    let name = "\(chance(2) ? "Part" : "part")\(name)_\(fragments.count)"
    fragments.append((name, target.name, text))
    return "...\(name)\(directive)"
  }

  private mutating func overlapping(_ type: SchemaType) -> SchemaType? {
    let names = schema.typeNames.filter {
      schema.types[$0]?.isComposite == true && schema.overlap($0, type.name)
    }
    return pick(names).flatMap { schema.types[$0] }
  }

  private mutating func condition(canDefer: Bool = false) -> String {
    if canDefer, kind == .query, chance(4) { return " @defer" }
    let value = chance(5) ? "true" : variable(of: .nonNull(.named("Boolean")))
    return chance(2) ? " @include(if: \(value))" : " @skip(if: \(value))"
  }
}

// MARK: - Values

extension RandomDocument {
  private mutating func value(of input: SchemaInput) -> String {
    chance(2) ? variable(of: input.type) : literal(of: input.type, depth: 0)
  }

  /// A variable that fits a place of a type.
  private mutating func variable(of type: TypeReference) -> String {
    let same = variables.filter { $0.type == type && !$0.hasDefault }
    if chance(2), let variable = pick(same) { return "$\(variable.name)" }
    let names = Self.variableNames.filter { name in !variables.contains { $0.name == name } }
    let name = pick(names) ?? "v\(variables.count)"
    variables.append(
      Variable(name: name, type: type, hasDefault: !type.isBoolean && chance(3)))
    return "$\(name)"
  }

  /// A value as text. `isConstant` means without variables.
  private mutating func literal(
    of type: TypeReference, depth: Int, _ isConstant: Bool = false
  ) -> String {
    switch type {
    case .nonNull(.named(let name)):
      return literal(named: name, depth: depth, isConstant)
    case .nonNull(let inner):
      return depth > 3 ? "[]" : literal(of: inner, depth: depth, isConstant)
    case .list(let element):
      if chance(6) || depth > 3 { return "[]" }
      let count = number(0...2)
      return
        "[\((0..<count).map { _ in literal(of: element, depth: depth + 1, isConstant) }.joined(separator: ", "))]"
    case .named(let name):
      if depth > 3, schema.types[name]?.kind == .inputObject { return "null" }
      return literal(named: name, depth: depth, isConstant)
    }
  }

  private mutating func literal(named name: String, depth: Int, _ isConstant: Bool) -> String {
    switch name {
    case "Int": return "\(number(-9...99))"
    case "Float": return "\(number(0...9)).5"
    case "Boolean": return chance(2) ? "true" : "false"
    case "ID", "String": return pick([#""a""#, #""""#, #""ä \"b\"\n""#, #""""block """ "#]) ?? ""
    default: break
    }
    guard let type = schema.types[name] else { return "null" }
    switch type.kind {
    case .enum: return pick(type.values)?.name ?? "null"
    case .inputObject: return object(type, depth: depth, isConstant)
    default: return #""2026-01-02T03:04:05Z""#
    }
  }

  private mutating func object(_ type: SchemaType, depth: Int, _ isConstant: Bool) -> String {
    var fields = type.inputFields.filter { $0.isRequired || (depth < 3 && chance(2)) }
    if type.isOneOf { fields = Array(type.inputFields.prefix(1)) }
    let members = fields.map { field in
      let place = type.isOneOf ? TypeReference.nonNull(field.type) : field.type
      let value =
        !isConstant && chance(4)
        ? variable(of: place) : literal(of: place, depth: depth + 1, isConstant)
      return "\(field.name): \(value)"
    }
    return "{ \(members.joined(separator: ", ")) }"
  }
}

// MARK: - Chance

extension RandomDocument {
  private mutating func chance(_ one: Int) -> Bool { random.chance(one) }

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &random)
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.randomElement(using: &random)
  }
}

extension SeededRandom {
  /// Whether one of `count` equally likely events has happened.
  mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}

extension TypeReference {
  fileprivate var isBoolean: Bool { self == .nonNull(.named("Boolean")) }
}
