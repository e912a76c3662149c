import TestSupport
import Weir
import WeirNormalized

/// A random document for a random schema, with a server's response.
struct RandomExchange {
  let system: RandomTypeSystem
  private let keyless: Set<String>
  private var objects: [Object] = []
  private let flag: Bool
  private let number: Int

  private struct Object {
    let type: String
    let id: Int
    var fields: [String: JSONValue] = [:]
    var links: [String: Link] = [:]
  }

  private indirect enum Link {
    case null
    case object(Int)
    case list([Link])
  }

  private indirect enum Selection {
    case field(name: String, key: String, argument: String?, [Selection]?)
    case fragment(String?, directive: (name: String, isTrue: Bool)?, [Selection])
  }

  init(_ system: RandomTypeSystem, _ random: inout SeededRandom) {
    self.system = system
    keyless = Set(system.fields.keys.sorted().filter { _ in random.chance(10) })
    flag = random.chance(50)
    number = random.below(3)
    objects = [Object(type: "Query", id: 0)]
    for type in system.types where system.keys[type] != .embedded {
      for id in 1...3 { objects.append(Object(type: type, id: id)) }
    }
  }

  /// Returns an operation and its response.
  mutating func make(_ random: inout SeededRandom) -> (GraphQLOperation, JSONValue) {
    let selections = selections(depth: 0, field: nil, possible: ["Query"], &random)
    let text = "query($w: Boolean!, $v: Boolean!, $n: Int) \(print(selections))"
    let operation = GraphQLOperation(
      GraphQLDocument(text),
      variables: ["w": .bool(flag), "v": .bool(!flag), "n": .int(Int64(number))])
    return (operation, answer(0, selections, &random))
  }
}

// MARK: - Documents

extension RandomExchange {
  private func selections(
    depth: Int, field: String?, possible: [String], _ random: inout SeededRandom
  ) -> [Selection] {
    var selections: [Selection] = []
    if let field, !keyless.contains(field) {
      for name in RandomTypeSystem.keyFields {
        // A closure receives the object with its response keys, so `code` has no alias.
        let isAliased = name != "code" && random.chance(15)
        selections.append(
          .field(name: name, key: isAliased ? "k_\(name)" : name, argument: nil, nil))
      }
    }
    for _ in 0...random.below(3) {
      switch random.below(6) {
      case 0 where depth < 4 && field != nil:
        let condition = random.pick(system.types + system.abstract.keys.sorted())
        selections.append(
          .fragment(condition, directive: nil, inner(depth, possible, &random)))
      case 1 where depth < 4:
        let directive = random.pick(["include", "skip"])
        selections.append(
          .fragment(nil, directive: (directive, random.chance(50)), inner(depth, possible, &random))
        )
      default: selections.append(self.field(depth, possible, &random))
      }
    }
    if random.chance(30) { selections.shuffle(using: &random) }
    return selections
  }

  private func inner(
    _ depth: Int, _ possible: [String], _ random: inout SeededRandom
  ) -> [Selection] {
    (0...random.below(2)).map { _ in field(depth, possible, &random) }
  }

  private func field(
    _ depth: Int, _ possible: [String], _ random: inout SeededRandom
  ) -> Selection {
    let names = system.fields.filter { depth < 4 || $0.value.base == nil }.keys.sorted()
    guard !names.isEmpty else {
      return .field(name: "__typename", key: "__typename", argument: nil, nil)
    }
    let name = random.pick(names)
    let argument: String? =
      system.fields[name]?.hasArgument == true ? random.pick([nil, "1", "2", "$n", "null"]) : nil
    let suffix = argument.map { "_\($0.filter { $0 != "$" })" } ?? ""
    let isAliased = !suffix.isEmpty || random.chance(15)
    let children = system.fields[name]?.base.map {
      selections(depth: depth + 1, field: name, possible: system.possible($0), &random)
    }
    return .field(
      name: name, key: isAliased ? "a\(random.below(2))_\(name)\(suffix)" : name,
      argument: argument, children)
  }

