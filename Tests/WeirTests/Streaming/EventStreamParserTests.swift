import Testing

@testable import Weir

@Suite("Event streams")
struct EventStreamParserTests {
  struct Sample: Sendable, CustomStringConvertible {
    let description: String
    let text: String
    let events: [EventStreamParser.Event]

    init(_ description: String, _ text: String, _ events: (String, String)...) {
      self.description = description
      self.text = text
      self.events = events.map { EventStreamParser.Event(name: $0.0, data: Array($0.1.utf8)) }
    }
  }

  static let samples = [
    Sample("nothing", ""),
    Sample("LF", "data: a\n\ndata: b\n\n", ("", "a"), ("", "b")),
    Sample("CR", "data: a\r\rdata: b\r\r", ("", "a"), ("", "b")),
    Sample("CRLF", "data: a\r\n\r\ndata: b\r\n\r\n", ("", "a"), ("", "b")),
    Sample("mixed line ends", "data: a\r\ndata: b\rdata: c\n\r\n", ("", "a\nb\nc")),
    Sample("several data lines", "data: {\ndata:\ndata: }\n\n", ("", "{\n\n}")),
    Sample("one space is dropped, not two", "data:  a \n\ndata:b\n\n", ("", " a "), ("", "b")),
    Sample("comments", ":\n: hi\n\n:data: x\ndata: a\n:\n\n", ("", "a")),
    Sample(
      "names", "event: next\ndata: a\n\nevent: complete\ndata: \n\n", ("next", "a"),
      ("complete", "")),
    Sample("a name without data", "event: complete\n\n", ("complete", "")),
    Sample(
      "a name counts for one event", "event: a\ndata: 1\n\ndata: 2\n\n", ("a", "1"), ("", "2")),
    Sample("fields without a colon", "data\ndata\nevent\n\n", ("", "\n")),
    Sample("unknown fields, and case", "Data: x\nfoo: y\n data: z\ndata: a\n\n", ("", "a")),
    Sample("colons in the value", "data: a:b: c\n\n", ("", "a:b: c")),
    Sample("a byte order mark", "\u{FEFF}data: a\n\n\u{FEFF}data: b\n\n", ("", "a")),
    Sample("the last event unterminated", "data: a\n\ndata: b\n", ("", "a"), ("", "b")),
    Sample("the last line unterminated", "event: next\ndata: b", ("next", "b")),
    Sample("blank lines", "\n\r\n\rdata: a\n\n\n\n", ("", "a")),
    Sample("not ASCII", "data: \u{1F600}é\u{2028}\u{85}\n\n", ("", "\u{1F600}é\u{2028}\u{85}")),
    Sample(
      "id and retry", "id: 7\nretry: 250\ndata: a\n\nid\nretry: soon\nretry: 1.5\nid: 8\n\n",
      ("", "a")),
  ]

  private func events(_ pieces: [[UInt8]]) throws -> [EventStreamParser.Event] {
    var parser = EventStreamParser()
    var found: [EventStreamParser.Event] = []
    for piece in pieces {
      parser.append(piece)
      while let event = try parser.next() { found.append(event) }
    }
    parser.finish()
    while let event = try parser.next() { found.append(event) }
    return found
  }

  @Test("Event streams follow the standard however the bytes are split (H5)", arguments: samples)
  func rules(sample: Sample) throws {
    for pieces in Splitting.all(Array(sample.text.utf8)) {
      #expect(try events(pieces) == sample.events)
    }
  }

  @Test("The last valid id and retry time are kept, and invalid ones are ignored (H5)")
  func resumption() throws {
    var parser = EventStreamParser()
    parser.append(
      Array(
        "id: 7\nretry: 250\nid: 8\0\nid: 9\u{1}\nid: \u{7F}\nid:  \t\nretry: -1\nretry: 99999999999999999999\n\n"
          .utf8))
    #expect(try parser.next() == nil)
    #expect(parser.lastEventID == "7")
    #expect(parser.retryMilliseconds == 250)
  }

  @Test("An id that no header field has room for is ignored (H5)")
  func longID() throws {
    var parser = EventStreamParser()
    let id = String(repeating: "7", count: 4_096)
    parser.append(Array("id: \(id)\nid: \(id)7\ndata: a\n\n".utf8))
    #expect(try parser.next() != nil)
    #expect(parser.lastEventID == id)
  }

  @Test("An id counts as soon as its event is complete (H5)")
  func idOfUnfinishedEvent() throws {
    var parser = EventStreamParser()
    parser.append(Array("id: 7\ndata: a\n\nid: 8\ndata: b\n".utf8))
    #expect(try parser.next() != nil)
    #expect(try parser.next() == nil)
    #expect(parser.lastEventID == "7")
    parser.append(Array("\nid: 9\n".utf8))
    #expect(try parser.next() != nil)
    #expect(try parser.next() == nil)
    #expect(parser.lastEventID == "8")
    parser.append(Array("data: c".utf8))
    #expect(try parser.next() == nil)
    parser.finish()
    #expect(try parser.next() != nil)
    #expect(parser.lastEventID == "9")
  }

  @Test("An event that is too large is an error before it is buffered (H5)")
  func limit() throws {
    for text in ["data: 0123456789", "data: 01\ndata: 23\ndata: 45\ndata: 67"] {
      var parser = EventStreamParser(limit: 12)
      #expect {
        for byte in text.utf8 {
          parser.append([byte])
          _ = try parser.next()
        }
      } throws: { ($0 as? StreamFormatError)?.code == .tooLarge }
    }
    var parser = EventStreamParser(limit: 12)
    for _ in 0..<100 {
      parser.append(Array("data: 0123\n\n".utf8))
      #expect(try parser.next() != nil)
    }
  }
}
