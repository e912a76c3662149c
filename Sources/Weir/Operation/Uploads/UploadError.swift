public import Foundation

/// Why a file cannot be uploaded: what stands under an ``OperationError`` with the code
/// ``OperationError/Code/upload``. Nothing has been sent then, but for ``Reason/changed``.
public struct UploadError: Error, Sendable, CustomStringConvertible {
  /// What is wrong with the file.
  public enum Reason: String, Hashable, Sendable {
    /// There is none at that place.
    case missing
    /// It cannot be opened or read.
    case unreadable
    /// It is a folder, or anything else that is no file.
    case notAFile
    /// It has become shorter while it was sent.
    case changed
    /// Its media type is not one: it has a line break or the like.
    case mediaType
    /// There is no disk space for the request's body, or none that can be written to.
    case temporaryStorage
  }

  /// What is wrong.
  public var reason: Reason
  /// The place of the upload in the variables, such as `input.files.0`; empty if no single one is to
  /// blame.
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

  /// A sentence with the place in the variables; never the file's.
  public var description: String {
    let what = path.isEmpty ? "An upload" : "The upload at \(path)"
    return switch reason {
    case .missing: "\(what) is a file that is not there."
    case .unreadable: "\(what) is a file that cannot be read."
    case .notAFile: "\(what) is no file."
    case .changed: "\(what) is a file that has changed while it was sent."
    case .mediaType: "\(what) has a media type that cannot be sent."
    case .temporaryStorage: "The body of the request cannot be written to disk."
    }
  }
}

extension UploadError {
  /// The same with the place of the file, which who reads the body does not know.
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
