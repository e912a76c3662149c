package import Weir

/// The app's declarations about an API, as far as reading and writing records depends on them.
package struct RecordPolicies: Sendable {
  /// How the objects of a type are distinguished, by the name of an object type, interface or union.
  package var keys: [String: EntityKey] = [:]
  /// Types that share one space of keys: the name of the space, by type.
  package var groups: [String: String] = [:]
  /// The name of the space of a type that `groups` does not name.
  package var groupOfType: (@Sendable (String) -> String?)?
  package var schema: GraphQLSchema?
  /// The object types of interfaces and unions.
  package var possibleTypes: [String: Set<String>] = [:]
  /// By `Type.field`.
  package var fields: [String: FieldPolicy] = [:]
  package var memberships: [ListMembership] = []
  /// Whether references to missing entities are left out of lists.
  package var dropsDangling = false
  /// By the name of an object type, interface or union.
  package var timeToLive: [String: Duration] = [:]
  /// Whether anybody would see a diagnostic. Those that cost a search are not made otherwise.
  package var readsDiagnostics = true
  /// Whether a diagnostic is made for objects that should have a key but lack one.
  package var reportsMissingKeys = false
  /// The names above that nothing has confirmed yet; nil if nobody asks.
  package var unmetNames: UnmetNames?
  /// How many names of types are numbered. The default is far more than any API has: a server could
  /// invent names without end.
  package var maximumTypes = 10_000
  /// How many shapes a plan may have before another one takes its place.
  package var maximumShapes = 20_000

  package init() {}
}

extension RecordPolicies {
  /// The declared key of a type, of an interface or union that the type belongs to, or of all types.
  func key(of typename: String) -> EntityKey? {
    value(for: typename, in: keys) ?? keys["*"]
  }

  /// The value for a type, or for the first interface or union that the type belongs to.
  func value<Value>(for typename: String, in values: [String: Value]) -> Value? {
    if values.isEmpty { return nil }
    return values[typename]
      ?? values.sorted { $0.key < $1.key }.first { isType(typename, within: $0.key) }?.value
  }

  func policy(of field: String, on typename: String) -> FieldPolicy? {
    guard !fields.isEmpty else { return nil }
    if let own = fields["\(typename).\(field)"] { return own }
    for (name, policy) in fields.sorted(by: { $0.key < $1.key }) {
      let parts = name.split(separator: ".", maxSplits: 1)
      if parts.count == 2, parts[1] == field, isType(typename, within: String(parts[0])) {
        return policy
      }
    }
    return nil
  }

  /// The object types of an interface or union; any other name stands for itself.
  package func objectTypes(within name: String) -> Set<String> {
    let possible = possibleTypes[name] ?? schema?.possibleTypes(of: name) ?? []
    return possible.isEmpty ? [name] : possible
  }

  package func isType(_ typename: String, within abstract: String) -> Bool {
    possibleTypes[abstract]?.contains(typename)
      ?? schema.map { $0.knows(abstract) && $0.possibleTypes(of: abstract).contains(typename) }
      ?? false
  }

  /// The time to live in milliseconds; negative if none is declared.
  func timeToLive(of policy: FieldPolicy?, on typename: String) -> Int64 {
    (policy?.timeToLive ?? value(for: typename, in: timeToLive))?.milliseconds ?? -1
  }

  /// Whether objects of a type are expected to have a key. Types that are declared as embedded, or
  /// whose key a closure computes, are not, and neither are types to which the schema gives no fields for
  /// one. A schema that knows a type knows all of its fields, also if it is a generated one.
  func expectsKey(of typename: String) -> Bool {
    switch key(of: typename) {
    case .embedded, .computed: false
    case .fields(let names): fields(of: typename).map { $0.isSuperset(of: names) } ?? true
    case nil: fields(of: typename).map { !$0.isDisjoint(with: ["id", "_id"]) } ?? true
    }
  }

  /// The names of a type's fields; nil if they are unknown.
  private func fields(of typename: String) -> Set<String>? {
    schema?.fieldArguments[typename].map { Set($0.keys).union(["__typename"]) }
  }
}
