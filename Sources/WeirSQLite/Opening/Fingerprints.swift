import Weir
import WeirNormalized

/// Compares the app's fingerprints of its types with those at the previous opening of the file.
enum Fingerprints {
  static func stored(
    in connection: Connection
  ) throws(StorageError) -> [ExactString: ExactString] {
    let rows = try connection.withStatement("SELECT type, fingerprint FROM fingerprints") {
      (statement) throws(StorageError) in
      try statement.map { (ExactString($0.text(0)), ExactString($0.text(1))) }
    }
    return Dictionary(rows) { $1 }
  }

  static func store(
    _ fingerprint: String, of type: String, in connection: Connection
  ) throws(StorageError) {
    try connection.withStatement("REPLACE INTO fingerprints VALUES (?1, ?2)") {
      (statement) throws(StorageError) in
      statement.bind(type, at: 1)
      statement.bind(fingerprint, at: 2)
      try statement.run()
    }
  }

  /// Drops the records of every type whose fingerprint has changed or is new.
  ///
  /// - Returns: the types whose records were dropped.
  static func apply(
    _ fingerprints: [String: String], to connection: Connection
  ) throws(StorageError) -> [String] {
    let changed = try changed(fingerprints, in: connection)
    guard !changed.isEmpty else { return [] }
    return try FileState.change(in: connection) { (state) throws(StorageError) in
      let dropped = try drop(Set(changed.keys.map(ExactString.init)), from: connection)
      for (type, fingerprint) in changed { try store(fingerprint, of: type, in: connection) }
      state.subtract(connection.replacedRows)
      if !dropped.isEmpty {
        state.sequence += 1
        try ChangeLog.append(nil, origin: 0, state.sequence, to: connection)
      }
      return dropped
    }.result
  }

  /// Returns the types in the file whose fingerprint has changed or is new.
  static func outdated(
    by fingerprints: [String: String], in connection: Connection
  ) throws(StorageError) -> [String] {
    let changed = Set(try changed(fingerprints, in: connection).keys.map(ExactString.init))
    var outdated: [String] = []
    for case let name? in try connection.statement(.names).map(InternedName.init(row:)) {
      let type = String(decoding: name.name, as: UTF8.self)
      guard changed.contains(ExactString(type)) else { continue }
      let isInUse = try connection.integer(
        "SELECT EXISTS (SELECT 1 FROM records WHERE type = \(name.number))")
      if isInUse == 1 { outdated.append(type) }
    }
    return outdated.sorted()
  }

  private static func changed(
    _ fingerprints: [String: String], in connection: Connection
  ) throws(StorageError) -> [String: String] {
    let known = try stored(in: connection)
    return fingerprints.filter { known[ExactString($0.key)] != ExactString($0.value) }
  }

  private static func drop(
    _ types: Set<ExactString>, from connection: Connection
  ) throws(StorageError) -> [String] {
    var dropped: Set<String> = []
    for case let name? in try connection.statement(.names).map(InternedName.init(row:)) {
      let type = String(decoding: name.name, as: UTF8.self)
      guard types.contains(ExactString(type)) else { continue }
      let before = connection.replacedRows.count
      try connection.execute(
        "DELETE FROM records WHERE type = \(name.number) AND note(length(key) + length(value))")
      if connection.replacedRows.count > before { dropped.insert(type) }
    }
    return dropped.sorted()
  }
}
