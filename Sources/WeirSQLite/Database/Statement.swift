import CSQLite
import WeirNormalized

/// A prepared statement.
///
/// It is valid while its connection is open.
struct Statement {
  let pointer: OpaquePointer

  private var connection: OpaquePointer? { sqlite3_db_handle(pointer) }

  /// Advances to the next row; returns false at the end.
  func step() throws(StorageError) -> Bool {
    switch sqlite3_step(pointer) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code:
      let error = StorageError.sqlite(code, connection)
      sqlite3_reset(pointer)
      throw error
    }
  }

  /// Runs the statement to its end, and resets it.
  func run() throws(StorageError) {
    while try step() {}
    reset()
  }

  /// Runs the statement with a key as its first parameter, and integers as the next ones.
  func run(_ key: [UInt8], _ integers: Int64...) throws(StorageError) {
    bind(key, at: 1)
    for (index, integer) in integers.enumerated() { bind(integer, at: Int32(index + 2)) }
    try run()
  }

  /// Returns what `read` returns for each row, and resets the statement.
  func map<Row>(_ read: (Statement) -> Row) throws(StorageError) -> [Row] {
    defer { reset() }
    var rows: [Row] = []
    while try step() { rows.append(read(self)) }
    return rows
  }

  /// Ends the use of a statement that its connection does not keep.
  func finalize() {
    sqlite3_finalize(pointer)
  }

  /// Makes the statement ready for its next use, and releases its locks.
  func reset() {
    sqlite3_reset(pointer)
  }
}

// MARK: - Parameters

extension Statement {
  /// Binds an integer; the first parameter is 1.
  func bind(_ value: Int64, at index: Int32) {
    sqlite3_bind_int64(pointer, index, value)
  }

  func bindNull(at index: Int32) {
    sqlite3_bind_null(pointer, index)
  }

  /// Binds a copy of the text, which may contain NUL.
  func bind(_ text: String, at index: Int32) {
    sqlite3_bind_text(pointer, index, text, Int32(clamping: text.utf8.count), copied)
  }

  /// Binds a copy of the bytes.
  func bind(_ bytes: [UInt8], at index: Int32) {
    // Proof: SQLite copies the bytes before the call returns.
    bytes.withUnsafeBytes { buffer in
      _ = sqlite3_bind_blob64(
        pointer, index, buffer.baseAddress ?? empty, UInt64(buffer.count), copied)
    }
  }

  /// Binds bytes without a copy.
  ///
  /// The caller keeps the buffer alive until the statement has been stepped, and binds the
  /// parameter again before it steps the statement another time.
  func bind(unowned buffer: UnsafeRawBufferPointer, at index: Int32) {
    sqlite3_bind_blob64(pointer, index, buffer.baseAddress ?? empty, UInt64(buffer.count), nil)
  }
}

// MARK: - Columns

extension Statement {
  /// Returns an integer of the current row; the first column is 0.
  func integer(_ column: Int32) -> Int64 {
    sqlite3_column_int64(pointer, column)
  }

  func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(pointer, column) == SQLITE_NULL
  }

  /// Returns a copy of the bytes in a column of the current row.
  func bytes(_ column: Int32) -> [UInt8] {
    withBytes(column) { Array($0) }
  }

  /// Returns the text in a column of the current row; invalid UTF-8 is repaired.
  func text(_ column: Int32) -> String {
    withBytes(column) { String(decoding: $0, as: UTF8.self) }
  }

  /// Calls `body` with the bytes in a column of the current row, which are valid only during the
  /// call.
  func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    // Proof: the blob has the returned number of bytes, and stays valid until the statement is
    // stepped or reset, which `body` does not do. The blob comes first, because reading it may
    // convert the value and so change its length.
    let start = sqlite3_column_blob(pointer, column)
    let count = Int(sqlite3_column_bytes(pointer, column))
    return body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }
}

/// SQLITE_TRANSIENT, a macro that Swift does not import.
///
/// Proof: SQLite documents −1 as the value that requests a copy. SQLite compares it and never calls
/// it.
private let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

/// The address of empty values, because SQLite reads a null pointer as NULL.
///
/// Proof: the byte is never freed and never written, and is only bound with length 0.
nonisolated(unsafe) private let empty = UnsafeRawPointer(
  UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))
