import CSQLite
import Weir
import WeirNormalized

/// A connection to a database file, with its prepared statements.
///
/// It is not thread-safe; its owner serializes all uses. Deallocation closes it.
final class Connection {
  let handle: OpaquePointer
  private var statements: [SQL: Statement] = [:]
  /// The rows that the current transaction has replaced.
  var replacedRows: ReplacedRows { replaced.pointee }
  // Proof: allocated and initialized in `init` and freed in `deinit`, after the connection, to which
  // the pointer is passed, has been closed. Only one thread at a time uses a connection.
  private let replaced: UnsafeMutablePointer<ReplacedRows>
  // Proof: as for `replaced`.
  private let steps: UnsafeMutablePointer<StepLimit>

  /// Opens the file, and creates it if it is missing.
  init(path: String, readOnly: Bool = false, busyTimeout: Duration) throws(StorageError) {
    var opened: OpaquePointer?
    let flags =
      (readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
      | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let error = StorageError.sqlite(code, opened)
      sqlite3_close_v2(opened)
      throw error
    }
    handle = opened
    replaced = .allocate(capacity: 1)
    replaced.initialize(to: ReplacedRows())
    sqlite3_extended_result_codes(handle, 0)
    sqlite3_busy_timeout(handle, Int32(clamping: busyTimeout.milliseconds))
    ReplacedRows.install(on: handle, countingIn: replaced)
    steps = .allocate(capacity: 1)
    steps.initialize(to: StepLimit())
    StepLimit.install(on: handle, counting: steps)
    try protect()
  }

  deinit {
    for statement in statements.values { statement.finalize() }
    sqlite3_close_v2(handle)
    replaced.deinitialize(count: 1)
    replaced.deallocate()
    steps.deinitialize(count: 1)
    steps.deallocate()
  }

  /// Makes the connection distrust the file, which anybody may have written, and use no others.
  private func protect() throws(StorageError) {
    weir_set_defensive(handle, 1)
    try execute("PRAGMA trusted_schema = OFF")
    try execute("PRAGMA cell_size_check = ON")
    // Temporary files would have the user's data in another directory.
    try execute("PRAGMA temp_store = MEMORY")
    limitValues(toBytes: Self.maximumValueBytes)
  }

  /// Makes a file readable that is shorter than its header says. Only for a connection that cannot write.
  ///
  /// It also makes SQLite pass over definitions that contradict each other.
  func allowTruncation() throws(StorageError) {
    weir_set_defensive(handle, 0)
    try execute("PRAGMA writable_schema = ON")
  }

  /// Limits the size of a value, which a few damaged bytes could claim to be gigabytes.
  func limitValues(toBytes bytes: Int) {
    sqlite3_limit(
      handle, SQLITE_LIMIT_LENGTH, Int32(clamping: max(1 << 20, min(bytes, Self.maximumValueBytes)))
    )
  }

  private static let maximumValueBytes = 256 << 20

  /// Limits the work until the next call of this method, to what a file of this size can need.
  func limitSteps(forBytes bytes: Int) {
    steps.pointee.begin(forBytes: bytes)
  }

  /// Returns the statement for `sql`, which is prepared at its first use.
  func statement(_ sql: SQL) throws(StorageError) -> Statement {
    if let statement = statements[sql] { return statement }
    let statement = try prepare(sql.text)
    statements[sql] = statement
    return statement
  }

  /// Calls `body` with a statement that is used only once.
  func withStatement<Result>(
    _ sql: String, _ body: (Statement) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    let statement = try prepare(sql)
    defer { statement.finalize() }
    return try body(statement)
  }

  /// Runs a statement that is used only once.
  func execute(_ sql: String) throws(StorageError) {
    try withStatement(sql) { (statement) throws(StorageError) in try statement.run() }
  }

  /// Returns the first column of the first row of a statement that is used only once.
  func integer(_ sql: String) throws(StorageError) -> Int64? {
    try withStatement(sql) { (statement) throws(StorageError) in
      try statement.step() ? statement.integer(0) : nil
    }
  }

  /// Prepares a statement, which the caller finalizes.
  func prepare(_ sql: String) throws(StorageError) -> Statement {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else {
      let error = StorageError.sqlite(code, handle)
      // The SQL is correct, so the tables must be damaged.
      throw code & 0xFF == SQLITE_ERROR ? StorageError(.corrupt, error.message) : error
    }
    return Statement(pointer: prepared)
  }
}

// MARK: - Transactions

extension Connection {
  /// Runs `body` in a transaction, which sees one state of the file.
  func reading<Result>(
    _ body: () throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try transaction(.begin, body)
  }

  /// Runs `body` in a transaction that excludes other writers; rolls back if `body` throws.
  func writing<Result>(
    _ body: () throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try transaction(.beginWriting, body)
  }

  private func transaction<Result>(
    _ begin: SQL, _ body: () throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    replaced.pointee = ReplacedRows()
    try statement(begin).run()
    do throws(StorageError) {
      let result = try body()
      try statement(.commit).run()
      return result
    } catch {
      for statement in statements.values { statement.reset() }
      // After some errors SQLite has already rolled back.
      if sqlite3_get_autocommit(handle) == 0 { try? statement(.rollback).run() }
      throw error
    }
  }
}
