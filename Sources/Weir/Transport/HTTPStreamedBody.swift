public import Foundation

/// A request body that is read while it is sent: pieces, some of which lie in files.
///
/// Its length is known, so it needs no chunked encoding, which some servers refuse. A transport of
/// your own sends it piece by piece:
///
/// ```swift
/// var reader = body.makeReader()
/// while let chunk = try reader.next() { try await connection.write(chunk) }
/// ```
public struct HTTPStreamedBody: Sendable {
  /// A piece of the body.
  public enum Segment: Sendable {
    /// Bytes.
    case bytes([UInt8])
    /// The first `length` bytes of a file.
    case file(URL, length: Int)
  }

  /// The pieces, in order.
  public var segments: [Segment]
  /// What a transport calls with the number of bytes that it has sent so far, as often as it likes; a
  /// smaller number than before means that it began again.
  public var reportProgress: (@Sendable (Int) -> Void)?

  /// A body of pieces.
  public init(_ segments: [Segment], reportProgress: (@Sendable (Int) -> Void)? = nil) {
    self.segments = segments
    self.reportProgress = reportProgress
  }

  /// The number of bytes, for `Content-Length`.
  public var length: Int {
    segments.reduce(0) { length, segment in
      switch segment {
      case .bytes(let bytes): length + bytes.count
      case .file(_, let bytes): length + bytes
      }
    }
  }

  /// Starts to read, from the beginning.
  public func makeReader() -> Reader {
    Reader(segments)
  }

  /// Reads a streamed body, one chunk of at most 64 KiB at a time. It blocks while it reads a file.
  public struct Reader {
    private var segments: ArraySlice<Segment>
    private var file: FileHandle?
    /// How much of the open file, or of the bytes, was read.
    private var offset = 0

    fileprivate init(_ segments: [Segment]) {
      self.segments = segments[...]
    }

    /// The next chunk, never empty; nil at the end.
    ///
    /// - Throws: ``UploadError`` if a file cannot be read, or has become shorter than it was.
    public mutating func next() throws(UploadError) -> [UInt8]? {
      while let segment = segments.first {
        let chunk =
          switch segment {
          case .bytes(let bytes): Array(bytes[offset...].prefix(Self.chunkSize))
          case .file(let url, let length): try read(url, upTo: length)
          }
        offset += chunk.count
        if !chunk.isEmpty { return chunk }
        segments.removeFirst()
        (offset, file) = (0, nil)
      }
      return nil
    }

    private mutating func read(_ url: URL, upTo length: Int) throws(UploadError) -> [UInt8] {
      guard offset < length else { return [] }
      let data: Data?
      do {
        let file = try self.file ?? FileHandle(forReadingFrom: url)
        self.file = file
        data = try file.read(upToCount: min(Self.chunkSize, length - offset))
      } catch {
        throw UploadError(.unreadable, file: url, underlying: error)
      }
      guard let data, !data.isEmpty else { throw UploadError(.changed, file: url) }
      return [UInt8](data)
    }

    private static let chunkSize = 64 << 10
  }
}
