package import Foundation

extension FileHandle {
  /// Creates and opens a temporary file that only the user can read, because its contents may be
  /// private. `purpose` is a part of its name. The result is nil if the file cannot be created.
  static func temporary(_ purpose: String) throws -> (url: URL, handle: FileHandle)? {
    _ = leftovers
    let process = ProcessInfo.processInfo.processIdentifier
    let url = FileManager.default.temporaryDirectory.appending(
      path: "weir-\(purpose)-\(process)-\(UUID().uuidString)")
    let path = url.path(percentEncoded: false)
    guard
      FileManager.default.createFile(
        atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
    else { return nil }
    do {
      return (url, try FileHandle(forUpdating: url))
    } catch {
      try? FileManager.default.removeItem(at: url)
      throw error
    }
  }
}

/// Removes once what processes that were killed have left behind. (On Linux, files lose their names
/// as soon as they are open.)
private let leftovers: Void = FileManager.default.removeLeftovers(
  in: FileManager.default.temporaryDirectory)

extension FileManager {
  /// Deletes the temporary files of processes that do not exist any more.
  package func removeLeftovers(in directory: URL) {
    let names = (try? contentsOfDirectory(atPath: directory.path)) ?? []
    for name in names where name.hasPrefix("weir-") {
      let parts = name.split(separator: "-")
      guard parts.count > 3, let process = Int32(parts[2]), kill(process, 0) != 0, errno == ESRCH
      else { continue }
      try? removeItem(at: directory.appending(path: name))
    }
  }
}
