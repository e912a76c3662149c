import Weir
import WeirNormalized

/// A row of one of the two tables of values, with its checksum.
struct ValueRow {
  var key: [UInt8]
  var type: Int64
  var used: Int64
  var sum: Int64
  var value: [UInt8]

  /// Makes a row to write.
  init(key: [UInt8], type: Int64, used: Int64, value: [UInt8]) {
    self.key = key
    self.type = type
    self.used = used
    self.value = value
    sum = 0
    sum = checksum
  }

  /// Reads the current row of a statement that selects all columns in order.
  init(_ statement: Statement) {
    key = statement.bytes(0)
    type = statement.integer(1)
    used = statement.integer(2)
    sum = statement.integer(3)
    value = statement.bytes(4)
  }

  /// Whether the row matches its checksum.
  var isIntact: Bool { sum == checksum }

  /// Whether a search for its key with an ``SQL/get(_:)`` statement finds this row.
  func isFound(by search: Statement) -> Bool {
    search.reset()
    search.bind(key, at: 1)
    return (try? search.step()) == true && search.integer(2) == sum
  }

  private var checksum: Int64 {
    // Proof: `checksum` reads the bytes and does not keep the pointers.
    key.withUnsafeBytes { key in
      value.withUnsafeBytes { StableHash.checksum(key: key, type: type, value: $0) }
    }
  }

  /// Binds the row to the parameters of an ``SQL/put(_:)`` statement.
  func bind(to statement: Statement) {
    statement.bind(key, at: 1)
    statement.bind(type, at: 2)
    statement.bind(used, at: 3)
    statement.bind(sum, at: 4)
    statement.bind(value, at: 5)
  }
}

/// A row of the table of names.
struct InternedName {
  let number: UInt32
  let name: [UInt8]

  init(number: UInt32, name: [UInt8]) {
    self.number = number
    self.name = name
  }

  /// Reads the current row of a statement; nil if it is damaged.
  init?(row: Statement) {
    guard let number = UInt32(exactly: row.integer(0)) else { return nil }
    self.init(number: number, name: row.bytes(1))
    guard row.integer(2) == checksum else { return nil }
  }

  private var checksum: Int64 {
    var hash = StableHash(seed: UInt64(number))
    // Proof: the span does not leave the closure that receives it.
    name.withUnsafeBufferPointer { hash.combine($0.span) }
    return hash.checksum
  }

  func bind(to statement: Statement) {
    statement.bind(Int64(number), at: 1)
    statement.bind(name, at: 2)
    statement.bind(checksum, at: 3)
  }
}
