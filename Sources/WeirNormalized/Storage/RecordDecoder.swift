import Weir

/// Reads what ``RecordEncoder`` has written, whatever has become of it: damaged bytes are an error.
struct RecordDecoder {
  let catalog: Catalog
  private let epoch: Int64
  private let version: UInt64
  var names: RecordNames
  /// Whether a number was met that no name is known of; its field counts as missing.
  var hasMetUnknownName = false
  /// Where the last record has got lists.
  private(set) var lists: [FieldPlace] = []
  /// Embedded records that were there and have more fields now.
  private(set) var changes: ContiguousArray<ChangeSet.Change> = []

  private var bytes: [UInt8] = []
  private var at = 0
  /// Where the fields of the last record went that were at the same positions.
  private var memos: [Memo] = []
  /// The key space of the last reference.
  private var space: (number: UInt64, target: Target)?

  struct Damage: Error {}

  /// The type of the last record.
  private var lastType: (number: UInt32, type: TypeID)?

  private enum Target {
    case root(RootType)
    case table(Int)
  }

  private struct Memo {
    let number: UInt64
    let table: Int
    let place: FieldPlace
  }

  private static let maximumDepth = 256

  init(catalog: Catalog, epoch: Int64, version: UInt64, names: RecordNames) {
    self.catalog = catalog
    self.epoch = epoch
    self.version = version
    self.names = names
  }

  /// Goes on with other bytes.
  mutating func begin(_ bytes: [UInt8], at start: Int = 0) {
    self.bytes = bytes
    at = start
    changes = []
    lists = []
  }

  var isAtEnd: Bool { at == bytes.count }
}

// MARK: - Bytes

extension RecordDecoder {
  @inline(__always)
  mutating func byte() throws(Damage) -> UInt8 {
    guard at < bytes.count else { throw Damage() }
    at += 1
    return bytes[at - 1]
  }

  @inline(__always)
  mutating func integer() throws(Damage) -> UInt64 {
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
  private mutating func count() throws(Damage) -> Int {
    let count = try integer()
    guard count <= UInt64(bytes.count - at) else { throw Damage() }
    return Int(count)
  }

  private mutating func range() throws(Damage) -> Range<Int> {
    let count = try count()
    at += count
    return at - count..<at
  }

  mutating func text() throws(Damage) -> String {
    String(decoding: bytes[try range()], as: UTF8.self)
  }

  mutating func nameOfNumber() throws(Damage) -> String {
    try name(try integer())
  }

  private mutating func name(_ number: UInt64) throws(Damage) -> String {
    guard let number = UInt32(exactly: number) else { throw Damage() }
    guard let name = names.text(number) else {
      hasMetUnknownName = true
      throw Damage()
    }
    return name
  }
}

// MARK: - Records

extension RecordDecoder {
  /// Reads a record's fields into a row, beside what the row has; what the row has stays unless
  /// `replaces` says otherwise. Embedded objects of one type are merged.
  ///
  /// - Returns: what has become different of the row.
  @discardableResult
  mutating func read(
    into record: RecordReference, _ records: inout RecordState, replaces: Bool,
    except removed: Set<FieldID> = [], depth: Int = 0
  ) throws(Damage) -> ChangeSet.Change {
    guard depth < Self.maximumDepth else { throw Damage() }
    var change = ChangeSet.Change(record: record, slots: 0, fields: [])
    for position in 0..<(try count()) {
      let place = try place(position, table: record.table)
      let age = try integer()
      guard let place, !removed.contains(place.field) else {
        try skipValue(depth: depth)
        continue
      }
      let old = records.cell(record, place)
      if !replaces, !old.isAbsent {
        try readBeside(old, &records, depth: depth)
        continue
      }
      let cell = try value(of: record, place.field, &records, depth: depth)
      if !old.isAbsent { records.release(old, of: record) }
      records[record].setCell(cell, record.rowInChunk, place)
      change.add(place)
      if depth == 0, cell.kind == .list { lists.append(place) }
      if age != 0 {
        let expiry = age == 1 ? 0 : max(1, Int64(truncatingIfNeeded: age) - epoch)
        records[record].ages.set(expiry, record.rowInChunk, place.field)
      }
    }
    return change
  }

  /// Where a field goes; nil if its name is not known.
  private mutating func place(_ position: Int, table: Int) throws(Damage) -> FieldPlace? {
    let number = try integer()
    if position < memos.count, memos[position].number == number, memos[position].table == table {
      return memos[position].place
    }
    let storageKey: String
    if number == 0 {
      storageKey = try text()
    } else {
      guard let number = UInt32(exactly: number - 1) else { throw Damage() }
      guard let name = names.text(number) else {
        hasMetUnknownName = true
        return nil
      }
      storageKey = name
    }
    let name = String(storageKey.prefix { $0 != "(" && $0 != "@" })
    let field =
      number == 0
      ? catalog.field(storageKey, name: name) : catalog.permanentField(storageKey, name: name)
    let place = catalog.place(field, table: table)
    if number != 0, position < 128 {
      while memos.count <= position { memos.append(Memo(number: 0, table: -1, place: place)) }
      memos[position] = Memo(number: number, table: table, place: place)
    }
    return place
  }

  /// Of a field that is there already only an embedded object can learn something.
  private mutating func readBeside(
    _ old: Cell, _ records: inout RecordState, depth: Int
  ) throws(Damage) {
    let start = at
    guard old.kind == .embedded, try byte() == Cell.Kind.embedded.rawValue,
      catalog.type(named: try nameOfNumber()) == records.header(old.record).type
    else {
      at = start
      return try skipValue(depth: depth)
    }
    let change = try read(into: old.record, &records, replaces: false, depth: depth + 1)
    guard change.slots != 0 || !change.fields.isEmpty else { return }
    records[old.record].setHeader(
      RowHeader(version: version, type: records.header(old.record).type),
      of: old.record.rowInChunk)
    changes.append(change)
  }
}

// MARK: - Values

extension RecordDecoder {
  private mutating func tag() throws(Damage) -> (Cell.Kind, isMarked: Bool) {
    let tag = try byte()
    guard tag < 32, let kind = Cell.Kind(rawValue: tag & 15) else { throw Damage() }
    return (kind, tag & 16 != 0)
  }

