/// Encodes records as bytes, for storages and snapshots.
///
/// A record is the sequence of its fields. Integers are in LEB128; texts are in UTF-8, preceded by
/// their length.
///
/// ```
/// record    = count field*
/// field     = key age value
/// key       = number + 1                   of the storage key's name
///           | 0 length byte*               a storage key whose arguments come from variables
/// age       = milliseconds since 1970 when the field becomes stale; 0: never, 1: stale
/// value     = tag payload                  tag: the kind; plus 16 for escapes, a fraction or order
/// payload   = length byte*                 numbers, strings (as spelled in JSON), JSON
///           | table length byte*           a reference: number of the key space, id
///           | type order? record           an embedded object: number of its type's name; for a page
///                                          of a connection, when it was last changed
///           | count value*                 a list
///           |                              null, true, false; in lists also unknown elements
/// ```
package struct RecordEncoder {
  private let records: RecordState
  private let catalog: Catalog
  /// The numbers of names. A name without a number is encoded with a wrong one, and noted; see
  /// ``RecordNames/unnumbered``.
  package var names: RecordNames
  private var bytes: [UInt8] = []
  private var tables: [Table?] = []
  private var keys: [FieldID: [UInt8]] = [:]
  /// The fields that hold embedded objects.
  package private(set) var holders: Set<LearnedNames.List> = []
  /// Fields that were seen before, with the tables of the records that they hold, by owner and
  /// field.
  private var knownHolders: [TableID: [FieldID: TableID]] = [:]

  private struct Table {
    let number: UInt64
    let places: [FieldPlace]
    /// The encoded key of each place's field.
    let keys: [[UInt8]]
  }

  package init(_ records: RecordState, _ catalog: Catalog, names: RecordNames) {
    self.records = records
    self.catalog = catalog
    self.names = names
  }

  /// Returns what was appended since the last call.
  package mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return Array(bytes)
  }
}

// MARK: - Records

extension RecordEncoder {
  /// Appends all fields of a record.
  package mutating func append(_ record: RecordReference) {
    let table = table(record.table)
    let chunk = records[record]
    let row = record.rowInChunk
    let others = (chunk.overflow[row] ?? [:]).sorted { $0.key.rawValue < $1.key.rawValue }
    var count = others.count
    for place in table.places where !chunk.cell(row, place).isAbsent { count += 1 }
    append(UInt64(count))
    for (place, key) in zip(table.places, table.keys) {
      let cell = chunk.cell(row, place)
      if !cell.isAbsent { append(key, place.field, cell, of: record, chunk) }
    }
    for (field, cell) in others { append(key(field), field, cell, of: record, chunk) }
  }

  /// Appends a record with a single field.
  package mutating func append(_ record: RecordReference, only place: FieldPlace) {
    append(1)
    append(key(place.field), place.field, records.cell(record, place), of: record, records[record])
  }

  private mutating func append(
    _ key: [UInt8], _ field: FieldID, _ cell: Cell, of record: RecordReference, _ chunk: RowChunk
  ) {
    bytes += key
    append(chunk.ages.isEmpty ? 0 : age(chunk.ages.expiry(record.rowInChunk, field)))
    if cell.kind == .embedded || cell.kind == .list { noteHolder(of: cell, field, record, chunk) }
    append(cell, chunk, order: order(of: cell, field))
  }

  private mutating func noteHolder(
    of cell: Cell, _ field: FieldID, _ owner: RecordReference, _ chunk: RowChunk
  ) {
    guard cell.kind == .list else { return noteHolder(ofTable: cell.record.table, field, owner) }
    for element in chunk[cell.list] where element.kind == .embedded {
      noteHolder(ofTable: element.record.table, field, owner)
    }
  }

