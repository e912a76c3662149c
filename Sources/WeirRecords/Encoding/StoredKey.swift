/// The keys of records in a storage: `Todo:1` for an entity, and one such as `QUERY_ROOT:todos` for
/// each field of the query root. Therefore the cost of writing one entity does not grow with the
/// store.
///
/// In the name of a key space, `%` and `:` are written as `%25` and `%3A`. GraphQL names contain
/// neither.
package enum StoredKey {
  /// How the keys of partitions begin. No key space does: there, `%` comes before 25 or 3A.
  package static let partitionPrefix = "%P"
  /// The key of the salt that partitions are named by. Never the key of an entity, which contains a
  /// colon.
  package static let salt = "SALT"

  package static let rootPrefix = RootType.query.key + ":"

  /// The name of a field without its arguments and page.
  package static func fieldName(of storageKey: String) -> String {
    String(storageKey.prefix { $0 != "(" && $0 != "@" })
  }

  static func text(space: String, id: String) -> String {
    prefix(ofSpace: space) + id
  }

  package static func prefix(ofSpace space: String) -> String {
    let isPlain = space.utf8.allSatisfy { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "%") }
    if isPlain { return space + ":" }
    var escaped = ""
    for scalar in space.unicodeScalars {
      switch scalar {
      case "%": escaped += "%25"
      case ":": escaped += "%3A"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped + ":"
  }

  package static func text(of entity: Entity) -> String {
    text(space: entity.typename, id: entity.id)
  }

  package static func text(ofRootField storageKey: String) -> String {
    rootPrefix + storageKey
  }

  package enum Meaning {
    case rootField(String)
    case entity(Entity)
  }

  /// The field or entity that a key identifies; nil for any other text, and for a partition's key.
  package static func meaning(of key: String) -> Meaning? {
    if key.utf8.starts(with: partitionPrefix.utf8) { return nil }
    let bytes = Array(key.utf8)
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let space = String(decoding: bytes[..<colon], as: UTF8.self)
    let rest = String(decoding: bytes[(colon + 1)...], as: UTF8.self)
    if space == RootType.query.key { return .rootField(rest) }
    return .entity(Entity(unescaped(space), id: rest))
  }

  private static func unescaped(_ space: String) -> String {
    guard space.utf8.contains(UInt8(ascii: "%")) else { return space }
    let parts = space.split(separator: "%", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(String(parts[0])) { text, part in
      text + (part.hasPrefix("3A") ? ":" : "%") + part.dropFirst(2)
    }
  }
}

extension RecordState {
  /// The storage key of an entity that has a row.
  package func storedKey(of record: RecordReference, _ catalog: Catalog) -> String {
    let id = self[record].withText(self[record].key(record.rowInChunk)) {
      String(decoding: $0, as: UTF8.self)
    }
    return StoredKey.text(space: catalog.tableName(record.table), id: id)
  }
}

/// The bytes of a stored record: a version, flags, and the record.
package struct StoredValue {
  /// The version of this format; ``RecordEncoder`` describes the rest.
  package static let version: UInt8 = 1
  /// The flag of a record whose fields are all stale.
  package static let stale: UInt8 = 1
  static let headerLength = 2

  package static func isReadable(_ value: [UInt8]) -> Bool {
    value.count >= headerLength && value[0] == version
  }
}

extension Catalog {
  /// The key under which a storage has a field of the query's root.
  package func storedKey(ofRootField field: FieldID) -> String {
    StoredKey.text(ofRootField: info(field).storageKey)
  }

  /// The field of the query's root that a key of a storage names; see ``StoredKey/Meaning``.
  package func rootField(storedAs storageKey: String) -> FieldID {
    field(storageKey, name: StoredKey.fieldName(of: storageKey))
  }
}
