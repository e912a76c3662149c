import TestSupport
import Weir

/// A selection of random fields with objects: `o` and `e` are objects, `l` is a list, and `g` is a
/// list of lists. Each object has a name, too, and all but those of the types B and C have an id.
indirect enum SelfContainingSelection {
  case fields([(name: String, SelfContainingSelection)])

  var fields: [(name: String, SelfContainingSelection)] {
    switch self {
    case .fields(let fields): fields
    }
  }

  init(depth: Int, _ random: inout SeededRandom) {
    var names = ["o", "l", "g", "e"]
    var fields: [(name: String, SelfContainingSelection)] = []
    for _ in 0..<(depth == 0 ? 0 : 1 + random.below(2)) {
      let name = names.remove(at: random.below(names.count))
      fields.append((name, SelfContainingSelection(depth: depth - 1, &random)))
    }
    self = .fields(fields)
  }

  func text(isRoot: Bool = true) -> String {
    let inner = fields.map { "\($0.name) \($0.1.text(isRoot: false))" }
    return "{ \((isRoot ? [] : ["id", "name"] + inner).joined(separator: " "))"
      + (isRoot ? inner.joined(separator: " ") : "") + " }"
  }

  /// A response. Few entities are in many places, each time with other contents.
  func data(isRoot: Bool = true, _ random: inout SeededRandom) -> JSONValue {
    var members: [(String, JSONValue)] = []
    if !isRoot {
      let type = random.pick(["U", "U", "U", "V", "B", "C"])
      let id: JSONValue = ["B", "C"].contains(type) ? .null : random.pick(["1", "2"])
      members += [
        ("__typename", .string(type)), ("id", id),
        ("name", random.pick(["a", "b", "a name that is too long for a cell", .null])),
      ]
    }
    for (name, inner) in fields {
      func list(_ make: (inout SeededRandom) -> JSONValue) -> JSONValue {
        .array((0..<random.below(4)).map { _ in make(&random) })
      }
      func object(_ random: inout SeededRandom) -> JSONValue {
        random.chance(10) ? .null : inner.data(isRoot: false, &random)
      }
      switch name {
      case "l": members.append((name, list(object)))
      case "g":
        members.append(
          (name, list { random in .array((0..<random.below(3)).map { _ in object(&random) }) }))
      default: members.append((name, object(&random)))
      }
    }
    return .object(JSONObject(members))
  }
}

/// A store of dictionaries that writes fields in the order of the document. Where a response
/// contradicts itself, the later value stays; a field within its own value comes before it, and only
/// its objects are merged.
struct SelfContainingOracle {
  indirect enum Value: Hashable {
    case leaf(JSONValue)
    case object(String)
    case list([Value])
  }

  private struct Record {
    let type: String
    var fields: [String: Value] = [:]
  }

  private struct Place: Hashable {
    let record: String
    let field: String
  }

  private var records: [String: Record] = ["Query": Record(type: "Query")]
  private var count = 0
  // The objects that one write has met.
  private var open: Set<Place> = []
  private var written: Set<String> = []
  private var leftovers: Set<Place> = []

  mutating func write(_ data: JSONValue, isMutation: Bool = false) {
    let root = isMutation ? "Mutation" : "Query"
    if isMutation { records[root] = Record(type: "Query") }
    write(data, into: root, isBelowElement: false)
    for place in leftovers { records[place.record]?.fields[place.field] = nil }
    (open, written, leftovers) = ([], [], [])
  }

  private mutating func write(_ object: JSONValue, into key: String, isBelowElement: Bool) {
    guard let members = object.object else { return }
    for name in members.keys { leftovers.remove(Place(record: key, field: name)) }
    for name in ["id", "name"] {
      if let value = members[name] { records[key]?.fields[name] = .leaf(value) }
    }
    for (name, value) in members where !["__typename", "id", "name"].contains(name) {
      var pending: [(JSONValue, String, Bool)] = []
      let made = self.value(
        value, existing: records[key]?.fields[name], isBelowElement: isBelowElement,
        isElement: false, &pending)
      let place = Place(record: key, field: name)
      let isOutermost = open.insert(place).inserted
      if isOutermost { records[key]?.fields[name] = made }
      for (object, key, isBelow) in pending { write(object, into: key, isBelowElement: isBelow) }
      if isOutermost { open.remove(place) }
    }
  }

  private mutating func value(
    _ value: JSONValue, existing: Value?, isBelowElement: Bool, isElement: Bool,
    _ pending: inout [(JSONValue, String, Bool)]
  ) -> Value {
    switch value {
    case .object(let object):
      let type = object["__typename"]?.string ?? ""
      if let id = object["id"]?.string {
        let key = "\(type):\(id)"
        if records[key] == nil { records[key] = Record(type: type) }
        pending.append((value, key, false))
        return .object(key)
      }
      let isBelow = isBelowElement || isElement
      if case .object(let key) = existing, key.hasPrefix("#"), let record = records[key],
        record.type == type
      {
        if isBelow, written.insert(key).inserted {
          leftovers.formUnion(record.fields.keys.map { Place(record: key, field: $0) })
        }
        pending.append((value, key, isBelow))
        return .object(key)
      }
      count += 1
      let key = "#\(count)"
      records[key] = Record(type: type)
      if isBelow { written.insert(key) }
      pending.append((value, key, isBelow))
      return .object(key)
    case .array(let elements):
      let old: [Value] = if case .list(let old) = existing { old } else { [] }
      var made: [Value] = []
      for (index, element) in elements.enumerated() {
        made.append(
          self.value(
            element, existing: index < old.count ? old[index] : nil,
            isBelowElement: isBelowElement, isElement: true, &pending))
      }
      return .list(made)
    default: return .leaf(value)
    }
  }

  /// The data that a selection reads; nil if anything is missing.
  func read(_ selection: SelfContainingSelection) -> JSONValue? {
    read("Query", selection, isRoot: true)
  }

  private func read(_ key: String, _ selection: SelfContainingSelection, isRoot: Bool) -> JSONValue?
  {
    guard let record = records[key] else { return nil }
    var members: [(String, JSONValue)] = []
    if !isRoot {
      for name in ["id", "name"] {
        guard case .leaf(let value) = record.fields[name] else { return nil }
        members.append((name, value))
      }
    }
    for (name, inner) in selection.fields {
      guard let value = record.fields[name].flatMap({ read($0, inner) }) else { return nil }
      members.append((name, value))
    }
    if !isRoot { members.append(("__typename", .string(record.type))) }
    return .object(JSONObject(members))
  }

  private func read(_ value: Value, _ selection: SelfContainingSelection) -> JSONValue? {
    switch value {
    case .leaf(let leaf): return leaf
    case .object(let key): return read(key, selection, isRoot: false)
    case .list(let values):
      let elements = values.compactMap { read($0, selection) }
      return elements.count == values.count ? .array(elements) : nil
    }
  }
}
