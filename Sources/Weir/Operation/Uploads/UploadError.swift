public import Foundation

/// The reason why a file cannot be uploaded: the underlying error of an ``OperationError`` with the
/// code ``OperationError/Code/upload``. Except for ``Reason/changed``, nothing has been sent.
public struct UploadError: Error, Sendable, CustomStringConvertible {
  /// The kinds of problems.
  public enum Reason: String, Hashable, Sendable {
    /// The file does not exist.
    case missing
    /// The file cannot be opened or read.
    case unreadable
    /// The path leads to a folder or to something else that is not a file.
    case notAFile
    /// The file became shorter, or could not be read any more, while it was sent.
    case changed
    /// The media type is invalid: it contains a line break, for example.
    case mediaType
    /// The request's body cannot be written to disk.
    case temporaryStorage
  }

  /// The kind of the problem.
  public var reason: Reason
  /// The path of the upload in the variables, such as `input.files.0`; empty if the error does not
  /// belong to a single upload.
  public var path: String
  /// The file; nil for bytes in memory.
  public var file: URL?
  /// The error of the file system.
  public var underlying: (any Error)?

  init(_ reason: Reason, path: String = "", file: URL? = nil, underlying: (any Error)? = nil) {
    self.reason = reason
    self.path = path
    self.file = file
    self.underlying = underlying
  }

  /// A sentence with the path in the variables, but never the path of the file.
  public var description: String {
    let file = path.isEmpty ? "The file of an upload" : "The file of the upload at \(path)"
    return switch reason {
    case .missing: "\(file) does not exist."
    case .unreadable: "\(file) cannot be read."
    case .notAFile: "\(file) is not a regular file."
    case .changed: "\(file) changed while it was sent."
    case .mediaType: "\(file) has an invalid media type."
    case .temporaryStorage: "The body of the request cannot be written to disk."
    }
  }
}

extension UploadError {
  /// Returns the error with the path in the variables, which is unknown where the file is read.
  func placed(among uploads: [PlacedUpload]) -> UploadError {
    guard path.isEmpty, let file else { return self }
    var placed = self
    placed.path = uploads.first { $0.upload.content == .file(file) }?.path ?? ""
    return placed
  }
}

extension OperationError.Code {
  /// A file cannot be uploaded: see ``UploadError`` in ``OperationError/underlying``.
  public static let upload = OperationError.Code("upload")
}

extension OperationError {
  init(_ error: UploadError) {
    self.init(code: .upload, message: error.description, underlying: error)
  }
}
