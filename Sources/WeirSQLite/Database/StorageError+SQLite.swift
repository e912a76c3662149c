import CSQLite
import Foundation
import WeirNormalized

extension StorageError {
  /// Makes the error for a result code of SQLite.
  ///
  /// It takes SQLite's message, which may name tables and files but never contains values.
  static func sqlite(_ code: Int32, _ connection: OpaquePointer?) -> StorageError {
    let message =
      connection.map { String(cString: sqlite3_errmsg($0)) }
      ?? String(cString: sqlite3_errstr(code))
    let extended = connection.map { sqlite3_extended_errcode($0) } ?? code
    let system = connection.map { sqlite3_system_errno($0) } ?? 0
    return StorageError(
      Self.code(code, extended: extended, system: system),
      "\(message) (SQLite \(extended)\(system == 0 ? "" : ", errno \(system)"))")
  }

  static func code(_ result: Int32, extended: Int32, system: Int32) -> Code {
    switch result & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .busy
    // SQLITE_INTERRUPT: see `StepLimit`.
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_INTERRUPT: .corrupt
    case SQLITE_FULL: .full
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH, SQLITE_CANTOPEN: .notPermitted
    case SQLITE_IOERR: ioCode(extended: extended, system: system)
    default: .failed
    }
  }

  private static func ioCode(extended: Int32, system: Int32) -> Code {
    // SQLITE_IOERR_WRITE and SQLITE_IOERR_SHMSIZE: a quota or a limit on file sizes counts as a full
    // disk. SQLite reports ENOSPC itself, but often loses the other error numbers.
    let isWrite = [SQLITE_IOERR | (3 << 8), SQLITE_IOERR | (19 << 8)].contains(extended)
    if [ENOSPC, EDQUOT, EFBIG].contains(system) || isWrite && system == 0 { return .full }
    if [EACCES, EPERM, EROFS].contains(system) { return .notPermitted }
    // SQLITE_IOERR_VNODE: Apple's SQLite reports that the open file was renamed or deleted.
    if extended == SQLITE_IOERR | (27 << 8) { return .replaced }
    // SQLITE_IOERR_SHORT_READ: the file ends before the page does.
    return extended == SQLITE_IOERR | (2 << 8) ? .corrupt : .failed
  }
}

extension StorageError.Code {
  /// The open file is not at its path any more. Never thrown to a caller: the storage opens the file
  /// that is there now.
  static let replaced = StorageError.Code(rawValue: "replaced")
}
