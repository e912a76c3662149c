import Foundation

/// A queue of bytes on disk, for what a reader has no time for yet.
///
/// Its file has no name any more once it is open, so nothing is left behind, however the process
/// ends.
final class OverflowFile {
  private let handle: FileHandle
  private var written = 0
  private var taken = 0

  /// The bytes that were not taken yet.
  var count: Int { written - taken }

  init() throws {
    let process = ProcessInfo.processInfo.processIdentifier
    let url = FileManager.default.temporaryDirectory.appending(
      path: "weir-unread-\(process)-\(UUID().uuidString)")
    let path = url.path(percentEncoded: false)
    // Responses may be private; the folder may be everybody's.
    guard
      FileManager.default.createFile(
        atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
    else { throw CocoaError(.fileWriteUnknown) }
    defer { try? FileManager.default.removeItem(at: url) }
    handle = try FileHandle(forUpdating: url)
  }

  deinit {
    try? handle.close()
  }

  func append(_ bytes: [UInt8]) throws {
    try handle.seek(toOffset: UInt64(written))
    try handle.write(contentsOf: bytes)
    written += bytes.count
  }

  /// The next bytes, at most 64 KiB.
  func take() throws -> [UInt8] {
    try handle.seek(toOffset: UInt64(taken))
    guard let data = try handle.read(upToCount: min(64 << 10, count)), !data.isEmpty else {
      throw CocoaError(.fileReadCorruptFile)
    }
    taken += data.count
    return [UInt8](data)
  }
}
