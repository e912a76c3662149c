import Foundation
import GraphQLLanguage
import TestSupport
import Weir
@testable import WeirRecords

extension Stress {
  /// Returns the number of rounds with each seed. A factor above 1 makes more seeds, not more rounds; one
  /// below 1 makes fewer of both.
  static func scaled(_ count: Int) -> Int { max(3, Int(Double(count) * min(factor, 1))) }

  /// Returns the seed from the environment, or `count` fixed seeds.
  static func seeds(_ count: Int) -> [UInt64] {
    givenSeed.map { [$0] } ?? (0..<rounds(count)).map { UInt64($0) &* 7919 &+ 1 }
  }
}

/// The types of the random data. A name means the same kind of field in every type, so every
/// document is valid. `a`–`d` are scalars (`c` takes an argument), `j` is a custom scalar, `o`, `p`
/// and `e` are objects (`e` takes an argument), `l` and `m` are lists of objects, and `g` is a list
/// of lists.
enum RandomSchema {
  static let keyed = ["K0", "K1"]
  static let keyless = ["E0", "E1"]
  static let types = keyed + keyless
  static let possibleTypes: [String: Set<String>] = ["I": ["K0", "E0"], "U": ["K1", "E0", "E1"]]
  static let scalars = ["a", "b", "d", "j", "c"]
  static let composites = ["o", "p", "l", "m", "g", "e"]

  static func condition(_ condition: String, holdsFor type: String) -> Bool {
    condition == type || possibleTypes[condition]?.contains(type) ?? false
  }
}

/// A selection of a random document.
indirect enum RandomSelection: Sendable {
  /// The argument of a field.
  enum Argument: Hashable, Sendable {
    case none, literal(Int), null, variable
  }

  case field(name: String, argument: Argument, alias: Int, [RandomSelection]?)
  case typename
  case fragment(on: String, name: Int?, [RandomSelection])
  /// `@include` or `@skip` with the variable `$w`, or both.
  case conditional(include: Bool?, skip: Bool?, [RandomSelection])
}

/// A random operation: its tree for the oracle, and its text for the store.
struct RandomOperation: Sendable {
  let selections: [RandomSelection]
  /// The value of `$v`, nil if it is absent, and of `$w`, whose default is true.
  let variable: Int??
  let flag: Bool?
  let operation: GraphQLOperation
  /// The fields whose objects have their ids in some selections only.
  let mixedFields: Set<String>

  init(_ kind: GraphQLOperation.Kind, _ random: inout SeededRandom) {
    selections = Self.selections(of: nil, depth: 0, &random)
    variable = random.pick([nil, .some(nil), .some(1), .some(2)])
    flag = random.pick([nil, true, false])
    var printer = Printer()
    let body = printer.print(selections)
    var variables: [(String, JSONValue)] = []
    if let variable { variables.append(("v", variable.map { .int(Int64($0)) } ?? .null)) }
    if let flag { variables.append(("w", .bool(flag))) }
    operation = GraphQLOperation(
      GraphQLDocument(
        "\(kind.rawValue) Random($v: Int, $w: Boolean = true) \(body)\n"
          + printer.fragments.joined(separator: "\n")),
      variables: .object(JSONObject(variables)))
    var mixed = MixedKeys(RecordPolicies(), operation.prepared.fragments)
    mixed.visit(operation.prepared.definition.selectionSet)
    mixedFields = mixed.fields
  }

  private static func selections(
    of name: String?, depth: Int, _ random: inout SeededRandom
  ) -> [RandomSelection] {
    var selections: [RandomSelection] = []
    if name != nil {
      if random.chance(88) {
        selections.append(
          .field(name: "id", argument: .none, alias: random.chance(85) ? 0 : 1, nil))
      }
      selections.append(.typename)
    }
    for _ in 0..<random.below(3) + 1 {
      switch random.below(10) {
      case 0 where depth > 0:
        selections.append(
          .fragment(
            on: random.pick(RandomSchema.types + ["I", "U"]),
            name: random.chance(40) ? random.below(1_000_000) : nil,
            inner(depth: depth, &random)))
      case 1:
        let choices: [(Bool?, Bool?)] = [(true, nil), (nil, true), (true, true)]
        let (include, skip) = random.pick(choices)
        selections.append(
          .conditional(include: include, skip: skip, inner(depth: depth, &random)))
      case 2...5: selections.append(scalar(&random))
      default: selections.append(composite(depth: depth, &random))
      }
    }
    if random.chance(30) { selections.shuffle(using: &random) }
    return selections
  }

