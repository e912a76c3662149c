import Foundation
import WeirNormalized

/// The files of a database: the file itself, its write-ahead log and the log's index.
struct DatabaseFile: Hashable, Sendable {
  let path: String

  init(_ url: URL) {
    path = url.absoluteURL.standardizedFileURL.path
  }

  init(path: String) {
    self.path = path
  }

  /// The suffixes of the files, in the order in which they are renamed or deleted.
  static let suffixes = ["-wal", "-shm", ""]

  var directory: String { (path as NSString).deletingLastPathComponent }

  /// Identifies a file; another file at the same path has another identity.
  struct Identity: Hashable {
    var device: UInt64
    var inode: UInt64
  }

  /// The identity of the file at the path now; nil if there is none.
  var identity: Identity? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Identity(device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino))
  }

  var isDirectory: Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Returns the size of one of the files in bytes; 0 if it does not exist.
  func size(_ suffix: String) -> Int {
    var status = stat()
    return stat(path + suffix, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Creates the directory of the file if it is missing.
  func createDirectory() throws(StorageError) {
    guard !FileManager.default.fileExists(atPath: directory) else { return }
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true)
    } catch {
      throw StorageError(.notPermitted, "Cannot create the directory \(directory): \(error)")
    }
  }
}

// MARK: - Quarantine

extension DatabaseFile {
  private static let quarantineMark = ".damaged-"

  /// Renames the files to the first free name in the same directory; deletes nothing.
  ///
  /// The log is renamed first. A log without a database is ignored, but SQLite would apply an old
  /// log beside a new database to that database.
  func quarantine() throws(StorageError) -> DatabaseFile {
    var number = 1
    while FileManager.default.fileExists(atPath: "\(path)\(Self.quarantineMark)\(number)") {
      number += 1
    }
    let target = DatabaseFile(path: "\(path)\(Self.quarantineMark)\(number)")
    for suffix in Self.suffixes where rename(path + suffix, target.path + suffix) != 0 {
      guard errno == ENOENT else {
        throw StorageError(.notPermitted, "Cannot rename \(path)\(suffix) (errno \(errno))")
      }
    }
    return target
  }

  /// The paths of the files that were set aside as damaged.
  var quarantined: [String] {
    let name = (path as NSString).lastPathComponent + Self.quarantineMark
    let files = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return files.filter { $0.hasPrefix(name) }.sorted().map { "\(directory)/\($0)" }
  }
}

extension DatabaseFile {
  /// Deletes the files and overwrites their content, which needs no additional space.
  ///
  /// A process that has the files open keeps using them until its next call, which finds the new
  /// file.
  func delete() throws(StorageError) {
    for suffix in Self.suffixes {
      let size = size(suffix)
      let held = suffix == "-shm" ? nil : FileHandle(forUpdatingAtPath: path + suffix)
      guard unlink(path + suffix) == 0 || errno == ENOENT else {
        throw StorageError(.notPermitted, "Cannot delete \(path)\(suffix) (errno \(errno))")
      }
      let zeros = Data(count: 1 << 16)
      for start in stride(from: 0, to: size, by: zeros.count) {
        try? held?.write(contentsOf: zeros.prefix(size - start))
      }
      try? held?.close()
    }
  }

  /// Deletes the files that were set aside as damaged.
  func deleteQuarantined() {
    for path in quarantined { unlink(path) }
  }
}
