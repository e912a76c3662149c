import TestSupport
import Weir

/// The data of the model's server: objects whose fields are invented when first requested and
/// change over time. It answers random operations like a server.
struct RandomWorld {
  indirect enum Value {
    case leaf(JSONValue)
    case object(Int)
    case list([Value])
  }

  private struct Object {
    let type: String
    let id: JSONValue?
    var fields: [String: Value] = [:]
  }

  /// The first object is the query root; the ones after it have keys.
  private var objects: [Object] = [Object(type: "Query", id: nil)]
  private let keyedCount: Int
  /// The percentage of fields in which it contradicts itself.
  var contradicts = 0

  init() {
    let ids: [JSONValue] = ["1", "2", "é\"(,:", "a rather long id, which no cell holds", ""]
    for id in ids where id != "" { objects.append(Object(type: "K0", id: id)) }
    for id in [0, 1, 3_000_000_001] { objects.append(Object(type: "K1", id: .int(Int64(id)))) }
    keyedCount = objects.count - 1
  }

  private mutating func value(
    _ object: Int, _ storageKey: String, _ name: String,
    _ random: inout SeededRandom
  ) -> Value {
    let known = objects[object].fields[storageKey]
    if let known, contradicts == 0 || !random.chance(contradicts) { return known }
    let made = makeValue(name, &random)
    objects[object].fields[storageKey] = made
    return made
  }

  private mutating func makeValue(_ name: String, _ random: inout SeededRandom) -> Value {
    switch name {
    case "a", "b", "c", "d":
      return .leaf(
        random.pick([
          .int(Int64(random.below(5))), .string("text \(random.below(5))"), .bool(true), .null,
          .string("a long text that is kept out of line, number \(random.below(5)) \"é\\"),
          .double(1.5), .string(""),
        ]))
    case "j":
      return .leaf(
        random.pick([
          ["$reference": "K0:1"], [1, [2, nil]], [:], .array([]), .string("plain"),
          [
            // Sorted, because a value with another spelling is a different value.
            "deep": ["__typename": "K0", "er": [1, 2, 3], "id": "1"],
            "n": .int(Int64(random.below(5))),
          ],
        ]))
    case "o", "p", "e": return element(&random)
    case "l", "m": return .list((0..<random.below(4)).map { _ in element(&random) })
    default:
      return .list(
        (0..<random.below(3)).map { _ in
          random.chance(10)
            ? .leaf(.null) : .list((0..<random.below(3)).map { _ in element(&random) })
        })
    }
  }

  private mutating func element(_ random: inout SeededRandom) -> Value {
    if random.chance(10) { return .leaf(.null) }
    if random.chance(60) { return .object(1 + random.below(keyedCount)) }
    objects.append(Object(type: random.pick(RandomSchema.keyless), id: nil))
    return .object(objects.count - 1)
  }

  /// Changes some fields: gives them new values, and reorders lists.
  mutating func change(_ random: inout SeededRandom) {
    for _ in 0..<random.below(4) + 1 {
      let object = random.chance(50) ? random.below(keyedCount + 1) : random.below(objects.count)
      let keys = objects[object].fields.keys.sorted()
      guard !keys.isEmpty else { continue }
      let key = random.pick(keys)
      if case .list(let list) = objects[object].fields[key], random.chance(60) {
        objects[object].fields[key] = .list(list.shuffled(using: &random))
      } else {
        objects[object].fields[key] = nil
      }
    }
  }

  /// Returns a response: its data, and errors with the paths that they made null.
  mutating func answer(
    _ operation: RandomOperation, failing percent: Int, _ random: inout SeededRandom
  ) -> (data: JSONValue, errors: [GraphQLError]) {
    var errors: [GraphQLError] = []
    let data = answer(
      0, operation.selections, operation, [], failing: percent, &errors, &random)
    return (data, errors)
  }

  private mutating func answer(
    _ object: Int, _ selections: [RandomSelection], _ operation: RandomOperation,
    _ path: [GraphQLError.PathElement], failing percent: Int, _ errors: inout [GraphQLError],
    _ random: inout SeededRandom
  ) -> JSONValue {
    var members: [(String, JSONValue)] = []
    for field in operation.fields(of: selections, on: objects[object].type) {
      let path = path + [.key(field.key)]
      switch field.name {
      case "__typename": members.append((field.key, .string(objects[object].type)))
      case "id": members.append((field.key, objects[object].id ?? .null))
      default:
        if random.chance(percent) {
          errors.append(GraphQLError(message: "failed", path: path))
          members.append((field.key, .null))
          continue
        }
        let value = value(object, field.storageKey, field.name, &random)
        members.append(
          (
            field.key,
            complete(
              value, field.selections ?? [], operation, path, failing: percent, &errors, &random)
          ))
      }
    }
    if random.chance(10) { members.shuffle(using: &random) }
    return .object(JSONObject(members))
  }

  private mutating func complete(
    _ value: Value, _ selections: [RandomSelection], _ operation: RandomOperation,
    _ path: [GraphQLError.PathElement], failing percent: Int, _ errors: inout [GraphQLError],
    _ random: inout SeededRandom
  ) -> JSONValue {
    switch value {
    case .leaf(let leaf): return leaf
    case .object(let object):
      return answer(
        object, selections, operation, path, failing: percent, &errors, &random)
    case .list(let elements):
      var completed: [JSONValue] = []
      for (index, element) in elements.enumerated() {
        let path = path + [.index(index)]
        if random.chance(percent) {
          errors.append(GraphQLError(message: "failed", path: path))
          completed.append(.null)
        } else {
          completed.append(
            complete(
              element, selections, operation, path, failing: percent, &errors, &random))
        }
      }
      return .array(completed)
    }
  }
}
