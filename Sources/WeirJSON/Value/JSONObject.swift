/// The members of a JSON object, in the order in which they were added.
///
/// The order does not count when objects are compared. Keys are compared by their bytes, as JSON
/// has it, so two spellings of `é` are two keys. Looking a key up takes a few comparisons in a
/// small object and one hash in a large one. Objects that were parsed alike share their keys.
public struct JSONObject: Sendable {
  private var names: JSONKeys
  private var storage: [JSONValue]

  /// Makes an object without members.
  public init() {
    names = .none
    storage = []
  }

  /// Makes an object of members; of several with one key the last one counts, at the first place.
  public init(_ members: some Sequence<(String, JSONValue)>) {
    self.init()
    for (key, value) in members { self[key] = value }
  }

  /// Takes as many values as there are keys.
  init(keys: JSONKeys, values: [JSONValue]) {
    names = keys
    storage = values
  }

  /// How many members there are.
  public var count: Int { storage.count }

  /// Whether there are no members.
  public var isEmpty: Bool { storage.isEmpty }

  /// The keys, in order.
  public var keys: [String] { names.list }

  /// The values, in the order of the keys.
  public var values: [JSONValue] { storage }

  /// The value of a member, or nil if there is none. A new member is added at the end; setting nil
  /// removes a member, which takes as many steps as there are members.
  public subscript(key: String) -> JSONValue? {
    get { names.position(of: key).map { storage[$0] } }
    set {
      switch (names.position(of: key), newValue) {
      case (let position?, let value?):
        storage[position] = value
      case (let position?, nil):
        names = JSONKeys(names.list[..<position] + names.list[(position + 1)...])
        storage.remove(at: position)
      case (nil, let value?):
        if !isKnownUniquelyReferenced(&names) { names = JSONKeys(names.list[...]) }
        names.append(key)
        storage.append(value)
      case (nil, nil):
        break
      }
    }
  }
}

extension JSONObject: Sequence {
  /// Visits the members in order.
  public func makeIterator() -> some IteratorProtocol<(key: String, value: JSONValue)> {
    zip(names.list, storage).lazy.map { (key: $0, value: $1) }.makeIterator()
  }

  /// How many members there are.
  public var underestimatedCount: Int { count }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Makes an object. Of several members with one key the last one counts.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(elements)
  }
}

extension JSONObject: Hashable {
  /// Whether both have the same keys with equal values, in any order.
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    guard left.count == right.count else { return false }
    if left.names === right.names || left.names.list == right.names.list {
      return left.storage == right.storage
    }
    return left.allSatisfy { right[$0.key] == $0.value }
  }

  /// Feeds the members into a hasher, so that their order does not count.
  public func hash(into hasher: inout Hasher) {
    var sum = 0
    for (key, value) in self {
      var member = Hasher()
      member.combine(key)
      member.combine(value)
      sum &+= member.finalize()
    }
    hasher.combine(count)
    hasher.combine(sum)
  }
}
