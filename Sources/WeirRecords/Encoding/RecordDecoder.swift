import Weir

/// Reads what ``RecordEncoder`` has written, whatever has become of it: damaged bytes are an error.
package struct RecordDecoder {
  package let catalog: Catalog
  package let epoch: Int64
  package let version: UInt64
  package var names: RecordNames
  /// Whether a number was met that no name is known of; its field counts as missing.
  package var hasMetUnknownName = false
  /// When the latest page had changed that was met.
  package var latestOrder: UInt64 = 0
  /// Where the last record has got lists.
  package var lists: [FieldPlace] = []
  /// Embedded records that were there and have more fields now.
  package var changes: ContiguousArray<ChangeSet.Change> = []

  package private(set) var bytes: [UInt8] = []
  package var at = 0
  /// Where the fields of the last record went that were at the same positions.
  var memos: [Memo] = []
  /// The key space of the last reference.
  package var space: (number: UInt64, target: Target)?
  /// The type of the last record, and its table.
  var lastType: (number: UInt32, type: TypeID, table: Int)?

  package struct Damage: Error {
    package init() {}
  }

  package enum Target {
    case root(RootType)
    case table(Int)
  }

  struct Memo {
    package let number: UInt64
    package let table: Int
    package let place: FieldPlace
  }

  static let maximumDepth = 256

  package init(catalog: Catalog, epoch: Int64, version: UInt64, names: RecordNames) {
    self.catalog = catalog
    self.epoch = epoch
    self.version = version
    self.names = names
  }

  /// Goes on with other bytes.
  package mutating func begin(_ bytes: [UInt8], at start: Int = 0) {
    self.bytes = bytes
    at = start
    if !changes.isEmpty { changes = [] }
    if !lists.isEmpty { lists = [] }
  }

  package var isAtEnd: Bool { at == bytes.count }
}

// MARK: - Bytes

extension RecordDecoder {
  @inline(__always)
  package mutating func byte() throws(Damage) -> UInt8 {
    guard at < bytes.count else { throw Damage() }
    at += 1
    return bytes[at - 1]
  }

  @inline(__always)
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

  /// A number that cannot be more than there are bytes left.
  package mutating func count() throws(Damage) -> Int {
    let count = try integer()
    guard count <= UInt64(bytes.count - at) else { throw Damage() }
    return Int(count)
  }

  @inline(__always)
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

  package mutating func name(_ number: UInt64) throws(Damage) -> String {
    guard let number = UInt32(exactly: number) else { throw Damage() }
    guard let name = names.text(number) else {
      hasMetUnknownName = true
      throw Damage()
    }
    return name
  }
}