  private mutating func noteHolder(
    ofTable element: TableID, _ field: FieldID, _ owner: RecordReference
  ) {
    guard knownHolders[owner.table]?[field] != element else { return }
    knownHolders[owner.table, default: [:]][field] = element
    holders.insert(
      LearnedNames.List(
        owner: catalog.tableName(owner.table), field: catalog.info(field).name,
        element: catalog.tableName(element)))
  }

  /// When the page was last changed, if the value is a page of a connection.
  private func order(of cell: Cell, _ field: FieldID) -> UInt64? {
    guard cell.kind == .embedded else { return nil }
    return catalog.info(field).list == nil ? nil : records.order(of: cell.record)
  }

  private func age(_ expiry: Int64) -> UInt64 {
    if expiry == RowAges.never { return 0 }
    return expiry <= 0 ? 1 : UInt64(max(2, expiry))
  }

  private mutating func append(_ cell: Cell, _ chunk: RowChunk, order: UInt64? = nil) {
    bytes.append(cell.kind.rawValue | (cell.isIrregular || order != nil ? 16 : 0))
    switch cell.kind {
    case .absent, .null, .true, .false: break
    case .number, .string, .json: append(text: cell, chunk)
    case .reference:
      append(table(cell.record.table).number)
      let owner = records[cell.record]
      let key = owner.key(cell.record.rowInChunk)
      if key.kind == .string { append(text: key, owner) } else { append(0) }
    case .embedded:
      append(UInt64(names.number(catalog.typename(records.header(cell.record).type))))
      if let order { append(order) }
      append(cell.record)
    case .list:
      let elements = chunk[cell.list]
      append(UInt64(elements.count))
      for element in elements { append(element, chunk) }
    }
  }
}

// MARK: - Names

extension RecordEncoder {
  /// Notes nearly all names that records like this one need, so that they can be numbered before
  /// the records are encoded.
  package mutating func meetNames(of record: RecordReference) {
    _ = table(record.table)
    _ = names.number(catalog.typename(records.header(record).type))
  }

  private mutating func table(_ id: TableID) -> Table {
    let index = id.index
    if index < tables.count, let known = tables[index] { return known }
    let places = catalog.slotPlaces(id)
    let table = Table(
      number: UInt64(names.number(catalog.tableName(id))), places: places,
      keys: places.map { key($0.field) })
    while tables.count <= index { tables.append(nil) }
    tables[index] = table
    return table
  }

  /// The encoded form of a storage key. Names have numbers, and so do storage keys that a document
  /// fixes. There are as many other keys as there are values of variables, so those are spelled
  /// out: they must not accumulate among the names.
  private mutating func key(_ field: FieldID) -> [UInt8] {
    if let known = keys[field] { return known }
    let info = catalog.info(field)
    var bytes: [UInt8] = []
    if info.storageKey == info.name || info.isFixed {
      bytes.append(variableLength: UInt64(names.number(info.storageKey)) + 1)
    } else {
      bytes.append(variableLength: 0)
      bytes.append(variableLength: UInt64(info.storageKey.utf8.count))
      bytes += info.storageKey.utf8
    }
    keys[field] = bytes
    return bytes
  }
}

// MARK: - Bytes

extension RecordEncoder {
  package mutating func append(_ value: UInt64) {
    bytes.append(variableLength: value)
  }

  package mutating func append(text: String) {
    append(UInt64(text.utf8.count))
    bytes += text.utf8
  }

  package mutating func append(byte: UInt8) { bytes.append(byte) }
  private mutating func append(text cell: Cell, _ chunk: RowChunk) {
    append(UInt64(cell.length))
    chunk.withText(cell) { bytes.append(contentsOf: $0) }
  }
}

extension [UInt8] {
  /// Appends seven bits in each byte, the lowest first. The highest bit of a byte tells that another
  /// one follows.
  fileprivate mutating func append(variableLength value: UInt64) {
    var value = value
    while value >= 128 {
      append(UInt8(truncatingIfNeeded: value) | 128)
      value >>= 7
    }
    append(UInt8(value))
  }
}
