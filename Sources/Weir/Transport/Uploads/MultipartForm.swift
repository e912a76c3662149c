import Foundation

/// A `multipart/form-data` body (RFC 7578), built part by part. Files are referenced, not opened.
struct MultipartForm {
  /// It has 122 random bits, so that the parts need not be searched for it.
  private let boundary = "weir-\(UUID().uuidString)"
  private(set) var segments: [HTTPStreamedBody.Segment] = []
  private var text: [UInt8] = []

  var contentType: String { "multipart/form-data; boundary=\(boundary)" }

  mutating func addField(_ name: String, _ value: [UInt8]) {
    begin(name)
    text += "\r\n\r\n".utf8
    text += value
    text += "\r\n".utf8
  }

  mutating func addFile(
    _ name: String, filename: String, mediaType: String, _ content: HTTPStreamedBody.Segment
  ) {
    begin(name)
    text += "; filename=\"\(escaped(filename))\"\r\nContent-Type: \(mediaType)\r\n\r\n".utf8
    segments += [.bytes(text), content]
    text = Array("\r\n".utf8)
  }

  /// Completes the body; nothing can be added afterwards.
  mutating func end() {
    text += "--\(boundary)--\r\n".utf8
    segments.append(.bytes(text))
    text = []
  }

  private mutating func begin(_ name: String) {
    text += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"".utf8
  }

  /// Escapes a name as browsers do (HTML standard, section "Multipart form data"): UTF-8, with
  /// three characters percent-encoded.
  private func escaped(_ filename: String) -> String {
    let escapes: [Unicode.Scalar: String] = ["\"": "%22", "\r": "%0D", "\n": "%0A"]
    return filename.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
  }
}
