/// Reads what ``RecordEncoder`` has written. It accepts any input: damaged bytes throw an error.
package struct RecordDecoder {
  let catalog: Catalog
  let version: UInt64
  package var names: RecordNames
  /// No time to live leads to a later expiry; see `expiry(_:of:in:_:)`.
  package var latestExpiry = RowAges.never
  /// When the fields that are read beside those of a row become stale at the latest: if the record was
  /// invalidated, or with the object without a key that they belong to.
  var staleness = RowAges.never
  /// The fields that a failed reading has added to existing rows.
  var unfinished: ContiguousArray<ChangeSet.Change> = []
  /// Whether a number without a known name was found. Its field counts as missing.
  package var hasMetUnknownName = false
  /// The latest change of any page that was read.
  package var latestOrder: UInt64 = 0
  /// The fields of the last record that hold lists.
  package var lists: [FieldPlace] = []
  /// Embedded records that existed before and have gained fields, and some of the new ones: at least one of
  /// each chunk that has some.
  package var changes: ContiguousArray<ChangeSet.Change> = []

  package private(set) var bytes: [UInt8] = []
  var at = 0
  /// For each position, where the field of the previous record at that position went.
  var memos: [Memo?] = []
  /// The key space of the previous reference.
  var space: (number: UInt64, table: TableID)?
  /// The type of the previous record, and its table.
  var lastType: (number: UInt32, type: TypeID, table: TableID)?

  package struct Damage: Error {
    package init() {}
  }

  struct Memo {
    let number: UInt64
    let table: TableID
    let place: FieldPlace
  }

  static let maximumDepth = 256

  package init(catalog: Catalog, version: UInt64, names: RecordNames) {
    self.catalog = catalog
    self.version = version
    self.names = names
  }

  /// Starts reading other bytes.
  package mutating func begin(_ bytes: [UInt8], at start: Int = 0) {
    self.bytes = bytes
    at = start
    if !changes.isEmpty { changes.removeAll(keepingCapacity: true) }
    if !lists.isEmpty { lists = [] }
    if !unfinished.isEmpty { unfinished = [] }
  }

  package var isAtEnd: Bool { at == bytes.count }
}

// MARK: - Bytes

extension RecordDecoder {
  mutating func byte() throws(Damage) -> UInt8 {
    guard at < bytes.count else { throw Damage() }
    at += 1
    return bytes[at - 1]
  }

  package mutating func integer() throws(Damage) -> UInt64 {
    let first = try byte()
    if first < 128 { return UInt64(first) }
    var value = UInt64(first & 127)
    var shift: UInt64 = 7
    while true {
      let byte = try byte()
      guard shift < 63 || byte < 2 else { throw Damage() }
      value |= UInt64(byte & 127) << shift
      if byte < 128 { return value }
      shift += 7
    }
  }

  /// Reads a number that cannot exceed the number of remaining bytes.
  mutating func count() throws(Damage) -> Int {
    let count = try integer()
    guard count <= UInt64(bytes.count - at) else { throw Damage() }
    return Int(count)
  }

  package mutating func range() throws(Damage) -> Range<Int> {
    let count = try count()
    at += count
    return at - count..<at
  }

  package mutating func text() throws(Damage) -> String {
    String(decoding: bytes[try range()], as: UTF8.self)
  }

  package mutating func nameOfNumber() throws(Damage) -> String {
    try name(try integer())
  }

  mutating func name(_ number: UInt64) throws(Damage) -> String {
    guard let number = UInt32(exactly: number) else { throw Damage() }
    guard let name = names.text(number) else {
      hasMetUnknownName = true
      throw Damage()
    }
    return name
  }
}
