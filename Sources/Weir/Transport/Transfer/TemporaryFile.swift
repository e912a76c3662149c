import Foundation

extension FileHandle {
  /// Creates and opens a temporary file that only the user can read, because its contents may be
  /// private. `purpose` is a part of its name. The result is nil if the file cannot be created.
  static func temporary(_ purpose: String) throws -> (url: URL, handle: FileHandle)? {
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
