import WeirNormalized

/// The names that this storage has handed out numbers for.
///
/// A number stays good for as long as the storage is open, whatever others do to the file: when
/// they have removed the names, or another file has taken the place, the table's rows are put back
/// before the next record that uses them.
struct NameTable {
  private var numbers: [[UInt8]: UInt32] = [:]
  private var names: [UInt32: [UInt8]] = [:]
  /// Which generation and epoch of a file the rows are known to be in.
  private var home: Home?

  private struct Home: Equatable {
    var generation: Int64
    var epoch: Int64

    init(_ state: FileState) {
      generation = state.generation
      epoch = state.epoch
    }
  }

  var texts: [UInt32: String] { names.mapValues { String(decoding: $0, as: UTF8.self) } }

  func number(of name: String) -> UInt32? {
    numbers[Array(name.utf8)]
  }

  mutating func removeAll(_ state: FileState) {
    self = NameTable()
    home = Home(state)
  }

  /// Takes over what the file has; within a transaction.
  mutating func read(from connection: Connection) throws(StorageError) {
    let rows = try connection.statement(.names)
    while try rows.step() {
      guard let row = InternedName(row: rows) else { continue }
      if let known = names[row.number], known != row.name {
        rows.reset()
        throw StorageError(
          .failed, "The file was replaced by one with other names; open the storage anew")
      }
      // The first number of a name counts, in every process.
      if numbers[row.name] == nil { numbers[row.name] = row.number }
      names[row.number] = row.name
    }
    rows.reset()
  }

  /// The numbers of names; within a write transaction, after ``read(from:)``.
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
      throw StorageError(.full, "There are no numbers left for names")
    }
    state.nextName += 1
    let row = InternedName(number: number, name: Array(name.utf8))
    try write(row, to: connection)
    numbers[row.name] = number
    names[number] = row.name
    return number
  }

  /// Sees to it that the file has the names; within a write transaction, before records are put.
  mutating func settle(
    in connection: Connection, _ state: inout FileState
  ) throws(StorageError) {
    guard home != Home(state) else { return }
    let own = names
    try read(from: connection)
    for (number, name) in own {
      try write(InternedName(number: number, name: name), to: connection)
      state.nextName = max(state.nextName, Int64(number) + 1)
    }
    home = Home(state)
  }

  private func write(_ row: InternedName, to connection: Connection) throws(StorageError) {
    let statement = try connection.statement(.addName)
    row.bind(to: statement)
    try statement.run()
  }
}
