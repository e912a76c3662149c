import WeirNormalized

/// The last commits and the keys that each has changed, in the file itself, so that others on the
/// file can tell their users exactly those.
enum ChangeLog {
  /// How many commits are remembered; who is further behind is told that anything may have changed.
  static let length: Int64 = 256
  /// How many bytes of keys one commit may take up; a larger one is remembered without its keys.
  /// The log never takes more than 4 MB.
  static let maximumBytes = 16 << 10

  /// What has happened since a point in the log.
  struct Changes {
    /// Where the log ends now.
    var position: ChangeFeed.Position
    /// The keys changed by others; nil if anything may have.
    var keys: Set<String>? = []
  }

  static func append(
    _ keys: [UInt8]?, origin: Int64, _ sequence: Int64, to connection: Connection
  ) throws(StorageError) {
    let statement = try connection.statement(.logChange)
    statement.bind(sequence % length, at: 1)
    statement.bind(sequence, at: 2)
    statement.bind(origin, at: 3)
    if let keys { statement.bind(keys, at: 4) } else { statement.bindNull(at: 4) }
    try statement.run()
  }

  /// The keys of a batch as one value: each with its length before it. Nil if that is too long.
  static func encode(_ batch: RecordBatch) -> [UInt8]? {
    guard batch.records.count + batch.removedKeys.count <= maximumBytes / 2 else { return nil }
    var bytes: [UInt8] = []
    for key in batch.removedKeys { append(key, to: &bytes) }
    for record in batch.records { append(record.key, to: &bytes) }
    return bytes.count <= maximumBytes ? bytes : nil
  }

  private static func append(_ key: String, to bytes: inout [UInt8]) {
    var length = key.utf8.count
    while length >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: length) | 0x80)
      length >>= 7
    }
    bytes.append(UInt8(length))
    bytes.append(contentsOf: key.utf8)
  }

  /// Nil if the bytes are damaged.
  static func decode(_ bytes: [UInt8]) -> Set<String>? {
    var keys: Set<String> = []
    var rest = bytes[...]
    while !rest.isEmpty {
      var length = 0
      var shift = 0
      while let byte = rest.popFirst() {
        length |= Int(byte & 0x7F) << shift
        shift += 7
        if byte & 0x80 == 0 { break }
        if shift > 28 { return nil }
      }
      guard length <= rest.count else { return nil }
      keys.insert(String(decoding: rest.prefix(length), as: UTF8.self))
      rest = rest.dropFirst(length)
    }
    return keys
  }

  /// What others than `origin` have changed after `start`.
  static func changes(
    after start: ChangeFeed.Position, in connection: Connection, except origin: Int64
  ) throws(StorageError) -> Changes {
    try connection.reading { () throws(StorageError) in
      let state = try FileState(from: connection)
      var changes = Changes(
        position: ChangeFeed.Position(generation: state.generation, sequence: state.sequence))
      guard changes.position != start else { return changes }
      guard changes.position.generation == start.generation else {
        changes.keys = nil
        return changes
      }
      try read(after: start.sequence, from: connection, except: origin, into: &changes)
      return changes
    }
  }

  private static func read(
    after sequence: Int64, from connection: Connection, except origin: Int64,
    into changes: inout Changes
  ) throws(StorageError) {
    let statement = try connection.statement(.changes)
    defer { statement.reset() }
    statement.bind(sequence, at: 1)
    var next = sequence + 1
    while try statement.step() {
      if statement.integer(0) != next { changes.keys = nil }
      next = statement.integer(0) + 1
      if statement.integer(1) == origin { continue }
      let keys = statement.isNull(2) ? nil : decode(statement.bytes(2))
      if let keys { changes.keys?.formUnion(keys) } else { changes.keys = nil }
    }
    if next != changes.position.sequence + 1 { changes.keys = nil }
  }
}
