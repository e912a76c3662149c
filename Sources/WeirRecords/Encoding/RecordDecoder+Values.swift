import Weir

extension RecordDecoder {
  mutating func tag() throws(Damage) -> (Cell.Kind, isIrregular: Bool) {
    let tag = try byte()
    guard tag < 32, let kind = Cell.Kind(rawValue: tag & 15) else { throw Damage() }
    return (kind, tag & 16 != 0)
  }

  mutating func value(
    of record: RecordReference, _ field: FieldID, _ records: inout RecordState, depth: Int,
    isElement: Bool = false
  ) throws(Damage) -> Cell {
    let (kind, isIrregular) = try tag()
    switch kind {
    case .absent:
      guard isElement else { throw Damage() }
      return .absent
    case .null, .true, .false, .number, .string, .json:
      // Lists of scalars are values as a whole: the elements of a list keep no texts.
      if isElement, [.number, .string, .json].contains(kind) { throw Damage() }
      return try leaf(kind, isIrregular: isIrregular, in: &records[record])
    case .reference: return try reference(&records)
    case .embedded:
      guard let type = catalog.objectType(named: try nameOfNumber()) else { throw Damage() }
      let embedded = records.makeEmbedded(
        RowHeader(version: version, type: type), table: catalog.table(of: type),
        owner: record, field)
      noteMade(embedded)
      if isIrregular { records.pageOrders[embedded] = try order() }
      try read(into: embedded, &records, replaces: true, depth: depth + 1)
      return Cell(.embedded, low: embedded.bits)
    case .list:
      let count = try count()
      guard depth < Self.maximumDepth else { throw Damage() }
      var elements: ContiguousArray<Cell> = []
      // A damaged file may claim more than it has, in each of many lists within each other.
      elements.reserveCapacity(min(count, 1024))
      for _ in 0..<count {
        elements.append(
          try value(of: record, field, &records, depth: depth + 1, isElement: true))
      }
      return records[record].addList(elements)
    }
  }

  /// Notes that a record is new, so that it is counted. One of each chunk is enough.
  private mutating func noteMade(_ record: RecordReference) {
    if let last = changes.last?.record, last.table == record.table, last.chunk == record.chunk {
      return
    }
    changes.append(ChangeSet.Change(record: record, slots: 0, fields: [], isNew: true))
  }

  /// Reads when a page was last changed.
  private mutating func order() throws(Damage) -> PageOrder {
    let order = try integer()
    // A version has 48 bits; there must be room for all later ones.
    guard order >> 47 == 0 else { throw Damage() }
    latestOrder = max(latestOrder, order)
    return PageOrder(version: version, order: order)
  }

  /// Reads a value that contains no other records.
  mutating func leaf(
    _ kind: Cell.Kind, isIrregular: Bool, in chunk: inout RowChunk
  ) throws(Damage) -> Cell {
    guard Cell(kind).isText else { return Cell(kind) }
    let range = try range()
    guard isWellFormed(range, kind, isIrregular: isIrregular) else { throw Damage() }
    // Proof: `range()` has checked that the range lies in `bytes`, and `store` copies the text.
    return bytes.withUnsafeBufferPointer {
      chunk.store(kind, isIrregular: isIrregular, UnsafeBufferPointer(rebasing: $0[range]))
    }
  }

  private mutating func reference(_ records: inout RecordState) throws(Damage) -> Cell {
    let number = try integer()
    let key = try range()
    let table = try table(number)
    if let root = table.root { return Cell(.reference, low: root.reference.bits) }
    guard !key.isEmpty else { throw Damage() }
    // Proof: `range()` has checked that the range lies in `bytes`, and the table copies the key.
    let record = bytes.withUnsafeBufferPointer {
      records.findOrMake(
        table: table, key: UnsafeBufferPointer(rebasing: $0[key]), version: version)
    }
    return Cell(.reference, low: record.bits)
  }

  /// The type with the given number, and its table.
  package mutating func type(_ number: UInt32) -> (type: TypeID, table: TableID)? {
    if let lastType, lastType.number == number { return (lastType.type, lastType.table) }
    guard let name = names.text(number) else {
      hasMetUnknownName = true
      return nil
    }
    guard let known = catalog.objectType(named: name) else { return nil }
    let table = catalog.table(of: known)
    lastType = (number, known, table)
    return (known, table)
  }

  private mutating func table(_ number: UInt64) throws(Damage) -> TableID {
    if let space, space.number == number { return space.table }
    guard let table = catalog.tableOrNew(named: try name(number)) else { throw Damage() }
    space = (number, table)
    return table
  }

  mutating func skipValue(depth: Int) throws(Damage) {
    guard depth < Self.maximumDepth else { throw Damage() }
    let (kind, isIrregular) = try tag()
    switch kind {
    case .absent, .null, .true, .false: break
    case .number, .string, .json: _ = try range()
    case .reference:
      _ = try integer()
      _ = try range()
    case .embedded:
      _ = try integer()
      if isIrregular { _ = try integer() }
      for _ in 0..<(try count()) {
        if try integer() == 0 { _ = try range() }
        _ = try integer()
        try skipValue(depth: depth + 1)
      }
    case .list:
      for _ in 0..<(try count()) { try skipValue(depth: depth + 1) }
    }
  }
}

// MARK: - Texts

extension RecordDecoder {
  /// Whether a text is valid for its kind, so that the JSON built from it is valid.
  private func isWellFormed(_ range: Range<Int>, _ kind: Cell.Kind, isIrregular: Bool) -> Bool {
    // Proof: the range lies in `bytes`, and the pointer is only used within the closure.
    let isPlain = bytes.withUnsafeBufferPointer { bytes in
      Self.isPlain(UnsafeBufferPointer(rebasing: bytes[range]), kind, isIrregular: isIrregular)
    }
    return isPlain || isJSON(range, kind)
  }

  private func isJSON(_ range: Range<Int>, _ kind: Cell.Kind) -> Bool {
    let text = bytes[range]
    guard let parsed = try? JSON(parsing: kind == .string ? [34] + text + [34] : Array(text))
    else { return false }
    switch kind {
    case .string: return parsed.kind == .string
    case .number: return parsed.kind == .number
    default: return true
    }
  }

  /// A fast check that accepts nearly all texts: ASCII without escapes, and plain integers.
  private static func isPlain(
    _ text: UnsafeBufferPointer<UInt8>, _ kind: Cell.Kind, isIrregular: Bool
  ) -> Bool {
    guard !isIrregular else { return false }
    switch kind {
    case .string: return text.allSatisfy { $0 >= 32 && $0 < 128 && $0 != 34 && $0 != 92 }
    case .number:
      return text.allSatisfy { $0 &- 48 < 10 }
        && (text.count == 1 || !text.isEmpty && text[0] != 48)
    default: return false
    }
  }
}

extension RecordState {
  /// Returns the record of a key in a key space, and makes one without fields if there is none.
  mutating func findOrMake(
    table: TableID, key: UnsafeBufferPointer<UInt8>, version: UInt64
  ) -> RecordReference {
    ensureTable(table)
    let (row, _) = self[table].findOrMakeRow(
      of: key, seed: seed, header: RowHeader(version: version, type: .removed))
    return RecordReference(table: table, row: row)
  }

  package mutating func findOrMake(table: TableID, id: String, version: UInt64) -> RecordReference {
    var id = id
    return id.withUTF8 { findOrMake(table: table, key: $0, version: version) }
  }
}
