import CSQLite
import WeirNormalized

/// A prepared statement, to be bound, stepped and reset.
///
/// It is valid as long as the connection that it came from is open.
struct Statement {
  let pointer: OpaquePointer

  private var connection: OpaquePointer? { sqlite3_db_handle(pointer) }

  /// Advances to the next row; false at the end.
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

  /// Runs a statement that has no rows, and makes it ready for the next time.
  func run() throws(StorageError) {
    while try step() {}
    reset()
  }

  /// Makes the statement ready for the next time, and lets go of its locks.
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

  /// Binds a copy of the bytes.
  func bind(_ bytes: [UInt8], at index: Int32) {
    bytes.withUnsafeBytes { buffer in
      _ = sqlite3_bind_blob64(
        pointer, index, buffer.baseAddress ?? empty, UInt64(buffer.count), copied)
    }
  }

  /// Binds bytes that stay where they are until the statement is bound anew or finalized.
  func bind(unowned buffer: UnsafeRawBufferPointer, at index: Int32) {
    sqlite3_bind_blob64(pointer, index, buffer.baseAddress ?? empty, UInt64(buffer.count), nil)
  }
}

// MARK: - Columns

extension Statement {
  /// An integer of the current row; the first column is 0.
  func integer(_ column: Int32) -> Int64 {
    sqlite3_column_int64(pointer, column)
  }

  func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(pointer, column) == SQLITE_NULL
  }

  /// A copy of the bytes of the current row.
  func bytes(_ column: Int32) -> [UInt8] {
    withBytes(column) { Array($0) }
  }

  /// The text of the current row; damaged text is repaired.
  func text(_ column: Int32) -> String {
    withBytes(column) { String(decoding: $0, as: UTF8.self) }
  }

  /// The bytes of the current row, valid in `body` only.
  func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    // In this order: asking for the blob may convert the value, which changes its length.
    let start = sqlite3_column_blob(pointer, column)
    let count = Int(sqlite3_column_bytes(pointer, column))
    return body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }
}

/// SQLITE_TRANSIENT, a macro that the importer cannot read.
///
/// Proof: SQLite documents −1 as the value that makes it copy; it compares it and never calls it.
let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

/// Where an empty value begins: SQLite takes a null pointer for NULL.
///
/// Proof: one byte that is never freed and never written; it is bound with length 0 only.
nonisolated(unsafe) private let empty = UnsafeRawPointer(
  UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))
