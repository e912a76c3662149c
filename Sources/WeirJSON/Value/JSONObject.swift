import WeirSupport

/// The members of a JSON object, in the order in which they were added.
///
/// Objects are equal regardless of the order. Keys are compared by their bytes, as JSON requires,
/// so two spellings of `é` are two keys. A look-up takes a few comparisons in a small object and
/// one hash in a large one. Objects that were parsed with the same keys share them.
public struct JSONObject: Sendable {
  private var names: JSONKeys
  private var storage: [JSONValue]

  /// Creates an object without members.
  public init() {
    names = .none
    storage = []
  }

  /// Creates an object of members. If several have the same key, the last one replaces the first.
  public init(_ members: some Sequence<(String, JSONValue)>) {
    self.init()
    for (key, value) in members { self[key] = value }
  }

  /// Creates an object of keys and as many values.
  init(keys: JSONKeys, values: [JSONValue]) {
    names = keys
    storage = values
  }

  /// The number of members.
  public var count: Int { storage.count }

  /// Whether the object is empty.
  public var isEmpty: Bool { storage.isEmpty }

  /// The keys, in order.
  public var keys: [String] { names.list }

  /// The values, in the order of the keys.
  public var values: [JSONValue] { storage }

  /// The value of a member; nil if there is none. A new member is added at the end. Setting nil
  /// removes a member, at a cost proportional to the number of members.
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

  /// The number of members.
  public var underestimatedCount: Int { count }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Creates an object. If several members have the same key, the last one counts.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(elements)
  }
}

extension JSONObject: Hashable {
  /// Returns whether both have the same keys with equal values, in any order.
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    guard left.count == right.count else { return false }
    let hasSameOrder =
      left.names === right.names
      || left.keys.elementsEqual(right.keys) { ExactString($0) == ExactString($1) }
    if hasSameOrder {
      return left.storage == right.storage
    }
    return left.allSatisfy { right[$0.key] == $0.value }
  }

  /// Feeds the members into a hasher, regardless of their order.
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
