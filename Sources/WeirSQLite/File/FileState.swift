import WeirNormalized

/// The one row that says what the whole file is like; read and written with every commit.
struct FileState: Equatable {
  /// Random, given at creation: tells a rebuilt file from the one before it.
  var generation: Int64
  /// How many commits there have been. It never goes back.
  var sequence: Int64 = 0
  var records: Int64 = 0
  /// Of keys and values.
  var bytes: Int64 = 0
  /// The number of the next name. It never goes back, so that no number is given out twice.
  var nextName: Int64 = 1
  /// How often names have been removed.
  var epoch: Int64 = 0
  /// Whether the file was closed after the last commit.
  var isClean = false

  /// Of a new file.
  static func new() -> FileState {
    FileState(generation: Int64.random(in: 1...Int64(UInt32.max)))
  }

  /// When a record was used: the sequence serves as the clock. What is read after a commit is younger
  /// than what that commit wrote.
  var stampOfWrites: Int64 { sequence * 2 }
  var stampOfReads: Int64 { sequence * 2 + 1 }

  private var values: [Int64] {
    [generation, sequence, records, bytes, nextName, epoch, isClean ? 1 : 0]
  }

  private var checksum: Int64 {
    var checksum = Checksum()
    for value in values { checksum.combine(UInt64(bitPattern: value)) }
    return checksum.value
  }
}

extension FileState {
  /// Reads the row; damage to it is an error, because every number in the file hangs on it.
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
    guard stored == checksum else { throw StorageError(.corrupt, "The state row is damaged") }
  }

  /// Writes the row.
  func write(to connection: Connection) throws(StorageError) {
    let statement = try connection.statement(.writeState)
    for (index, value) in values.enumerated() { statement.bind(value, at: Int32(index + 1)) }
    statement.bind(checksum, at: 8)
    try statement.run()
  }
}
