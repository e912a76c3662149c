import Foundation
import WeirNormalized

/// The files of a database: the file itself, its write-ahead log and the log's index.
struct DatabaseFile: Hashable, Sendable {
  let path: String

  /// The path is empty for a URL that names no file.
  ///
  /// A symbolic link is followed, as SQLite does: the other files are beside its target, and it is the target
  /// that is renamed or deleted.
  init(_ url: URL) {
    var path = url.isFileURL ? url.absoluteURL.standardizedFileURL.path : ""
    // As many links as SQLite follows. It refuses a longer chain, and links that lead in circles.
    for _ in 0..<200 {
      guard
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
      else { break }
      let directory = (path as NSString).deletingLastPathComponent
      path = target.hasPrefix("/") ? target : "\(directory)/\(target)"
    }
    self.path = path
  }

  init(path: String) {
    self.path = path
  }

  /// The suffixes of the files, in the order in which they are renamed or deleted.
  static let suffixes = ["-wal", "-shm", ""]

  var directory: String { (path as NSString).deletingLastPathComponent }

  /// The same file, by the path of its directory without symbolic links. The file may be missing.
  var withoutLinks: DatabaseFile {
    let directory = URL(fileURLWithPath: directory).resolvingSymlinksInPath().path
    let name = (path as NSString).lastPathComponent
    return DatabaseFile(path: "\(directory)/\(name)")
  }

  /// Identifies a file; another file at the same path has another identity.
  struct Identity: Hashable {
    var device: UInt64
    var inode: UInt64
  }

  /// The identity of the file at the path now; nil if there is none.
  var identity: Identity? {
    status().map {
      Identity(device: UInt64(truncatingIfNeeded: $0.st_dev), inode: UInt64($0.st_ino))
    }
  }

  var isDirectory: Bool { status().map { $0.st_mode & S_IFMT == S_IFDIR } ?? false }

  /// Returns the size of one of the files in bytes; 0 if it does not exist.
  func size(_ suffix: String) -> Int { status(suffix).map { Int($0.st_size) } ?? 0 }

  private func status(_ suffix: String = "") -> stat? {
    var status = stat()
    return stat(path + suffix, &status) == 0 ? status : nil
  }

  /// Creates an empty file that only its owner may read, unless there is a file already. SQLite gives
  /// the files beside it the same permissions.
  ///
  /// Only while ``FileLock`` is held: closing any descriptor of a database releases SQLite's locks.
  func create() {
    // If that fails, SQLite reports the reason.
    Self.create(path)
  }

  private static func create(_ path: String) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 { close(descriptor) }
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

// MARK: - Ownership

extension DatabaseFile {
  /// A storage puts an empty file with this suffix beside a file that it has opened.
  private static let ownerMark = "-weir"

  /// Whether a storage has made the file or opened it before. Any other file is left alone.
  var isOurs: Bool {
    if FileManager.default.fileExists(atPath: path + Self.ownerMark) { return true }
    // Closing it releases SQLite's locks, but nobody has it open as a database.
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? file.close() }
    // https://sqlite.org/fileformat.html, section 1.3 "The Database Header"
    let header = (try? file.read(upToCount: 72)) ?? Data()
    let id = withUnsafeBytes(of: Schema.applicationID.bigEndian, Array.init)
    return Array(header.dropFirst(68)) == id
  }

  /// Notes that the file is ours, so that it can be recognized when it is damaged.
  func markAsOurs() {
    // Without the mark, the header shows it.
    Self.create(path + Self.ownerMark)
  }
}

// MARK: - Quarantine

extension DatabaseFile {
  private static let quarantineMark = ".damaged-"
  /// An empty file with this suffix is beside a file that is set aside until its records are in the new
  /// file.
  private static let unfinishedMark = "-unfinished"

  /// Renames the files to the first free name in the same directory. Call `finishQuarantine(of:)` or
  /// `undoQuarantine(of:)` afterwards; only one file stays aside, because damage at each start must not
  /// fill the disk.
  ///
  /// The log is renamed first. A log without a database is ignored, but SQLite would apply an old
  /// log beside a new database to that database.
  func quarantine() throws(StorageError) -> DatabaseFile {
    var number = 1
    while FileManager.default.fileExists(atPath: "\(path)\(Self.quarantineMark)\(number)") {
      number += 1
    }
    let target = DatabaseFile(path: "\(path)\(Self.quarantineMark)\(number)")
    Self.create(target.path + Self.unfinishedMark)
    for suffix in Self.suffixes where rename(path + suffix, target.path + suffix) != 0 {
      guard errno == ENOENT else {
        throw StorageError(.notPermitted, "Cannot rename \(path)\(suffix) (errno \(errno))")
      }
    }
    for suffix in Self.suffixes { chmod(target.path + suffix, 0o600) }
    return target
  }

  /// Notes that nothing more is copied from a file that was set aside. Deletes those that were set aside
  /// before.
  func finishQuarantine(of damaged: DatabaseFile) {
    unlink(damaged.path + Self.unfinishedMark)
    let kept = Self.suffixes.map { damaged.path + $0 }
    for path in quarantined() where !kept.contains(path) { unlink(path) }
  }

  /// Puts a file that was set aside in the place of the new one, which does not have its records yet.
  ///
  /// The log is renamed last, because SQLite would apply it to the new file. A process that is
  /// killed meanwhile leaves the mark, and the next one continues.
  func undoQuarantine(of damaged: DatabaseFile) throws(StorageError) {
    if damaged.identity != nil { try delete() }
    for suffix in Self.suffixes.reversed() where rename(damaged.path + suffix, path + suffix) != 0 {
      guard errno == ENOENT else {
        throw StorageError(
          .notPermitted, "Cannot rename \(damaged.path)\(suffix) (errno \(errno))")
      }
    }
    unlink(damaged.path + Self.unfinishedMark)
  }

  /// The file that was set aside by somebody who was killed before the new file had its records.
  var unfinishedQuarantine: DatabaseFile? {
    quarantined([Self.unfinishedMark]).last.map {
      DatabaseFile(path: String($0.dropLast(Self.unfinishedMark.count)))
    }
  }

  /// The paths of the files that were set aside as damaged.
  private func quarantined(
    _ suffixes: [String] = Self.suffixes + [Self.unfinishedMark]
  ) -> [String] {
    let name = (path as NSString).lastPathComponent + Self.quarantineMark
    let files = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return files.filter { file in
      guard file.hasPrefix(name) else { return false }
      let rest = file.dropFirst(name.count)
      return suffixes.contains { rest.hasSuffix($0) && UInt(rest.dropLast($0.count)) != nil }
    }.sorted().map { "\(directory)/\($0)" }
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
    for path in quarantined() { unlink(path) }
  }
}
