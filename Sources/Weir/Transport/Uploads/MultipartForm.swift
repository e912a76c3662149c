import Foundation

/// A body of `multipart/form-data` (RFC 7578) that is built part by part. Pure: files are only named.
struct MultipartForm {
  private let boundary: String
  private(set) var segments: [HTTPStreamedBody.Segment] = []
  private var text: [UInt8] = []

  /// - Parameter boundary: What no part contains. A random one need not be looked for: 122 random bits
  ///   do not occur by accident.
  init(boundary: String = "weir-\(UUID().uuidString)") {
    self.boundary = boundary
  }

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

  /// Nothing can be added afterwards.
  mutating func end() {
    text += "--\(boundary)--\r\n".utf8
    segments.append(.bytes(text))
    text = []
  }

  private mutating func begin(_ name: String) {
    text += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"".utf8
  }

  /// As browsers do (HTML standard, section "Multipart form data"): UTF-8, and three characters as
  /// percent and number.
  private func escaped(_ filename: String) -> String {
    var escaped = ""
    for scalar in filename.unicodeScalars {
      switch scalar {
      case "\"": escaped += "%22"
      case "\r": escaped += "%0D"
      case "\n": escaped += "%0A"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
