package import Foundation

#if canImport(Android)
  import Android
#endif

extension FileHandle {
  /// Creates and opens a temporary file that only the user can read, because its contents may be
  /// private. `purpose` is a part of its name. The result is nil if the file cannot be created.
  static func temporary(_ purpose: String) -> (url: URL, handle: FileHandle)? {
    #if !os(Linux)
      _ = leftovers
    #endif
    let process = ProcessInfo.processInfo.processIdentifier
    let url = FileManager.default.temporaryDirectory.appending(
      path: "weir-\(purpose)-\(process)-\(UUID().uuidString)")
    let path = url.path(percentEncoded: false)
    // `FileManager` creates a file that others can read, and changes its permissions afterwards.
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    return (url, FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
  }
}

#if !os(Linux)
  /// Removes once what processes that were killed have left behind. On Linux, files lose their names
  /// as soon as they are open.
  private let leftovers: Void = FileManager.default.removeLeftovers(
    in: FileManager.default.temporaryDirectory)
#endif

extension FileManager {
  /// Deletes the temporary files of processes that do not exist any more; nothing whose name only
  /// resembles theirs, and no directory.
  package func removeLeftovers(in directory: URL) {
    let names = (try? contentsOfDirectory(atPath: directory.path)) ?? []
    for name in names where name.hasPrefix("weir-upload-") || name.hasPrefix("weir-unread-") {
      let parts = name.split(separator: "-", maxSplits: 3)
      guard parts.count == 4, let process = Int32(parts[2]), process > 0,
        UUID(uuidString: String(parts[3])) != nil, kill(process, 0) != 0, errno == ESRCH
      else { continue }
      // Unlike `removeItem`, it deletes no directory.
      unlink(directory.appending(path: name).path)
    }
  }
}
