import Dispatch
import Foundation

/// A streamed body on disk, which is deleted with this object.
///
/// `URLSession` sends a file with its length and a bounded share of it in memory, on every platform.
/// A stream it sends without a length, and on Linux it starts none afresh.
final class RequestBodyFile: Sendable {
  let url: URL

  private init(_ url: URL) {
    self.url = url
  }

  deinit {
    // There may be none, if it could not be made.
    try? FileManager.default.removeItem(at: url)
  }

  /// Writes a body to disk, on a thread of its own: files block.
  static func write(_ body: HTTPStreamedBody) async throws(HTTPTransportError) -> RequestBodyFile {
    let isCancelled = Locked(false)
    let result: Result<RequestBodyFile, HTTPTransportError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        DispatchQueue.global(qos: .utility).async {
          continuation.resume(
            returning: Result { () throws(HTTPTransportError) in
              try write(body) { isCancelled.withLock { $0 } }
            })
        }
      }
    } onCancel: {
      isCancelled.withLock { $0 = true }
    }
    return try result.get()
  }

  private static func write(
    _ body: HTTPStreamedBody, unless isCancelled: () -> Bool
  ) throws(HTTPTransportError) -> RequestBodyFile {
    let process = ProcessInfo.processInfo.processIdentifier
    let name = "weir-upload-\(process)-\(UUID().uuidString)"
    let file = RequestBodyFile(FileManager.default.temporaryDirectory.appending(path: name))
    do {
      // Uploads may be private; the folder may be everybody's.
      guard
        FileManager.default.createFile(
          atPath: file.url.path(percentEncoded: false), contents: nil,
          attributes: [.posixPermissions: 0o600])
      else { throw UploadError(.temporaryStorage) }
      let handle = try FileHandle(forWritingTo: file.url)
      var reader = body.makeReader()
      while let chunk = try reader.next() {
        guard !isCancelled() else { throw HTTPTransportError.cancelled }
        try handle.write(contentsOf: chunk)
      }
      try handle.close()
      return file
    } catch let error as HTTPTransportError {
      throw error
    } catch {
      let cause = error as? UploadError ?? UploadError(.temporaryStorage, underlying: error)
      throw HTTPTransportError(.invalidRequest, cause.description, underlying: cause)
    }
  }
}
