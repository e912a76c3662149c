import Weir
public import WeirNormalized

extension SQLiteStorage {
  /// Writes and removes records in one transaction, and logs their keys for other storages.
  public func commit(_ batch: RecordBatch) throws(StorageError) {
    guard !batch.isEmpty else { return }
    var batch = batch
    if let transform = configuration.valueTransform {
      for index in batch.records.indices {
        let record = batch.records[index]
        batch.records[index].value = try transform.sealed(
          record.value, key: Array(record.key.utf8))
      }
    }
    let keys = ChangeLog.encode(batch)
    try change { (state, connection) throws(StorageError) in
      var names = state.names
      let (fileState, _) = try FileState.change(in: connection) {
        (fileState) throws(StorageError) in
        try names.restoreNames(in: connection, &fileState)
        fileState.sequence += 1
        try Self.write(batch, to: connection, &fileState)
        try state.uses.write(atMost: 4 + batch.records.count / 4, to: connection)
        try ChangeLog.append(keys, origin: self.origin, fileState.sequence, to: connection)
        fileState.isClean = false
      }
      state.openFile?.state = fileState
      feed.passed(fileState.position)
      state.names = names
      // The disk has room again, so reopen the file in a way that lets other processes use it.
      if state.openFile?.isExclusive == true { state.openFile = nil }
    }
    OpenStorages.shared.wake(file, except: feed)
  }

  private static func write(
    _ batch: RecordBatch, to connection: Connection, _ state: inout FileState
  ) throws(StorageError) {
    let remove = try connection.statement(.remove(.records))
    for key in batch.removedKeys { try remove.run(Array(key.utf8)) }
    let put = try connection.statement(.put(.records))
    var bytes = 0
    for record in batch.records {
      try put.put(record, used: state.stampOfWrites)
      bytes += record.key.utf8.count + record.value.count
    }
    state.records += Int64(batch.records.count)
    state.bytes += Int64(bytes)
    state.subtract(connection.replacedRows)
  }

  /// Returns the keys of the selected records. Scans all records, except for a prefix.
  public func keys(in selection: RecordSelection) throws(StorageError) -> [String] {
    try perform { (state, connection) throws(StorageError) in
      let statement: Statement
      switch selection {
      case .all, .prefix(""):
        statement = try connection.statement(.keys)
      case .type(let type):
        statement = try connection.statement(.keysOfType)
        statement.bind(Int64(type), at: 1)
        if let name = state.names.name(of: type) {
          statement.bind(name, at: 2)
        } else {
          statement.bindNull(at: 2)
        }
      case .prefix(let prefix):
        statement = try connection.statement(.keysBetween)
        var end = Array(prefix.utf8)
        statement.bind(end, at: 1)
        // No byte of UTF-8 is 255, so the increment does not overflow.
        end[end.count - 1] += 1
        statement.bind(end, at: 2)
      }
      return try statement.map { $0.text(0) }
    }
  }
}

extension Statement {
  /// Runs an ``SQL/put(_:)`` statement.
  fileprivate func put(_ record: StoredRecord, used: Int64) throws(StorageError) {
    bind(Int64(record.type), at: 2)
    bind(used, at: 3)
    var key = record.key
    // Proof: key and value, which are bound without a copy, stay valid until the statement has been
    // stepped, and both are bound again before it is stepped again.
    try key.withUTF8 { key in
      record.value.withUnsafeBytes { value in
        let key = UnsafeRawBufferPointer(key)
        bind(unowned: key, at: 1)
        bind(StableHash.checksum(key: key, type: Int64(record.type), value: value), at: 4)
        bind(unowned: value, at: 5)
        return Result { () throws(StorageError) in try run() }
      }
    }.get()
  }
}
