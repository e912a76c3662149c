extension RecordDecoder {
  /// Reads a record's fields into a row. Fields that the row has already stay, unless `replaces` is
  /// true. Embedded objects of the same type are merged.
  ///
  /// - Returns: what has changed in the row.
  @discardableResult
  package mutating func read(
    into record: RecordReference, _ records: inout RecordState, replaces: Bool,
    except removed: Set<FieldID> = [], depth: Int = 0
  ) throws(Damage) -> ChangeSet.Change {
    guard depth < Self.maximumDepth else { throw Damage() }
    var change = ChangeSet.Change(record: record, slots: 0, fields: [])
    do throws(Damage) {
      for position in 0..<(try count()) {
        try readField(
          at: position, into: record, &records, replaces: replaces, except: removed, depth: depth,
          &change)
      }
    } catch {
      if !replaces { unfinished.append(change) }
      throw error
    }
    return change
  }

  private mutating func readField(
    at position: Int, into record: RecordReference, _ records: inout RecordState, replaces: Bool,
    except removed: Set<FieldID>, depth: Int, _ change: inout ChangeSet.Change
  ) throws(Damage) {
    let place = try place(position, table: record.table)
    let age = try integer()
    guard let place, !removed.contains(place.field) else { return try skipValue(depth: depth) }
    let old = records.cell(record, place)
    if !replaces, !old.isAbsent {
      let outer = staleness
      defer { staleness = outer }
      if age != 0 { staleness = min(outer, expiry(age, of: place.field, in: record, records)) }
      return try readBeside(old, &records, depth: depth)
    }
    let cell = try value(of: record, place.field, &records, depth: depth)
    if !old.isAbsent { records.removeField(place, of: record) { _ in } }
    records[record].setCell(cell, record.rowInChunk, place)
    change.add(place)
    if depth == 0, cell.kind == .list { lists.append(place) }
    let staleness = replaces ? RowAges.never : staleness
    if age != 0 || staleness != RowAges.never {
      let expiry = age == 0 ? RowAges.never : expiry(age, of: place.field, in: record, records)
      records[record].ages.set(min(expiry, staleness), record.rowInChunk, place.field)
    } else if record == RootType.query.reference {
      // The field may have been invalidated while only a redirect answered it.
      records[record].ages.set(RowAges.never, record.rowInChunk, place.field)
    }
  }

  /// When a field becomes stale, on the store's clock. Nobody vouches for the number: the system's clock
  /// may have been ahead when it was written. Then the age is unknown, and the field is stale.
  private func expiry(
    _ age: UInt64, of field: FieldID, in record: RecordReference, _ records: RecordState
  ) -> Int64 {
    let expiry = age == 1 ? 0 : Int64(clamping: age)
    guard expiry > latestExpiry else { return expiry }
    let known = record.isRoot ? RootType.query.type : records.header(record).type
    // A new row has no type yet.
    guard let type = known == .removed ? lastType?.type : known else { return expiry }
    // Without a time to live of its own, it comes from a response or an exchange, which have no limit.
    let (name, typename) = (catalog.info(field).name, catalog.typename(type))
    let policy = catalog.policies.policy(of: name, on: typename)
    return catalog.policies.timeToLive(of: policy, on: typename) < 0 ? expiry : 0
  }

  /// The place of a field; nil if its name is unknown.
  private mutating func place(_ position: Int, table: TableID) throws(Damage) -> FieldPlace? {
    let number = try integer()
    if position < memos.count, let memo = memos[position], memo.number == number,
      memo.table == table
    {
      return memo.place
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
    let name = StoredKey.fieldName(of: storageKey)
    let field =
      number == 0
      ? catalog.field(storageKey, name: name) : catalog.fixedField(storageKey, name: name)
    let place = catalog.place(field, table: table)
    if number != 0, position < 128 {
      while memos.count <= position { memos.append(nil) }
      memos[position] = Memo(number: number, table: table, place: place)
    }
    return place
  }

  /// Skips a field that exists already, except that an embedded object may gain fields.
  private mutating func readBeside(
    _ old: Cell, _ records: inout RecordState, depth: Int
  ) throws(Damage) {
    let start = at
    let (kind, isIrregular) = try tag()
    guard old.kind == .embedded, kind == .embedded,
      catalog.type(named: try nameOfNumber()) == records.header(old.record).type
    else {
      at = start
      return try skipValue(depth: depth)
    }
    if isIrregular { _ = try integer() }
    let change = try read(into: old.record, &records, replaces: false, depth: depth + 1)
    guard !change.isEmpty else { return }
    // Gaining fields does not make a page newer.
    if isIrregular {
      records.touchKeepingOrder(old.record, version: version)
    } else {
      records.touch(old.record, version: version)
    }
    changes.append(change)
  }
}

// MARK: - Beside what is there

extension RecordState {
  /// Merges a stored record into a row. Fields that the row has already stay. The decoder then has the
  /// changes of other rows. If the value ends too early, it also has those of this row.
  ///
  /// - Returns: what has changed; nil if nothing has, or if the value cannot be read.
  package mutating func merge(
    _ value: [UInt8], ofType storedType: UInt32, into record: RecordReference,
    except removed: Set<FieldID>,
    version: UInt64, with decoder: inout RecordDecoder
  ) -> ChangeSet.Change? {
    decoder.begin([])
    let isRoot = record.isRoot
    let type: TypeID
    if isRoot {
      type = RootType.query.type
    } else {
      guard let known = decoder.type(storedType), known.table == record.table else { return nil }
      type = known.type
    }
    guard StoredValue.isReadable(value) else { return nil }
    let isNew = header(record).type == .removed
    decoder.begin(value, at: StoredValue.headerLength)
    decoder.staleness = value[1] & StoredValue.stale == 0 ? RowAges.never : 0
    do {
      var change = try decoder.read(into: record, &self, replaces: false, except: removed)
      guard isNew || !change.isEmpty else { return nil }
      change.isNew = isNew
      touch(record, version: version, type: isNew || isRoot ? type : nil)
      return change
    } catch {
      if isNew {
        removeFields(of: record) { _ in }
        decoder.begin([])
      } else {
        keepUnfinished(&decoder, version: version)
      }
      return nil
    }
  }

  /// Reports the fields that were read before the damage. They stay, so another attempt does not report
  /// them.
  private mutating func keepUnfinished(_ decoder: inout RecordDecoder, version: UInt64) {
    for change in decoder.unfinished where !change.isEmpty {
      touch(change.record, version: version)
      decoder.changes.append(change)
    }
  }
}
