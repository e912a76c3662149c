import TestSupport
import Weir
import WeirNormalized

/// A random schema: types with all kinds of keys, interfaces and unions, and fields that every type
/// has.
struct RandomTypeSystem {
  enum Key: CaseIterable {
    case id, underscoreID, code, twoFields, computed, embedded
  }

  struct FieldType {
    let lists: Int
    /// The name of a type; nil for a scalar.
    let base: String?
    let hasArgument: Bool
  }

  /// How much of the schema the store knows.
  enum Knowledge: CaseIterable {
    case nothing, possibleTypes, schema
  }

  static let keyFields = ["id", "_id", "code", "x", "y"]

  let keys: [String: Key]
  let types: [String]
  let abstract: [String: Set<String>]
  let fields: [String: FieldType]
  let knowledge: Knowledge

  init(_ random: inout SeededRandom) {
    types = (0...random.below(4)).map { "T\($0)" }
    var keys: [String: Key] = [:]
    for type in types { keys[type] = random.pick(Key.allCases) }
    self.keys = keys
    var abstract: [String: Set<String>] = [:]
    for number in 0..<random.below(3) {
      abstract["A\(number)"] = Set(types.filter { _ in random.chance(50) } + [random.pick(types)])
    }
    self.abstract = abstract
    var fields: [String: FieldType] = [:]
    for number in 0..<3 + random.below(5) {
      fields["f\(number)"] = FieldType(
        lists: random.below(3),
        base: random.chance(65) ? random.pick(types + abstract.keys.sorted()) : nil,
        hasArgument: random.chance(30))
    }
    self.fields = fields
    knowledge = random.pick(Knowledge.allCases)
  }

  func possible(_ name: String) -> [String] { abstract[name]?.sorted() ?? [name] }

  var configuration: NormalizedCacheConfiguration {
    get throws {
      var configuration = NormalizedCacheConfiguration()
      for (type, key) in keys {
        switch key {
        case .id, .underscoreID: break
        case .code: configuration.keys[type] = .field("code")
        case .twoFields: configuration.keys[type] = .fields(["x", "y"])
        case .computed:
          configuration.keys[type] = .computed { object in object["code"]?.string.map { "c\($0)" } }
        case .embedded: configuration.keys[type] = .embedded
        }
      }
      switch knowledge {
      case .nothing: break
      case .possibleTypes: configuration.possibleTypes = abstract
      case .schema: configuration.schema = try GraphQLSchema(sdl: sdl)
      }
      return configuration
    }
  }

  private var sdl: String {
    let all =
      fields.sorted { $0.key < $1.key }.map { name, type in
        let list = String(repeating: "[", count: type.lists)
        let end = String(repeating: "]", count: type.lists)
        return "\(name)\(type.hasArgument ? "(n: Int)" : ""): \(list)\(type.base ?? "String")\(end)"
      } + Self.keyFields.map { "\($0): ID" }
    let body = "{ \(all.joined(separator: " ")) }"
    let unions = abstract.sorted { $0.key < $1.key }.map {
      "union \($0.key) = \($0.value.sorted().joined(separator: " | "))"
    }
    return (["Query"] + types).map { "type \($0) \(body)" }.joined(separator: "\n") + "\n"
      + unions.joined(separator: "\n")
  }
}
