import Weir

/// Records as bytes: what storages keep, and what snapshots consist of.
///
/// A record is its fields, one after the other; integers are in LEB128, texts in UTF-8 with their
/// length before them.
///
/// ```
/// record    = count field*
/// field     = name age value               name: number of the storage key
/// age       = milliseconds since 1970 when the field becomes stale, 0 for never, 1 for stale
/// value     = tag payload                  tag: the kind, 16 more for escapes or a fraction
/// payload   = length byte*                 numbers, strings (as spelled in JSON), JSON
///           | table length byte*           a reference: number of the key space, id
///           | type record                  an embedded object: number of its type's name
///           | count value*                 a list
///           |                              null, true, false
/// ```
struct RecordEncoder {
  let records: RecordState
  let catalog: Catalog
  /// What is added to the store's milliseconds to get those since 1970.
  let epoch: Int64
  /// The number of a name.
  var number: (String) -> UInt32
  private(set) var bytes: [UInt8] = []

  init(
    records: RecordState, catalog: Catalog, epoch: Int64, number: @escaping (String) -> UInt32
  ) {
    self.records = records
    self.catalog = catalog
    self.epoch = epoch
    self.number = number
  }

  /// Adds a record's fields, all or those at some places.
  mutating func append(_ record: RecordReference, places: [FieldPlace]? = nil) {
    let places = places ?? records.places(of: record, catalog)
    append(UInt64(places.count))
    for place in places {
      append(UInt64(number(catalog.info(place.field).storageKey)))
      append(age(of: record, place.field))
      append(records.cell(record, place), of: record)
    }
  }

  private func age(of record: RecordReference, _ field: FieldID) -> UInt64 {
    let expiry = records[record].ages.expiry(record.rowInChunk, field)
    if expiry == RowAges.never { return 0 }
    return expiry <= 0 ? 1 : UInt64(max(1, expiry + epoch))
  }

  private mutating func append(_ cell: Cell, of record: RecordReference) {
    bytes.append(cell.kind.rawValue | (cell.isMarked ? 16 : 0))
    switch cell.kind {
    case .absent, .null, .true, .false: break
    case .number, .string, .json:
      append(text: records[record].withText(cell) { Array($0) })
    case .reference:
      append(UInt64(number(catalog.tableName(cell.record.table))))
      let key = records[cell.record].key(cell.record.rowInChunk)
      append(
        text: key.isAbsent ? [] : records[cell.record].withText(key) { Array($0) })
    case .embedded:
      append(UInt64(number(catalog.typename(records.header(cell.record).type))))
      append(cell.record)
    case .list:
      let elements = records[record].lists[cell.list]
      append(UInt64(elements.count))
      for element in elements { append(element, of: record) }
    }
  }

  mutating func append(text: [UInt8]) {
    append(UInt64(text.count))
    bytes += text
  }

  mutating func append(_ value: UInt64) {
    var value = value
    while value >= 128 {
      bytes.append(UInt8(truncatingIfNeeded: value) | 128)
      value >>= 7
    }
    bytes.append(UInt8(value))
  }

  /// What was appended since the last call.
  mutating func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }
}

/// Reads what `RecordEncoder` has written, whatever has become of it: damaged bytes are an error.
struct RecordDecoder {
  let catalog: Catalog
  let epoch: Int64
  let version: UInt64
  /// The name of a number.
  let name: (UInt32) -> String?
  private var bytes: ArraySlice<UInt8>

  struct Damage: Error {}

  init(
    _ bytes: [UInt8], catalog: Catalog, epoch: Int64, version: UInt64,
    name: @escaping (UInt32) -> String?
  ) {
    self.bytes = bytes[...]
    self.catalog = catalog
    self.epoch = epoch
    self.version = version
    self.name = name
  }

  var isAtEnd: Bool { bytes.isEmpty }

