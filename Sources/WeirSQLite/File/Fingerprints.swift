import CSQLite
import WeirNormalized

/// What shape the app says each type has, against what it said when the file was last opened.
enum Fingerprints {
  static func stored(in connection: Connection) throws(StorageError) -> [String: String] {
    let statement = try connection.prepare("SELECT type, fingerprint FROM fingerprints")
    defer { sqlite3_finalize(statement.pointer) }
    var result: [String: String] = [:]
    while try statement.step() { result[statement.text(0)] = statement.text(1) }
    return result
  }

  static func store(
    _ fingerprint: String, of type: String, in connection: Connection
  ) throws(StorageError) {
    let statement = try connection.prepare("REPLACE INTO fingerprints VALUES (?1, ?2)")
    defer { sqlite3_finalize(statement.pointer) }
    for (index, text) in [type, fingerprint].enumerated() {
      sqlite3_bind_text(statement.pointer, Int32(index + 1), text, -1, copied)
    }
    try statement.run()
  }

  /// Drops the records of every type whose fingerprint is another than before, or is new.
  ///
  /// - Returns: the types of which records were dropped.
  static func apply(
    _ fingerprints: [String: String], to connection: Connection
  ) throws(StorageError) -> [String] {
    let known = try stored(in: connection)
    let changed = fingerprints.filter { known[$0.key] != $0.value }
    guard !changed.isEmpty else { return [] }
    return try connection.writing { () throws(StorageError) in
      var state = try FileState(from: connection)
      let dropped = try drop(Set(changed.keys), from: connection)
      for (type, fingerprint) in changed { try store(fingerprint, of: type, in: connection) }
      state.records -= Int64(connection.replaced.pointee.count)
      state.bytes -= Int64(connection.replaced.pointee.bytes)
      if !dropped.isEmpty {
        state.sequence += 1
        try ChangeLog.append(nil, origin: 0, state.sequence, to: connection)
      }
      try state.write(to: connection)
      return dropped
    }
  }

  private static func drop(
    _ types: Set<String>, from connection: Connection
  ) throws(StorageError) -> [String] {
    var dropped: Set<String> = []
    let names = try connection.statement(.names)
    var numbers: [(UInt32, String)] = []
    while try names.step() {
      guard let name = InternedName(row: names) else { continue }
      let text = String(decoding: name.name, as: UTF8.self)
      if types.contains(text) { numbers.append((name.number, text)) }
    }
    for (number, type) in numbers {
      let before = connection.replaced.pointee.count
      try connection.execute(
        "DELETE FROM records WHERE type = \(number) AND note(length(key) + length(value))")
      if connection.replaced.pointee.count > before { dropped.insert(type) }
    }
    return dropped.sorted()
  }
}