  private mutating func value(
    of record: RecordReference, _ field: FieldID, _ records: inout RecordState, depth: Int,
    isElement: Bool = false
  ) throws(Damage) -> Cell {
    let (kind, isMarked) = try tag()
    switch kind {
    case .absent:
      guard isElement else { throw Damage() }
      return .absent
    case .null, .true, .false: return Cell(kind)
    case .number, .string, .json:
      let range = try range()
      guard isWellFormed(range, kind, isMarked: isMarked) else { throw Damage() }
      return bytes.withUnsafeBufferPointer {
        records[record].store(kind, isMarked: isMarked, UnsafeBufferPointer(rebasing: $0[range]))
      }
    case .reference: return try reference(&records)
    case .embedded:
      guard let type = catalog.objectType(named: try nameOfNumber()) else { throw Damage() }
      let embedded = records.makeEmbedded(
        RowHeader(version: version, type: type), table: catalog.table(of: type),
        owner: record, field)
      try read(into: embedded, &records, replaces: true, depth: depth + 1)
      return Cell(.embedded, low: embedded.bits)
    case .list:
      let count = try count()
      guard depth < Self.maximumDepth else { throw Damage() }
      var elements: ContiguousArray<Cell> = []
      elements.reserveCapacity(count)
      for _ in 0..<count {
        elements.append(
          try value(of: record, field, &records, depth: depth + 1, isElement: true))
      }
      return records[record].addList(elements)
    }
  }

  private mutating func reference(_ records: inout RecordState) throws(Damage) -> Cell {
    let number = try integer()
    let key = try range()
    let table: Int
    switch try target(number) {
    case .root(let root): return Cell(.reference, low: root.reference.bits)
    case .table(let known): table = known
    }
    guard !key.isEmpty else { throw Damage() }
    let record = bytes.withUnsafeBufferPointer {
      records.findOrMake(
        table: table, key: UnsafeBufferPointer(rebasing: $0[key]), version: version)
    }
    return Cell(.reference, low: record.bits)
  }

  /// The type that a number names.
  mutating func type(_ number: UInt32) -> TypeID? {
    if let lastType, lastType.number == number { return lastType.type }
    guard let name = names.text(number), let known = catalog.objectType(named: name) else {
      return nil
    }
    lastType = (number, known)
    return known
  }

  private mutating func target(_ number: UInt64) throws(Damage) -> Target {
    if let space, space.number == number { return space.target }
    let name = try name(number)
    let target: Target
    if let root = RootType.allCases.first(where: { $0.key == name }) {
      target = .root(root)
    } else if let table = catalog.tableOrNew(named: name) {
      target = .table(table)
    } else {
      throw Damage()
    }
    space = (number, target)
    return target
  }

  private mutating func skipValue(depth: Int) throws(Damage) {
    guard depth < Self.maximumDepth else { throw Damage() }
    switch try tag().0 {
    case .absent, .null, .true, .false: break
    case .number, .string, .json: _ = try range()
    case .reference:
      _ = try integer()
      _ = try range()
    case .embedded:
      _ = try integer()
      for _ in 0..<(try count()) {
        if try integer() == 0 { _ = try range() }
        _ = try integer()
        try skipValue(depth: depth + 1)
      }
    case .list:
      for _ in 0..<(try count()) { try skipValue(depth: depth + 1) }
    }
  }

  /// Whether a text is what its kind says, so that what is read from it is JSON.
  private func isWellFormed(_ range: Range<Int>, _ kind: Cell.Kind, isMarked: Bool) -> Bool {
    if isPlain(range, kind, isMarked: isMarked) { return true }
    let text = bytes[range]
    guard let parsed = try? JSON(parsing: kind == .string ? [34] + text + [34] : Array(text))
    else { return false }
    switch kind {
    case .string: return parsed.kind == .string
    case .number: return parsed.kind == .number
    default: return true
    }
  }

  /// Nearly all texts: ASCII without escapes, and numbers that are digits.
  private func isPlain(_ range: Range<Int>, _ kind: Cell.Kind, isMarked: Bool) -> Bool {
    guard !isMarked, !range.isEmpty || kind == .string else { return false }
    return bytes.withUnsafeBufferPointer { bytes in
      switch kind {
      case .string:
        for byte in bytes[range] where byte < 32 || byte > 126 || byte == 34 || byte == 92 {
          return false
        }
        return true
      case .number:
        for byte in bytes[range] where byte < 48 || byte > 57 { return false }
        return range.count == 1 || bytes[range.lowerBound] != 48
      default: return false
      }
    }
  }
}

extension RecordState {
  /// Gives back what a field held.
  fileprivate mutating func release(_ cell: Cell, of record: RecordReference) {
    let embedded = self[record].embeddedRecords(in: cell)
    self[record].release(cell)
    for record in embedded { freeEmbedded(record) { _ in } }
  }

  /// An entity of a key space; a new one without fields if there is none of this key.
  mutating func findOrMake(
    table: Int, key: UnsafeBufferPointer<UInt8>, version: UInt64
  ) -> RecordReference {
    ensureTable(table)
    let (row, _) = tables[table].findOrMakeRow(
      of: key, seed: seed, header: RowHeader(version: version, type: .removed))
    return RecordReference(table: table, row: row)
  }
}