  private func print(_ selections: [Selection]) -> String {
    let texts = selections.map { selection in
      switch selection {
      case .field(let name, let key, let argument, let children):
        (key == name ? "" : "\(key): ") + name + (argument.map { "(n: \($0))" } ?? "")
          + (children.map { print($0) } ?? "")
      case .fragment(let condition, let directive, let children):
        "..." + (condition.map { " on \($0)" } ?? "")
          + (directive.map { " @\($0.name)(if: \($0.isTrue == flag ? "$w" : "$v"))" } ?? "")
          + print(children)
      }
    }
    return " { \(texts.joined(separator: " ")) }"
  }
}

// MARK: - Data

extension RandomExchange {
  private func collect(
    _ selections: [Selection], _ type: String,
    into found: inout [(key: String, name: String, place: String, children: [Selection]?)]
  ) {
    for selection in selections {
      switch selection {
      case .field(let name, let key, let argument, let children):
        if let index = found.firstIndex(where: { $0.key == key }) {
          if let children { found[index].children = (found[index].children ?? []) + children }
        } else {
          let value = argument.map { $0 == "$n" ? "\(number)" : $0 }
          found.append((key, name, name + (value.map { "(\($0))" } ?? ""), children))
        }
      case .fragment(let condition, let directive, let children):
        if let condition, !system.possible(condition).contains(type) { continue }
        if let directive, (directive.name == "include") != directive.isTrue { continue }
        collect(children, type, into: &found)
      }
    }
  }

  private mutating func answer(
    _ object: Int, _ selections: [Selection], _ random: inout SeededRandom
  ) -> JSONValue {
    var found: [(key: String, name: String, place: String, children: [Selection]?)] = []
    collect(selections, objects[object].type, into: &found)
    var members: [(String, JSONValue)] = []
    // The client adds `__typename` itself.
    if object != 0 { members.append(("__typename", .string(objects[object].type))) }
    for (key, name, place, children) in found where name != "__typename" {
      if let children {
        members.append((key, complete(link(object, place, name, &random), children, &random)))
      } else {
        members.append((key, leaf(object, place, name, &random)))
      }
    }
    if random.chance(20) { members.shuffle(using: &random) }
    return .object(JSONObject(members))
  }

  private mutating func complete(
    _ link: Link, _ selections: [Selection], _ random: inout SeededRandom
  ) -> JSONValue {
    switch link {
    case .null: return .null
    case .object(let object): return answer(object, selections, &random)
    case .list(let links):
      var values: [JSONValue] = []
      for link in links { values.append(complete(link, selections, &random)) }
      return .array(values)
    }
  }

  private mutating func leaf(
    _ object: Int, _ place: String, _ name: String, _ random: inout SeededRandom
  ) -> JSONValue {
    let known = objects[object]
    switch name {
    case "id": return system.keys[known.type] == .id ? .string("\(known.id)") : .null
    case "_id": return system.keys[known.type] == .underscoreID ? .int(Int64(known.id)) : .null
    case "code", "x": return .string("\(known.id)")
    case "y": return .int(7)
    default: break
    }
    if let value = known.fields[place] { return value }
    let value: JSONValue = random.pick([
      nil, .string("short"), .string("a text that is too long for a cell: \(random.below(9))"),
      .int(Int64(random.below(1000))), .bool(true), .double(0.5), [1, nil, ["a": []]],
    ])
    objects[object].fields[place] = value
    return value
  }

  private mutating func link(
    _ object: Int, _ place: String, _ name: String, _ random: inout SeededRandom
  ) -> Link {
    if let link = objects[object].links[place] { return link }
    guard let type = system.fields[name], let base = type.base else { return .null }
    let link = makeLink(lists: type.lists, base, &random)
    objects[object].links[place] = link
    return link
  }

  private mutating func makeLink(
    lists: Int, _ base: String, _ random: inout SeededRandom
  ) -> Link {
    if random.chance(8) { return .null }
    if lists > 0 {
      var links: [Link] = []
      for _ in 0..<random.below(4) { links.append(makeLink(lists: lists - 1, base, &random)) }
      return .list(links)
    }
    let type = random.pick(system.possible(base))
    let known = objects.indices.filter { objects[$0].type == type }
    if system.keys[type] != .embedded { return .object(random.pick(known)) }
    objects.append(Object(type: type, id: objects.count))
    return .object(objects.count - 1)
  }
}
