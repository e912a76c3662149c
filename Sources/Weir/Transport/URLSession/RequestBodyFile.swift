import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A streamed body on disk, which is deleted with this object. It is sent with its length, and with a
/// bounded share of it in memory.
final class RequestBodyFile: Sendable {
  private let url: URL
  private let length: Int

  private init(_ url: URL, length: Int) {
    self.url = url
    self.length = length
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
    // There may be none, if it could not be made.
    try? FileManager.default.removeItem(at: url)
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
    let file = RequestBodyFile(
      FileManager.default.temporaryDirectory.appending(path: name), length: body.length)
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
