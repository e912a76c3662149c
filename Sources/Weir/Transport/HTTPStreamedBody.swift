public import Foundation

/// A request body that is read while it is sent: a list of segments, in memory or in files.
///
/// The length is known in advance, so the body needs no chunked encoding, which some servers
/// refuse. A custom transport sends it chunk by chunk:
///
/// ```swift
/// var reader = body.makeReader()
/// while let chunk = try reader.next() { try await connection.write(chunk) }
/// ```
public struct HTTPStreamedBody: Sendable {
  /// A part of the body.
  public enum Segment: Sendable {
    /// Bytes in memory.
    case bytes([UInt8])
    /// The first `length` bytes of a file.
    case file(URL, length: Int)
  }

  /// The segments, in order.
  public var segments: [Segment]
  /// A closure that a transport calls with the number of bytes sent so far, as often as it likes. A
  /// smaller number than before means that it started again.
  public var reportProgress: (@Sendable (Int) -> Void)?

  /// Makes a body of segments.
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

  /// Starts reading from the beginning.
  public func makeReader() -> Reader {
    Reader(segments)
  }

  /// Reads a streamed body in chunks of at most 64 KiB. It blocks while it reads a file.
  public struct Reader {
    private var segments: ArraySlice<Segment>
    private var file: FileHandle?
    /// The number of bytes read from the first segment.
    private var offset = 0
    /// Whether a chunk has been returned.
    private var hasBegun = false

    fileprivate init(_ segments: [Segment]) {
      self.segments = segments[...]
    }

    /// Returns the next chunk, which is never empty, or nil at the end.
    ///
    /// - Throws: ``UploadError`` if a file cannot be read or has become shorter.
    public mutating func next() throws(UploadError) -> [UInt8]? {
      while let segment = segments.first {
        let chunk =
          switch segment {
          case .bytes(let bytes): Array(bytes[offset...].prefix(Self.chunkSize))
          case .file(let url, let length): try read(url, upTo: length)
          }
        offset += chunk.count
        guard chunk.isEmpty else {
          hasBegun = true
          return chunk
        }
        segments.removeFirst()
        (offset, file) = (0, nil)
      }
      return nil
    }

    private mutating func read(_ url: URL, upTo length: Int) throws(UploadError) -> [UInt8] {
      guard offset < length else { return [] }
      let bytes: [UInt8]?
      do {
        let file = try self.file ?? FileHandle(forReadingFrom: url)
        self.file = file
        let count = min(Self.chunkSize, length - offset)
        // Otherwise all of a large file may be in memory until a loop over the chunks has ended.
        bytes = try withAutoreleasePool { try file.read(upToCount: count).map { [UInt8]($0) } }
      } catch {
        // What was read before may have been sent already.
        throw UploadError(hasBegun ? .changed : .unreadable, file: url, underlying: error)
      }
      guard let bytes, !bytes.isEmpty else { throw UploadError(.changed, file: url) }
      return bytes
    }

    private static let chunkSize = 64 << 10
  }
}
