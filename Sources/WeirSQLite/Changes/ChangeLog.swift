import Weir
import WeirNormalized

/// The table of the last commits with their changed keys, from which other storages on the file
/// learn what has changed.
enum ChangeLog {
  /// The number of commits in the log. A listener that is further behind is notified that anything
  /// may have changed.
  static let length: Int64 = 256
  /// The bytes of keys that the log keeps for a commit; a larger commit is logged without keys. So
  /// the log takes at most 4 MB.
  static let maximumBytes = 16 << 10

  /// The changes after a position in the log.
  struct Changes {
    /// The end of the log.
    var position: ChangeFeed.Position
    /// The keys that other storages have changed; nil if anything may have changed.
    var keys: Set<ExactString>? = []
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

  /// Encodes the keys of a batch as a list of JSON strings; nil if the result is too long.
  static func encode(_ batch: RecordBatch) -> [UInt8]? {
    guard batch.records.count + batch.removedKeys.count <= maximumBytes / 2 else { return nil }
    var bytes = [UInt8(ascii: "[")]
    for key in batch.removedKeys + batch.records.lazy.map(\.key) {
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(jsonString: key)
    }
    bytes.append(UInt8(ascii: "]"))
    return bytes.count <= maximumBytes ? bytes : nil
  }

  /// Decodes keys; nil if the bytes are damaged.
  static func decode(_ bytes: [UInt8]) -> [ExactString]? {
    (try? JSON(parsing: bytes)).map { $0.elements.compactMap { $0.string.map(ExactString.init) } }
  }

  /// Returns the changes after `start` by storages other than `origin`.
  static func changes(
    after start: ChangeFeed.Position, in connection: Connection, except origin: Int64
  ) throws(StorageError) -> Changes {
    try connection.reading { () throws(StorageError) in
      let state = try FileState(from: connection)
      var changes = Changes(position: state.position)
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
      next = statement.integer(0) &+ 1
      if statement.integer(1) == origin { continue }
      let keys = statement.isNull(2) ? nil : decode(statement.bytes(2))
      if let keys { changes.keys?.formUnion(keys) } else { changes.keys = nil }
    }
    if next != changes.position.sequence + 1 { changes.keys = nil }
  }
}
