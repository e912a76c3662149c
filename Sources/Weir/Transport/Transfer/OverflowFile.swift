import Foundation

/// A queue of bytes on disk, for the part of a body that was not read in time.
///
/// The file has no name while it is open, so nothing is left behind, however the process ends.
final class OverflowFile {
  private let handle: FileHandle
  private(set) var written = 0
  private var taken = 0

  /// The number of bytes that were not taken yet.
  var count: Int { written - taken }

  init() throws {
    guard let file = FileHandle.temporary("unread") else {
      throw CocoaError(.fileWriteUnknown)
    }
    handle = file.handle
    try? FileManager.default.removeItem(at: file.url)
  }

  deinit {
    try? handle.close()
  }

  func append(_ bytes: [UInt8]) throws {
    try handle.seek(toOffset: UInt64(written))
    try handle.write(contentsOf: bytes)
    written += bytes.count
  }

  /// Returns the next bytes, at most 64 KiB.
  func take() throws -> [UInt8] {
    try handle.seek(toOffset: UInt64(taken))
    guard let data = try handle.read(upToCount: min(64 << 10, count)), !data.isEmpty else {
      throw CocoaError(.fileReadCorruptFile)
    }
    taken += data.count
    return [UInt8](data)
  }
}
