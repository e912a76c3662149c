import Weir
public import WeirNormalized

extension SQLiteStorage {
  /// Returns the records under these keys, in the order of the keys, in one transaction.
  ///
  /// An element is nil if the record is missing, its value is damaged, or a ``ValueTransform`` cannot open it.
  /// A call searches the tree once
  /// for each key, or, for many keys, steps along neighbouring rows.
  public func load(_ keys: [String]) throws(StorageError) -> [StoredRecord?] {
    guard !keys.isEmpty else { return [] }
    let loading = try perform { (state, connection) throws(StorageError) in
      var loading = Loading(keys, stamp: state.openFile?.state.stampOfReads ?? 0)
      try loading.run(connection, &state.uses)
      if loading.damaged > 0 { state.openFile?.isChecked = false }
      return loading
    }
    return try open(loading.records, loading.damaged)
  }

  private func open(
    _ records: [StoredRecord?], _ damaged: Int
  ) throws(StorageError) -> [StoredRecord?] {
    var records = records
    var damaged = damaged
    if let transform = configuration.valueTransform {
      for index in records.indices {
        guard let record = records[index] else { continue }
        if let value = try transform.opened(record.value, key: Array(record.key.utf8)) {
          records[index]?.value = value
        } else {
          records[index] = nil
          damaged += 1
        }
      }
    }
    if damaged > 0 {
      report([StorageDiagnostic(.damagedValues, file, count: damaged)])
    }
    return records
  }
}

/// A look-up of keys.
private struct Loading {
  let keys: [String]
  let stamp: Int64
  private(set) var records: [StoredRecord?]
  private(set) var damaged = 0

  init(_ keys: [String], stamp: Int64) {
    self.keys = keys
    self.stamp = stamp
    records = [StoredRecord?](repeating: nil, count: keys.count)
  }

  mutating func run(
    _ connection: Connection, _ uses: inout RecentUses
  ) throws(StorageError) {
    // A single statement is a transaction by itself.
    if keys.count == 1 { return try searchEach(connection, &uses) }
    try connection.reading { () throws(StorageError) in
      if keys.count < RowSearch.minimumCount {
        try searchEach(connection, &uses)
      } else {
        try walk(connection, &uses)
      }
    }
  }

  private mutating func searchEach(
    _ connection: Connection, _ uses: inout RecentUses
  ) throws(StorageError) {
    let statement = try connection.statement(.get(.records))
    for index in keys.indices {
      // Proof: the key, which is bound without a copy, stays valid until the row has been read, and
      // the statement is bound again before it is stepped again.
      var key = keys[index]
      try key.withUTF8 { key in
        Result { () throws(StorageError) in
          let key = UnsafeRawBufferPointer(key)
          statement.bind(unowned: key, at: 1)
          if try statement.step() { take(statement, key, index, &uses) }
          statement.reset()
        }
      }.get()
    }
  }

  private mutating func walk(
    _ connection: Connection, _ uses: inout RecentUses
  ) throws(StorageError) {
    var search = try RowSearch(connection)
    let ascending = keys.map { Array($0.utf8) }.enumerated().sorted {
      $0.element.lexicographicallyPrecedes($1.element)
    }
    for (index, key) in ascending where try search.find(key) {
      // Proof: `take` does not keep the pointer.
      key.withUnsafeBytes { take(search.statement, $0, index, &uses) }
    }
    search.end()
  }

  /// Takes the record from the current row: type, use, checksum and value.
  private mutating func take(
    _ statement: Statement, _ key: UnsafeRawBufferPointer, _ index: Int, _ uses: inout RecentUses
  ) {
    let type = statement.integer(0)
    let sum = statement.integer(2)
    let value = statement.withBytes(3) { value in
      StableHash.checksum(key: key, type: type, value: value) == sum ? Array(value) : nil
    }
    if statement.integer(1) < stamp { uses.add(keys[index], at: stamp) }
    if let value, let type = UInt32(exactly: type) {
      records[index] = StoredRecord(key: keys[index], type: type, value: value)
    } else {
      damaged += 1
    }
  }
}
