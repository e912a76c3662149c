import Foundation
import WeirNormalized

/// The files that make up a database, as the file system sees them.
struct DatabaseFile: Hashable, Sendable {
  let path: String

  init(_ url: URL) {
    path = url.absoluteURL.standardizedFileURL.path
  }

  init(path: String) {
    self.path = path
  }

  /// SQLite's names for the files beside it.
  static let suffixes = ["-wal", "-shm", ""]

  var directory: String { (path as NSString).deletingLastPathComponent }

  /// Which file the path leads to now: another file under the same name is another identity.
  struct Identity: Hashable {
    var device: UInt64
    var inode: UInt64
  }

  /// The identity; nil if there is no file.
  var identity: Identity? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Identity(device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino))
  }

  var isDirectory: Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The bytes of one of the files; 0 if it is not there.
  func size(_ suffix: String) -> Int {
    var status = stat()
    return stat(path + suffix, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Makes the directory of the file, where it is missing.
  func createDirectory() throws(StorageError) {
    guard !FileManager.default.fileExists(atPath: directory) else { return }
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true)
    } catch {
      throw StorageError(.notPermitted, "\(directory) cannot be made")
    }
  }
}

// MARK: - Quarantine

extension DatabaseFile {
  private static let quarantineMark = ".damaged-"

  /// Renames the files to the first free name beside them; nothing is deleted.
  ///
  /// The log goes first: a log without its database is ignored, but one that stood beside a new
  /// database would be taken for that one's.
  func quarantine() throws(StorageError) -> DatabaseFile {
    var number = 1
    while FileManager.default.fileExists(atPath: "\(path)\(Self.quarantineMark)\(number)") {
      number += 1
    }
    let target = DatabaseFile(path: "\(path)\(Self.quarantineMark)\(number)")
    for suffix in Self.suffixes where rename(path + suffix, target.path + suffix) != 0 {
      guard errno == ENOENT else {
        throw StorageError(.notPermitted, "\(path)\(suffix) cannot be renamed (errno \(errno))")
      }
    }
    return target
  }

  /// The files that were set aside.
  var quarantined: [String] {
    let name = (path as NSString).lastPathComponent + Self.quarantineMark
    let files = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return files.filter { $0.hasPrefix(name) }.sorted().map { "\(directory)/\($0)" }
  }
}

extension DatabaseFile {
  /// Deletes the files, and overwrites what they held, which takes no more room than they have.
  ///
  /// Who has them open is left with what nobody can open any more, and finds the new file at his
  /// next call.
  func delete() throws(StorageError) {
    for suffix in Self.suffixes {
      let size = size(suffix)
      let held = suffix == "-shm" ? nil : FileHandle(forUpdatingAtPath: path + suffix)
      guard unlink(path + suffix) == 0 || errno == ENOENT else {
        throw StorageError(.notPermitted, "\(path)\(suffix) cannot be deleted (errno \(errno))")
      }
      let zeros = Data(count: 1 << 16)
      for start in stride(from: 0, to: size, by: zeros.count) {
        try? held?.write(contentsOf: zeros.prefix(size - start))
      }
      try? held?.close()
    }
  }

  /// Deletes the files that were set aside.
  func deleteQuarantined() {
    for path in quarantined { unlink(path) }
  }
}
