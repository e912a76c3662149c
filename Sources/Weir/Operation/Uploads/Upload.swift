public import Foundation

/// A file that is sent as a variable (GraphQL multipart request specification).
///
/// Use it wherever a variable has the schema's upload type: in a struct of your own, in a list, in
/// a dictionary. In the variables' JSON it is null. The contents follow in a separate part, which
/// is sent once even if the same file is used several times.
///
/// Files are opened when the operation is executed, and large ones are never in memory as a whole.
/// ``URLSessionTransport`` first copies a request of more than 64 KiB to a temporary file, which needs
/// as much room on the disk; `CurlTransport` reads the files while it sends them. Do not change a file
/// before the result is there.
///
/// ```swift
/// nonisolated struct AvatarVariables: Encodable, Sendable { var user: String; var image: Upload }
/// let setAvatar = Mutation<AvatarData, AvatarVariables>(
///   "mutation SetAvatar($user: ID!, $image: Upload!) { setAvatar(user: $user, image: $image) { id } }")
///
/// let image = Upload(file: imageURL, mediaType: "image/jpeg")
/// let result = await client.mutate(setAvatar, AvatarVariables(user: "1", image: image))
/// ```
///
/// In variables in literal form, pass its path:
/// ``GraphQLOperation/init(_:name:variables:uploads:context:)``.
///
/// Operations with different uploads have different keys. Files are compared by path. Bytes in
/// memory are equal only to themselves, so no later process finds a saved result of such an operation.
/// A normalized cache neither answers nor stores queries with files, because it stores fields by their
/// arguments.
public struct Upload: Sendable, Hashable {
  enum Content: Sendable, Hashable {
    case file(URL)
    case bytes(UploadBytes)
  }

  let content: Content
  /// The file name that is sent to the server.
  public let filename: String
  /// The media type that is sent to the server, such as `image/png`.
  public let mediaType: String

  /// Creates an upload of a file on disk.
  ///
  /// The file is read when the operation is executed. If it is missing then, the result is an error
  /// with the code ``OperationError/Code/upload``.
  ///
  /// - Parameters:
  ///   - file: the file's URL.
  ///   - filename: the name to send; with nil, the last component of the path.
  ///   - mediaType: the media type to send.
  public init(file: URL, filename: String? = nil, mediaType: String = "application/octet-stream") {
    content = .file(file.absoluteURL)
    self.filename = filename ?? file.lastPathComponent
    self.mediaType = mediaType
  }

  /// Creates an upload of bytes in memory.
  public init(
    bytes: [UInt8], filename: String, mediaType: String = "application/octet-stream"
  ) {
    content = .bytes(UploadBytes(bytes))
    self.filename = filename
    self.mediaType = mediaType
  }

  /// Creates an upload of data in memory.
  public init(data: Data, filename: String, mediaType: String = "application/octet-stream") {
    self.init(bytes: [UInt8](data), filename: filename, mediaType: mediaType)
  }
}

extension Upload: Encodable, JSONAttachment {
  /// Writes null, and adds the file to the operation whose variables are encoded.
  ///
  /// - Throws: `EncodingError` if the value is not part of an operation's variables: the file would
  ///   be lost.
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

extension Upload: InputValue {
  /// Writes null, and adds the file to the operation's uploads.
  public func write(into output: inout InputWriter) { output.encoded(self) }
}

/// Bytes that are compared by identity: comparing or hashing megabytes would take too long.
final class UploadBytes: Sendable, Hashable {
  let bytes: [UInt8]
  /// Unique in the process, unlike an address.
  let number = LogicalInstant.next().ticks

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  static func == (left: UploadBytes, right: UploadBytes) -> Bool { left === right }

  func hash(into hasher: inout Hasher) {
    hasher.combine(number)
  }
}

/// An upload and its path in the variables.
package struct PlacedUpload: Sendable, Hashable {
  /// The path in the variables' JSON, such as `input.files.0`.
  package let path: String
  let upload: Upload

  fileprivate var isLasting: Bool {
    if case .file = upload.content { true } else { false }
  }

  /// Identifies the upload in an operation's identity. Each part carries its length, so that
  /// different uploads have different texts.
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
  /// The scope that distinguishes operations by their uploads; nil if there are none. (Other scopes
  /// begin with a digit.)
  var scope: String? {
    isEmpty ? nil : "uploads(" + map(\.identity).joined() + ")"
  }

  /// Whether the scope is the same in every process.
  var areLasting: Bool { allSatisfy(\.isLasting) }
}
