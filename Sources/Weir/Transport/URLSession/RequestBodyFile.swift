import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A streamed body on disk, which is gone with this object. It is sent with its length, and with a
/// bounded share of it in memory.
///
/// On Linux its file has no name any more once it is open, so nothing is left behind, however the
/// process ends; elsewhere the system empties the folder.
final class RequestBodyFile: Sendable {
  /// Where it is opened to be sent.
  private let url: URL
  private let isNamed: Bool
  private let handle: FileHandle
  private let length: Int

  /// Makes an empty file.
  private init(_ file: URL, length: Int) throws {
    self.length = length
    #if os(Linux)
      let nameless = try Self.create(file)
      // Opens the same file from its beginning, for as long as we have it open, which is until the
      // session has ended the task; unless the process may not look there.
      let open = URL(filePath: "/proc/self/fd/\(nameless.fileDescriptor)")
      try FileManager.default.removeItem(at: file)
      if (try? FileHandle(forReadingFrom: open)) != nil {
        (url, handle, isNamed) = (open, nameless, false)
        return
      }
    #endif
    (url, handle, isNamed) = (file, try Self.create(file), true)
  }

  private static func create(_ file: URL) throws -> FileHandle {
    // Uploads may be private; the folder may be everybody's.
    guard
      FileManager.default.createFile(
        atPath: file.path(percentEncoded: false), contents: nil,
        attributes: [.posixPermissions: 0o600])
    else { throw UploadError(.temporaryStorage) }
    do {
      return try FileHandle(forUpdating: file)
    } catch {
      try? FileManager.default.removeItem(at: file)
      throw error
    }
  }

  /// A task that sends the file as the body of a request.
  func task(for request: URLRequest, in session: URLSession) -> URLSessionDataTask {
    #if canImport(FoundationNetworking)
      // Here `uploadTask(with:fromFile:)` reads ahead while the transfer is paused, and resumes it
      // even if it has ended meanwhile, which traps (`unpauseSend`). A stream is read when it is
      // needed, but its length is not asked for; curl sends chunks then, unless it is told the length
      // and is kept from its own header field by one that is blank, which it does not send.
      var request = request
      request.httpBodyStream = InputStream(url: url)
      request.setValue(String(length), forHTTPHeaderField: "Content-Length")
      request.setValue(" ", forHTTPHeaderField: "Transfer-Encoding")
      return session.dataTask(with: request)
    #else
      return session.uploadTask(with: request, fromFile: url)
    #endif
  }

  deinit {
    try? handle.close()
    if isNamed { try? FileManager.default.removeItem(at: url) }
  }

  /// Writes a body to disk, on a thread of its own: files block.
  static func write(_ body: HTTPStreamedBody) async throws(HTTPTransportError) -> RequestBodyFile {
    let isCancelled = Locked(false)
    let result: Result<RequestBodyFile, HTTPTransportError> = await withCancellableContinuation {
      continuation in
      DispatchQueue.global(qos: .utility).async {
        continuation.resume(
          returning: Result { () throws(HTTPTransportError) in
            try write(body) { isCancelled.withLock { $0 } }
          })
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
    do {
      let file = try RequestBodyFile(
        FileManager.default.temporaryDirectory.appending(path: name), length: body.length)
      var reader = body.makeReader()
      while let chunk = try reader.next() {
        guard !isCancelled() else { throw HTTPTransportError.cancelled }
        try file.handle.write(contentsOf: chunk)
      }
      return file
    } catch let error as HTTPTransportError {
      throw error
    } catch {
      let cause = error as? UploadError ?? UploadError(.temporaryStorage, underlying: error)
      throw HTTPTransportError(.invalidRequest, cause.description, underlying: cause)
    }
  }
}
