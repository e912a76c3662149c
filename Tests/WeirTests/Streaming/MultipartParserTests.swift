import Testing

@testable import Weir

@Suite("Multipart bodies")
struct MultipartParserTests {
  struct Sample: Sendable, CustomStringConvertible {
    let description: String
    let boundary: String
    let text: String
    let parts: [String]
    var isClosed = true
  }

  static let samples = [
    Sample(
      description: "RFC 2046's example", boundary: "simple boundary",
      text: "This is the preamble.\r\n--simple boundary\r\n\r\nOne\r\nTwo"
        + "\r\n--simple boundary\r\nContent-type: text/plain; charset=us-ascii\r\n\r\nThree\r\n"
        + "\r\n--simple boundary--\r\n\r\nThe epilogue.\r\n--simple boundary\r\n\r\nno part\r\n",
      parts: ["One\r\nTwo", "Three\r\n"]),
    Sample(
      description: "the boundary -", boundary: "-",
      text:
        "---\r\nContent-Type: application/json\r\nContent-Length: 3\r\n\r\n[1]\r\n---\r\n\r\n[2]\r\n-----\r\n",
      parts: ["[1]", "[2]"]),
    Sample(
      description: "an empty preamble line, padding, LF alone", boundary: "a",
      text: "\n--a \t\nX: y\n\n[1]\n--a\n\n[2]\n--a--", parts: ["[1]", "[2]"]),
    Sample(
      description: "no opening boundary", boundary: "graphql",
      text:
        "\r\nContent-Type: application/json\r\n\r\n{}\r\n--graphql\r\n\r\n[1]\r\n--graphql\r\n\r\n--graphql--\r\n",
      parts: ["[1]"]),
    Sample(
      description: "empty parts", boundary: "a", text: "--a\r\n--a\r\n\r\n\r\n--a\r\nX: y\r\n--a--",
      parts: []),
    Sample(
      description: "text that resembles a delimiter", boundary: "abc",
      text: "--ab\r\n--abc\r\n\r\n[\r\n--ab\r\n-\r\n--abd--abc\r\n\r\n--\r\n]\r\n--abc--",
      parts: ["[\r\n--ab\r\n-\r\n--abd--abc\r\n\r\n--\r\n]"]),
    Sample(
      description: "wrong lengths", boundary: "-",
      text: "---\r\nContent-Length: 4\r\n\r\n{\"a\":\"é\"}\r\n---\r\nContent-Length: 900\r\n\r\n[2]"
        + "\r\n---\r\nContent-Length: 1\r\n\r\n[3,\r\n4]\r\n---\r\nContent-Length: x\r\n\r\n[5]\r\n-----",
      parts: ["{\"a\":\"é\"}", "[2]", "[3,\r\n4]", "[5]"]),
    Sample(
      description: "a missing closing boundary", boundary: "-",
      text: "---\r\n\r\n[1]\r\n---\r\n\r\n[2]\r\n---\r\n", parts: ["[1]", "[2]"], isClosed: false),
    Sample(
      description: "a complete last part without a delimiter", boundary: "-",
      text: "---\r\n\r\n[1]\r\n---\r\n\r\n[2]", parts: ["[1]", "[2]"], isClosed: false),
    Sample(
      description: "half a last part", boundary: "-",
      text: "---\r\n\r\n[1]\r\n---\r\n\r\n{\"a\":\"}",
      parts: ["[1]"], isClosed: false),
    Sample(
      description: "half a delimiter", boundary: "abc", text: "--abc\r\n\r\n[1]\r\n--ab",
      parts: ["[1]"], isClosed: false),
    Sample(description: "nothing", boundary: "-", text: "", parts: [], isClosed: false),
    Sample(description: "only the end", boundary: "-", text: "-----\r\n", parts: []),
  ]