  private static func inner(
    depth: Int, _ random: inout SeededRandom
  ) -> [RandomSelection] {
    (0...random.below(2)).map { _ in
      random.chance(50) ? scalar(&random) : composite(depth: depth, &random)
    }
  }

  private static func scalar(_ random: inout SeededRandom) -> RandomSelection {
    let name = random.pick(RandomSchema.scalars)
    let argument: RandomSelection.Argument =
      name == "c" ? random.pick([.none, .literal(1), .literal(2), .null, .variable]) : .none
    return .field(name: name, argument: argument, alias: random.chance(20) ? 1 : 0, nil)
  }

  private static func composite(
    depth: Int, _ random: inout SeededRandom
  ) -> RandomSelection {
    guard depth < 4 else { return scalar(&random) }
    let name = random.pick(RandomSchema.composites)
    let argument: RandomSelection.Argument =
      name == "e" ? random.pick([.none, .literal(1), .variable]) : .none
    return .field(
      name: name, argument: argument, alias: random.chance(20) ? 1 : 0,
      selections(of: name, depth: depth + 1, &random))
  }

  /// The response key: made of the field and its argument, so that no two fields share it.
  static func responseKey(_ name: String, _ argument: RandomSelection.Argument, _ alias: Int)
    -> String
  {
    let suffix: String
    switch argument {
    case .none: suffix = ""
    case .literal(let number): suffix = "_\(number)"
    case .null: suffix = "_null"
    case .variable: suffix = "_v"
    }
    return suffix.isEmpty && alias == 0 ? name : "x\(alias)_\(name)\(suffix)"
  }

  /// The fields that a selection yields for a type, in order, with merged selections.
  func fields(
    of selections: [RandomSelection], on type: String
  ) -> [(key: String, storageKey: String, name: String, selections: [RandomSelection]?)] {
    var found: [(key: String, storageKey: String, name: String, selections: [RandomSelection]?)] =
      []
    func collect(_ selections: [RandomSelection]) {
      for selection in selections {
        switch selection {
        case .typename: add("__typename", "__typename", "__typename", nil)
        case .field(let name, let argument, let alias, let children):
          add(
            Self.responseKey(name, argument, alias), storageKey(name, argument), name, children)
        case .fragment(let condition, _, let children):
          if RandomSchema.condition(condition, holdsFor: type) { collect(children) }
        case .conditional(let include, let skip, let children):
          let flag = flag ?? true
          if include == nil || flag, skip == nil || !flag { collect(children) }
        }
      }
    }
    func add(_ key: String, _ storageKey: String, _ name: String, _ children: [RandomSelection]?) {
      if let index = found.firstIndex(where: { $0.key == key }) {
        if let children { found[index].selections = (found[index].selections ?? []) + children }
      } else {
        found.append((key, storageKey, name, children))
      }
    }
    collect(selections)
    return found
  }

  private func storageKey(_ name: String, _ argument: RandomSelection.Argument) -> String {
    switch argument {
    case .none: name
    case .literal(let number): "\(name)(\(number))"
    case .null: "\(name)(null)"
    case .variable:
      variable.map { value in "\(name)(\(value.map(String.init) ?? "null"))" } ?? name
    }
  }
}

/// Prints a random document.
private struct Printer {
  var fragments: [String] = []

  mutating func print(_ selections: [RandomSelection]) -> String {
    "{ " + selections.map { print($0) }.joined(separator: " ") + " }"
  }

  private mutating func print(_ selection: RandomSelection) -> String {
    switch selection {
    case .typename: return "__typename"
    case .field(let name, let argument, let alias, let children):
      let key = RandomOperation.responseKey(name, argument, alias)
      let text: String
      switch argument {
      case .none: text = ""
      case .literal(let number): text = "(n: \(number))"
      case .null: text = "(n: null)"
      case .variable: text = "(n: $v)"
      }
      return (key == name ? "" : "\(key): ") + name + text + (children.map { print($0) } ?? "")
    case .fragment(let condition, let name, let children):
      guard let name else { return "... on \(condition) \(print(children))" }
      let body = print(children)
      let text = "fragment F\(name) on \(condition) \(body)"
      if !fragments.contains(text) { fragments.append(text) }
      return "...F\(name)"
    case .conditional(let include, let skip, let children):
      let directives =
        (include == nil ? "" : "@include(if: $w) ") + (skip == nil ? "" : "@skip(if: $w) ")
      return "... \(directives)\(print(children))"
    }
  }
}
