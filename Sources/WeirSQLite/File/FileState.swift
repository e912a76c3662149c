import Weir
import WeirNormalized

/// The state of the file, a single row that every commit reads and writes.
struct FileState: Equatable {
  /// A random number from the creation of the file; a rebuilt file has another one.
  var generation: Int64
  /// The number of commits; never decreases.
  var sequence: Int64 = 0
  var records: Int64 = 0
  /// The bytes of keys and values.
  var bytes: Int64 = 0
  /// The number for the next name; never decreases, so that no number is used twice.
  var nextName: Int64 = 1
  /// The number of times that all names were removed.
  var epoch: Int64 = 0
  /// Whether the storage was closed after the last commit.
  var isClean = false

  /// Returns the state of a new file.
  static func new() -> FileState {
    FileState(generation: Int64.random(in: 1...Int64(UInt32.max)))
  }

  /// The stamp for records that the current commit writes. The sequence serves as a clock, and a read
  /// after a commit counts as later than the writes of that commit.
  var stampOfWrites: Int64 { sequence * 2 }
  /// The stamp for records that are read now.
  var stampOfReads: Int64 { sequence * 2 + 1 }

  /// Subtracts rows that a transaction has replaced or removed.
  mutating func subtract(_ rows: ReplacedRows) {
    records -= Int64(rows.count)
    bytes -= Int64(rows.bytes)
  }

  private var values: [Int64] {
    [generation, sequence, records, bytes, nextName, epoch, isClean ? 1 : 0]
  }

  private var checksum: Int64 {
    var hash = StableHash()
    for value in values { hash.combine(UInt64(bitPattern: value)) }
    return hash.checksum
  }
}

extension FileState {
  /// Reads the row. Damage to it is an error, because the whole file depends on its numbers.
  init(from connection: Connection) throws(StorageError) {
    let statement = try connection.statement(.readState)
    guard try statement.step() else { throw StorageError(.corrupt, "The state row is missing") }
    self.init(
      generation: statement.integer(0), sequence: statement.integer(1),
      records: statement.integer(2), bytes: statement.integer(3),
      nextName: statement.integer(4), epoch: statement.integer(5),
      isClean: statement.integer(6) == 1)
    let stored = statement.integer(7)
    statement.reset()
    // No file comes near the limit, so that nothing overflows.
    guard stored == checksum, values.allSatisfy({ (0...1 << 60).contains($0) }) else {
      throw StorageError(.corrupt, "The state row is damaged")
    }
  }

  /// Runs `change` in a writing transaction that begins with reading the row, and ends with writing
  /// it if it has changed.
  static func change<Result>(
    in connection: Connection,
    _ change: (inout FileState) throws(StorageError) -> Result
  ) throws(StorageError) -> (state: FileState, result: Result) {
    try connection.writing { () throws(StorageError) in
      let before = try FileState(from: connection)
      var state = before
      let result = try change(&state)
      if state != before { try state.write(to: connection) }
      return (state, result)
    }
  }

  /// Writes the row.
  func write(to connection: Connection) throws(StorageError) {
    let statement = try connection.statement(.writeState)
    for (index, value) in values.enumerated() { statement.bind(value, at: Int32(index + 1)) }
    statement.bind(checksum, at: 8)
    try statement.run()
  }
}
