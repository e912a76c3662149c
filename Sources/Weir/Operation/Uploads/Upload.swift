public import Foundation

/// A file that is sent as a variable, by the GraphQL multipart request specification.
///
/// Put it wherever a variable of the schema's upload type belongs: in a struct of yours, in a list,
/// in a dictionary. In the variables' JSON it is null; the contents follow in a part of their own,
/// one however often the same file is used. Files are streamed from disk; they are opened when the
/// operation is executed, and must not change until then.
///
/// ```swift
/// struct AvatarVariables: Encodable { var user: String; var image: Upload }
/// let setAvatar = Mutation<AvatarData, AvatarVariables>(
///   "mutation SetAvatar($user: ID!, $image: Upload!) { setAvatar(user: $user, image: $image) { id } }")
///
/// let image = Upload(file: imageURL, mediaType: "image/jpeg")
/// let result = await client.mutate(setAvatar, AvatarVariables(user: "1", image: image))
/// ```
///
/// In variables without a type, name its place: ``GraphQLOperation/init(_:name:variables:uploads:context:)``.
///
/// Operations with different uploads have different keys. A file counts by its path; bytes in memory
/// are equal only to themselves, so such a key differs from one process to the next.
public struct Upload: Sendable, Hashable {
  enum Content: Sendable, Hashable {
    case file(URL)
    case bytes(UploadBytes)
  }

  let content: Content
  /// What the server is told that the file is called.
  public let filename: String
  /// What the server is told that the file contains, such as `image/png`.
  public let mediaType: String

  /// A file on disk.
  ///
  /// Nothing is read before the operation is executed. If there is no such file then, the result is
  /// an error with the code ``OperationError/Code/upload``.
  ///
  /// - Parameters:
  ///   - file: where it is; a file URL.
  ///   - filename: what it is called; the last component of its path if nil.
  ///   - mediaType: what it contains.
  public init(file: URL, filename: String? = nil, mediaType: String = "application/octet-stream") {
    content = .file(file.absoluteURL)
    self.filename = filename ?? file.lastPathComponent
    self.mediaType = mediaType
  }

  /// Bytes in memory.
  public init(
    bytes: [UInt8], filename: String, mediaType: String = "application/octet-stream"
  ) {
    content = .bytes(UploadBytes(bytes))
    self.filename = filename
    self.mediaType = mediaType
  }

  /// Data in memory.
  public init(data: Data, filename: String, mediaType: String = "application/octet-stream") {
    self.init(bytes: [UInt8](data), filename: filename, mediaType: mediaType)
  }
}

extension Upload: Encodable, JSONAttachment {
  /// Writes null, and tells the operation whose variables are encoded where the file belongs.
  ///
  /// - Throws: `EncodingError` if anything else is encoded: the file would be lost.
  public func encode(to encoder: any Encoder) throws {
    guard attach(to: encoder) else {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: "An Upload can only be encoded in the variables of an operation."))
    }
  }
}

/// Bytes that are told apart by who they are: to compare or hash megabytes would take too long.
final class UploadBytes: Sendable, Hashable {
  let bytes: [UInt8]
  /// Never used twice, unlike an address.
  let number: Int

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    number = Self.last.withLock { last in
      last += 1
      return last
    }
  }

  private static let last = Locked(0)

  static func == (left: UploadBytes, right: UploadBytes) -> Bool { left === right }

  func hash(into hasher: inout Hasher) {
    hasher.combine(number)
  }
}

/// An upload, and the place in the variables where it belongs.
package struct PlacedUpload: Sendable, Hashable {
  /// The way to it through the variables' JSON, such as `input.files.0`.
  package let path: String
  let upload: Upload

  /// What tells two uploads apart in an operation's identity. Each part carries its length, so that
  /// no two can be written alike.
  fileprivate var identity: String {
    let content =
      switch upload.content {
      case .file(let url): url.absoluteString
      case .bytes(let bytes): "#\(bytes.number)"
      }
    return [path, content, upload.filename, upload.mediaType]
      .map { "\($0.utf8.count):\($0)" }.joined()
  }
}

extension [PlacedUpload] {
  /// What sets the scope of an operation apart; nil if there are none. Another scope begins with a
  /// digit.
  var scope: String? {
    isEmpty ? nil : "uploads(" + map(\.identity).joined() + ")"
  }
}
