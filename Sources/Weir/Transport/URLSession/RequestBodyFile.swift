import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A streamed body on disk, sent with its length and with a bounded part of it in memory. The file
/// exists as long as this object.
///
/// On Linux the open file has no name, so nothing is left behind, however the process ends. On Apple's
/// platforms, a later process removes the files of one that was killed.
final class RequestBodyFile: Sendable {
  /// The URL under which the file is opened for sending.
  private let url: URL
  private let isNamed: Bool
  private let handle: FileHandle
  private let length: Int

  /// Makes an empty file.
  private init(length: Int) throws {
    guard let file = FileHandle.temporary("upload") else {
      throw UploadError(.temporaryStorage)
    }
    self.length = length
    handle = file.handle
    #if os(Linux)
      // Opens the same file from its start, as long as `handle` is open, which is until the session
      // has ended the task; unless the process has no access to that folder.
      let open = URL(filePath: "/proc/self/fd/\(handle.fileDescriptor)")
      if (try? FileHandle(forReadingFrom: open)) != nil {
        (url, isNamed) = (open, false)
        try FileManager.default.removeItem(at: file.url)
        return
      }
    #endif
    (url, isNamed) = (file.url, true)
  }

  /// Makes a task that sends the file as the body of a request.
  func task(for request: URLRequest, in session: URLSession) -> URLSessionDataTask {
    #if canImport(FoundationNetworking)
      // On Linux, `uploadTask(with:fromFile:)` reads ahead while the transfer is paused, and
      // resumes it even if it has ended meanwhile, which traps (`unpauseSend`). A stream is read on
      // demand, but Foundation does not ask for its length, and libcurl then sends chunks. It does
      // not if it is given the length, and its own `Transfer-Encoding` is replaced by a blank one,
      // which it omits.
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

  /// Writes a body to disk on a dispatch queue, because reading and writing files blocks.
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
    do {
      let file = try RequestBodyFile(length: body.length)
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
