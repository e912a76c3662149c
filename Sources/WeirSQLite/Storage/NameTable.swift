import WeirNormalized

/// The names for which this storage has returned numbers.
///
/// A number stays valid while the storage is open. If another storage has removed the names, or
/// another file has replaced this one, the rows are written again before the next record.
struct NameTable {
  private var numbers: [[UInt8]: UInt32] = [:]
  private var names: [UInt32: [UInt8]] = [:]
  /// The version of the file that is known to contain the rows.
  private var storedIn: (generation: Int64, epoch: Int64)?

  var texts: [UInt32: String] { names.mapValues { String(decoding: $0, as: UTF8.self) } }

  func number(of name: String) -> UInt32? {
    numbers[Array(name.utf8)]
  }

  /// The UTF-8 text of a name.
  func name(of number: UInt32) -> [UInt8]? { names[number] }

  mutating func removeAll(_ state: FileState) {
    self = NameTable()
    storedIn = (state.generation, state.epoch)
  }

  /// Adds the names in the file. Call it in a transaction.
  mutating func read(from connection: Connection) throws(StorageError) {
    if let conflict = try merge(from: connection) { throw conflict }
  }

  /// Adds the names in the file.
  ///
  /// - Returns: an error if one of them contradicts a name that is known; then some may be missing.
  mutating func merge(from connection: Connection) throws(StorageError) -> StorageError? {
    for case let row? in try connection.statement(.names).map(InternedName.init(row:)) {
      if let known = names[row.number], known != row.name {
        return StorageError(
          .failed, "Another file with other names has replaced the file; make a new storage")
      }
      // If a name has several numbers, every process uses the first.
      if numbers[row.name] == nil { numbers[row.name] = row.number }
      names[row.number] = row.name
    }
    return nil
  }

  /// Returns the numbers of names, and adds missing names. Call it in a write transaction, after
  /// ``read(from:)``.
  mutating func register(
    _ names: [String], _ state: inout FileState, in connection: Connection
  ) throws(StorageError) -> [UInt32] {
    var numbers: [UInt32] = []
    for name in names {
      if let number = number(of: name) {
        numbers.append(number)
      } else {
        numbers.append(try add(name, &state, to: connection))
      }
    }
    return numbers
  }

  private mutating func add(
    _ name: String, _ state: inout FileState, to connection: Connection
  ) throws(StorageError) -> UInt32 {
    guard let number = UInt32(exactly: state.nextName) else {
      throw StorageError(.full, "No number is left for a new name; use a new file")
    }
    state.nextName += 1
    let row = InternedName(number: number, name: Array(name.utf8))
    try write(row, to: connection)
    numbers[row.name] = number
    names[number] = row.name
    return number
  }

  /// Writes the names again if the file may lack them. Call it in a write transaction, before
  /// writing records.
  mutating func restoreNames(
    in connection: Connection, _ state: inout FileState
  ) throws(StorageError) {
    if let storedIn, storedIn == (state.generation, state.epoch) { return }
    let own = names
    try read(from: connection)
    for (number, name) in own {
      try write(InternedName(number: number, name: name), to: connection)
      state.nextName = max(state.nextName, Int64(number) + 1)
    }
    storedIn = (state.generation, state.epoch)
  }

  private func write(_ row: InternedName, to connection: Connection) throws(StorageError) {
    let statement = try connection.statement(.addName)
    row.bind(to: statement)
    try statement.run()
  }
}