  private func parts(
    _ pieces: [[UInt8]], _ boundary: String
  ) -> (parts: [[UInt8]], error: StreamFormatError?) {
    var parser = MultipartParser(boundary: boundary)
    var found: [[UInt8]] = []
    do throws(StreamFormatError) {
      for piece in pieces {
        parser.append(piece)
        while let part = try parser.next() { found.append(part) }
      }
      parser.finish()
      while let part = try parser.next() { found.append(part) }
      return (found, parser.isClosed ? nil : StreamFormatError(.badPayload, "not closed"))
    } catch {
      return (found, error)
    }
  }

  @Test("Parts are found however the bytes are split (H5)", arguments: samples)
  func rules(sample: Sample) {
    for pieces in Splitting.all(Array(sample.text.utf8)) {
      let (parts, error) = parts(pieces, sample.boundary)
      #expect(parts.map { String(decoding: $0, as: UTF8.self) } == sample.parts)
      #expect(error?.code == (sample.isClosed ? nil : .endedEarly))
    }
  }

  @Test("However many header fields a part has, none is kept (H5)")
  func headers() throws {
    var parser = MultipartParser(boundary: "a", limit: 40)
    parser.append(Array("--a\r\n".utf8))
    for number in 0..<1000 {
      #expect(try parser.next() == nil)
      parser.append(Array("X-\(number): b\r\n".utf8))
    }
    #expect(try parser.next() == nil)
    #expect(String(describing: parser).utf8.count < 1000)
    parser.append(Array("nonsense\r\nContent-Length:3\r\n\r\n[1]".utf8))
    #expect(try parser.next() == Array("[1]".utf8))
  }

  @Test(
    "A part is delivered as soon as its delimiter begins or its length is reached (H5)",
    arguments: [
      "---\r\n\r\n{\"a\":1}\r\n---", "---\r\nContent-Length: 7\r\n\r\n{\"a\":1}",
      "---\r\ncontent-length: 9\r\n\r\n{\"a\":1}\r\n",
    ])
  func prompt(text: String) throws {
    var parser = MultipartParser(boundary: "-")
    parser.append(Array(text.utf8))
    #expect(try parser.next().map { $0.starts(with: Array("{\"a\":1}".utf8)) } == true)
    parser.append(Array("\r\n---\r\n\r\n[2]\r\n-----".utf8))
    if text.hasSuffix("---") { parser.append(Array("\r\n\r\n[2]\r\n-----".utf8)) }
    #expect(try parser.next() == Array("[2]".utf8))
    #expect(try parser.next() == nil)
    #expect(parser.isClosed)
  }

  @Test("A length that counts the line end before the delimiter loses no part (H5)")
  func lengthWithLineEnd() {
    let part = "Content-Length: 9\r\n\r\n{\"a\":1}\r\n"
    let text = "--a\r\n\(part)--a\r\n\(part)--a--"
    for pieces in Splitting.all(Array(text.utf8)) {
      let (parts, error) = parts(pieces, "a")
      #expect(parts.count == 2 && error == nil)
    }
  }

  @Test("A part or header that is too large is an error before it is buffered (H5)")
  func limit() {
    for text in ["---\r\n\r\n[1234567890123]", "---\r\nX: 1234567890123"] {
      var parser = MultipartParser(boundary: "-", limit: 12)
      #expect {
        for byte in text.utf8 {
          parser.append([byte])
          _ = try parser.next()
        }
      } throws: { ($0 as? StreamFormatError)?.code == .tooLarge }
    }
  }

  @Test(
    "Media types are parsed in the forms that servers use (H5)",
    arguments: [
      ("multipart/mixed; boundary=\"-\"", "-"), ("Multipart/Mixed;boundary=-", "-"),
      ("multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json", "graphql"),
      ("multipart/mixed; deferSpec=20220824; Boundary = \"a;b\\\"c\"", "a;b\"c"),
      ("multipart/mixed; boundary=----=_Part:1; x", "----=_Part:1"),
      ("multipart/mixed", nil), ("multipart/mixed;;boundary", nil),
    ] as [(String, String?)])
  func mediaTypes(field: String, boundary: String?) {
    let type = MediaType(field)
    #expect(type.essence == "multipart/mixed")
    #expect(type["boundary"] == boundary)
  }
}