  mutating func integer() throws(Damage) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while let byte = bytes.popFirst() {
      guard shift < 63 || byte < 2 else { throw Damage() }
      value |= UInt64(byte & 127) << shift
      if byte < 128 { return value }
      shift += 7
    }
    throw Damage()
  }

  mutating func text() throws(Damage) -> [UInt8] {
    let count = try integer()
    guard count <= UInt64(bytes.count) else { throw Damage() }
    defer { bytes = bytes.dropFirst(Int(count)) }
    return Array(bytes.prefix(Int(count)))
  }

  mutating func nameOfNumber() throws(Damage) -> String {
    guard let number = UInt32(exactly: try integer()), let name = name(number) else {
      throw Damage()
    }
    return name
  }

  /// Reads a record's fields into a row, beside what the row has; what the row has stays unless
  /// `replaces` says otherwise.
  mutating func read(
    into record: RecordReference, _ records: inout RecordState, replaces: Bool, depth: Int = 0
  ) throws(Damage) {
    guard depth < 256 else { throw Damage() }
    for _ in 0..<(try integer()) {
      let storageKey = try nameOfNumber()
      let field = catalog.field(
        storageKey, name: String(storageKey.prefix { $0 != "(" && $0 != "@" }))
      let age = try integer()
      let place = catalog.place(field, table: record.table)
      let cell = try value(of: record, &records, depth: depth)
      let old = records.cell(record, place)
      guard replaces || old.isAbsent else { continue }
      let embedded = records[record].embeddedRecords(in: old)
      records[record].release(old)
      for record in embedded { records.freeEmbedded(record) { _ in } }
      records[record].setCell(cell, record.rowInChunk, place)
      if age != 0 {
        let expiry = age == 1 ? 0 : Int64(truncatingIfNeeded: age) - epoch
        records[record].ages.set(expiry, record.rowInChunk, field)
      }
    }
  }

  private mutating func value(
    of record: RecordReference, _ records: inout RecordState, depth: Int
  ) throws(Damage) -> Cell {
    guard let tag = bytes.popFirst(), let kind = Cell.Kind(rawValue: tag & 15), tag < 32 else {
      throw Damage()
    }
    switch kind {
    case .absent: throw Damage()
    case .null, .true, .false: return Cell(kind)
    case .number, .string, .json:
      let text = try text()
      guard Self.isWellFormed(text, kind) else { throw Damage() }
      return text.withUnsafeBufferPointer {
        records[record].store(kind, isMarked: tag & 16 != 0, $0)
      }
    case .reference: return try reference(&records)
    case .embedded:
      guard let type = catalog.type(named: try nameOfNumber()) else { throw Damage() }
      let table = catalog.table(of: type)
      records.ensureTable(table)
      let row = records.tables[table].makeRow(RowHeader(version: version, type: type))
      let embedded = RecordReference(table: table, row: row)
      try read(into: embedded, &records, replaces: true, depth: depth + 1)
      return Cell(.embedded, low: embedded.bits)
    case .list:
      let count = try integer()
      guard count <= UInt64(bytes.count), depth < 256 else { throw Damage() }
      var elements: ContiguousArray<Cell> = []
      elements.reserveCapacity(Int(count))
      for _ in 0..<count {
        elements.append(try value(of: record, &records, depth: depth + 1))
      }
      return records[record].addList(elements)
    }
  }

  private mutating func reference(_ records: inout RecordState) throws(Damage) -> Cell {
    let space = try nameOfNumber()
    let key = try text()
    if let root = RootType.allCases.first(where: { $0.key == space }) {
      return Cell(.reference, low: root.reference.bits)
    }
    guard !key.isEmpty,
      let record = key.withUnsafeBufferPointer({
        records.findOrMake(space: space, key: $0, version: version, catalog: catalog)
      })
    else { throw Damage() }
    return Cell(.reference, low: record.bits)
  }

  /// Whether a text is what its kind says, so that what is read from it is JSON.
  private static func isWellFormed(_ text: [UInt8], _ kind: Cell.Kind) -> Bool {
    let json = kind == .string ? [34] + text + [34] : text
    guard let parsed = try? JSON(parsing: json) else { return false }
    switch kind {
    case .string: return parsed.kind == .string
    case .number: return parsed.kind == .number
    default: return true
    }
  }
}

extension RecordState {
  /// An entity of a key space; a new one without fields if there is none of this key.
  mutating func findOrMake(
    space: String, key: UnsafeBufferPointer<UInt8>, version: UInt64, catalog: Catalog
  ) -> RecordReference? {
    guard let table = catalog.tableOrNew(named: space) else { return nil }
    ensureTable(table)
    let (row, _) = tables[table].findOrMakeRow(
      of: key, seed: seed, header: RowHeader(version: version, type: .removed))
    return RecordReference(table: table, row: row)
  }
}
