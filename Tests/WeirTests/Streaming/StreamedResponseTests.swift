import Testing

@testable import Weir

@Suite("Streamed responses", .timeLimit(.minutes(10)))
struct StreamedResponseTests {
  struct Sample: Sendable, CustomStringConvertible {
    let description: String
    let response: StrawberrySamples.Response
    var kind = GraphQLOperation.Kind.query
    /// The data of each result, with the messages of its errors.
    let results: [String]
  }

  private static let post = #""id":"p1","title":"Post 1""#
  private static let text =
    #""slowBody":"Body of post 1.\nSecond line \"quoted\" \u2013 \u00fcn\u00efc\u00f6d\u00e9.","views":10"#
  private static let deferredResults = [
    #"{"post":{\#(post),"author":{"name":"Ada Lovelace"}}}+"#,
    #"{"post":{\#(post),"author":{"name":"Ada Lovelace","bio":"Ada Lovelace writes."}}}+"#,
    #"{"post":{\#(post),"author":{"name":"Ada Lovelace","bio":"Ada Lovelace writes."},\#(text)}}"#,
  ]
  private static let feed = [
    #"{"id":"p1","title":"Post 1","author":{"name":"Ada Lovelace"}}"#,
    #"{"id":"p2","title":"Post 2","author":{"name":"Grace Hopper"}}"#,
    #"{"id":"p3","title":"Post 3","author":{"name":"Zo\u00eb M\u00fcller \ud83d\ude80"}}"#,
  ]

  static let samples = [
    Sample(description: "defer", response: StrawberrySamples.deferred, results: deferredResults),
    Sample(
      description: "defer as an event stream", response: StrawberrySamples.deferredSse,
      results: deferredResults),
    Sample(
      description: "defer with errors", response: StrawberrySamples.deferredError,
      results: [
        #"{"post":{"id":"p2"}}+"#,
        #"{"post":{"id":"p2","views":20,"broken":null}}+ Post p2 is broken"#,
        #"{"post":{"id":"p2","views":20,"broken":null}} Post p2 is broken, Post p2 is badly broken"#,
      ]),
    Sample(
      description: "stream", response: StrawberrySamples.streamed,
      results: [
        #"{"countdown":[4]}+"#, #"{"countdown":[4,3]}+"#, #"{"countdown":[4,3,2]}+"#,
        #"{"countdown":[4,3,2,1]}+"#, #"{"countdown":[4,3,2,1]}"#,
      ]),
    Sample(
      description: "stream with an error", response: StrawberrySamples.streamedError,
      results: [
        #"{"countdown":[4]}+"#, #"{"countdown":[4,3]}+"#,
        #"{"countdown":[4,3]} countdown failed at 2"#,
      ]),
    Sample(
      description: "stream of objects", response: StrawberrySamples.streamedObjects,
      results: [
        #"{"feed":[\#(feed[0])]}+"#, #"{"feed":[\#(feed[0]),\#(feed[1])]}+"#,
        #"{"feed":[\#(feed.joined(separator: ","))]}+"#,
        #"{"feed":[\#(feed.joined(separator: ","))]}"#,
      ]),
    Sample(
      description: "subscription as an event stream", response: StrawberrySamples.sse,
      kind: .subscription,
      results: [#"{"counter":1}+"#, #"{"counter":2}+"#, #"{"counter":3}+"#]),
    Sample(
      description: "subscription as an event stream, failing", response: StrawberrySamples.sseError,
      kind: .subscription, results: [#"{"counter":1}+"#, "none+ counter failed at 2"]),
    Sample(
      description: "subscription as an event stream, invalid",
      response: StrawberrySamples.sseValidationError, kind: .subscription,
      results: ["none+ Cannot query field 'nope' on type 'Subscription'."]),
    Sample(
      description: "subscription as multipart", response: StrawberrySamples.multipartSubscription,
      kind: .subscription, results: [#"{"counter":1}+"#, #"{"counter":2}+"#, #"{"counter":3}+"#]),
    Sample(
      description: "subscription as multipart, failing",
      response: StrawberrySamples.multipartSubscriptionError, kind: .subscription,
      results: [#"{"counter":1}+"#, "none+ counter failed at 2"]),
    Sample(
      description: "subscription as multipart, invalid",
      response: StrawberrySamples.multipartSubscriptionValidationError, kind: .subscription,
      results: ["none+ Cannot query field 'nope' on type 'Subscription'."]),
  ]

  func results(
    _ pieces: [[UInt8]], _ type: String, _ kind: GraphQLOperation.Kind
  ) async throws -> [String] {
    let body = HTTPBody(AsyncStream(pieces))
    let response = HTTPResponse(status: 200, headers: ["content-type": type], body: body)
    let feed = try #require(StreamedResponse.ifStreamed(response, kind: kind, limit: 1 << 20))
    var found: [String] = []
    do throws(OperationError) {
      while let result = try await feed.next() { found.append(result.written) }
    } catch {
      found.append("threw \(error.code)")
    }
    return found
  }

  private func normalized(_ results: [String]) throws -> [String] {
    try results.map { text in
      guard let end = text.lastIndex(of: "}") else { return text }
      return try JSON(parsing: String(text[...end])).value.description
        + text[text.index(after: end)...]
    }
  }

  @Test("Recorded responses are understood however they are split (H4, H6)", arguments: samples)
  func whole(sample: Sample) async throws {
    let expected = try normalized(sample.results)
    let bytes = sample.response.bytes
    // The parsers' own tests split long samples in two at every place.
    var ways = [sample.response.chunks.map { Array($0.utf8) }, [bytes], bytes.map { [$0] }]
    ways += Splitting.all(bytes).suffix(20)
    for pieces in ways {
      #expect(try await results(pieces, sample.response.contentType, sample.kind) == expected)
    }
  }

  @Test(
    "A response that is truncated anywhere keeps what arrived, with a typed error (H4)",
    arguments: samples
  )
  func cut(sample: Sample) async throws {
    let whole = try normalized(sample.results)
    let bytes = sample.response.bytes
    for length in stride(from: 0, to: bytes.count, by: 7) {
      let pieces = [Array(bytes[..<length])]
      let found = try await results(pieces, sample.response.contentType, sample.kind)
      let delivered = Array(found.dropLast())
      if found == whole { continue }
      #expect(delivered == Array(whole.prefix(delivered.count)))
      let last = try #require(found.last)
      if sample.kind == .subscription {
        // A subscription must not end for good because its connection was cut.
        let isStream = sample.response.contentType.hasPrefix("text/event-stream")
        #expect(last == "threw transport" || last == "threw malformedResponse" && !isStream)
      } else {
        #expect(last.contains("transport:") || last.contains("malformedResponse:"))
        if let before = delivered.last?.prefix(while: { $0 != "+" }) {
          #expect(last.hasPrefix(before))
        }
      }
    }
  }

  @Test(
    "Unusual streams yield their events and typed errors (H5, H6)",
    arguments: [
      ("text/event-stream", "data: {\"data\":{\"a\":1}}\n\n", ["{\"a\":1}+"]),
      (
        "text/event-stream",
        ":hi\n\nevent: ping\ndata: x\n\nevent: next\ndata: {}\n\nevent: next\ndata\n\nevent: complete\n\nevent: next\ndata: 7\n\n",
        []
      ),
      (
        "text/event-stream;charset=utf-8", "event: error\ndata: [{\"message\":\"x\"}]\n\n",
        ["none x"]
      ),
      (
        "text/event-stream", "event: error\ndata: {\"errors\":[{\"message\":\"x\"}]}\n\n",
        ["none x"]
      ),
      (
        "text/event-stream", "event: next\ndata: {\"data\":{\"a\":1}}\n\n",
        ["{\"a\":1}+", "threw transport"]
      ),
      (
        "text/event-stream", "event: next\ndata: {\"data\":{\"a\":1\n\n",
        ["threw malformedResponse"]
      ),
      ("text/event-stream", "event: next\ndata: {\"data\":{\"a\":1", ["threw transport"]),
      ("text/event-stream", "data: {\"data\":{\"a\":1}\n", ["threw transport"]),
      ("text/event-stream", "event: error\ndata: [{\"mess", ["threw transport"]),
      (
        "text/event-stream",
        "event: next\ndata: {\"data\":{\"a\":1}}\n\nevent: next\ndata: {\"hasNext\":false}\n\nevent: complete\n\n",
        ["{\"a\":1}+"]
      ),
      (
        "text/event-stream",
        "event: next\ndata: {\"data\":{\"a\":1},\"hasNext\":true}\n\nevent: next\ndata: {\"hasNext\":false}\n\n"
          + "event: next\ndata: {\"errors\":[{\"message\":\"x\"}]}\n\nevent: complete\n\n",
        ["{\"a\":1}+", "none+ x"]
      ),
      (
        "text/event-stream",
        "event: next\ndata: {\"data\":{\"a\":1},\"hasNext\":true}\n\nevent: next\ndata: {\"hasNext\":false}\n\n"
          + "event: next\ndata: {\"extensions\":{}}\n\nevent: complete\n\n",
        ["{\"a\":1}+"]
      ),
      ("text/event-stream", "event: next\ndata: 7\n\n", ["threw malformedResponse"]),
      ("text/event-stream", "event: next\ndata: {\"b\":1}\n\n", ["threw malformedResponse"]),
      ("text/event-stream", "", ["threw transport"]),
      ("text/event-stream", ":hi\n\n", ["threw transport"]),
      (
        "multipart/mixed",
        "---\r\n\r\n{}\r\n---\r\n\r\n{\"payload\":{\"data\":{\"a\":1}}}\r\n---\r\n\r\n{}\r\n-----",
        ["{\"a\":1}+"]
      ),
      (
        "multipart/mixed;boundary=g",
        "--g\r\n\r\n{\"payload\":null,\"errors\":[{\"message\":\"x\"}]}\r\n--g--", ["none x"]
      ),
      (
        "multipart/mixed;boundary=g",
        "--g\r\n\r\n{\"payload\":null,\"errors\":[{\"message\":\"x\"}]}\r\n--g\r\n\r\n{}\r\n",
        ["none x"]
      ),
      ("multipart/mixed;boundary=g", "--g\r\n\r\n{\"payload\":null}\r\n--g--", []),
      (
        "multipart/mixed;boundary=g",
        "--g\r\n\r\n{\"payload\":{\"data\":{\"a\":1}},\"errors\":[{\"message\":\"x\"}]}\r\n--g--",
        ["{\"a\":1}+", "none x"]
      ),
      (
        "multipart/mixed;boundary=g",
        "--g\r\n\r\n{\"payload\":{\"data\":{\"a\":1}},\"errors\":[]}"
          + "\r\n--g\r\n\r\n{\"payload\":{}}\r\n--g\r\n\r\n{\"payload\":{\"extensions\":{\"b\":2}}}"
          + "\r\n--g\r\n\r\n{\"payload\":{\"data\":{\"a\":2}}}\r\n--g--",
        ["{\"a\":1}+", "{\"a\":2}+"]
      ),
      ("multipart/mixed;boundary=g", "", ["threw transport"]),
    ] as [(String, String, [String])])
  func odd(type: String, body: String, expected: [String]) async throws {
    #expect(try await results([Array(body.utf8)], type, .subscription) == expected)
  }

  @Test("A deferred query that ends before its announced parts is an error beside the data (H4)")
  func incomplete() async throws {
    let pending = #""pending":[{"id":"0","path":[]}],"#
    let first = #"{"data":{"a":1},"#
    let end = "\"hasNext\":true}\r\n-----"
    let lost = try await results(
      [Array(("---\r\n\r\n" + first + pending + end).utf8)], "multipart/mixed", .query)
    #expect(lost.first == "{\"a\":1}+")
    #expect(lost.last?.hasPrefix("{\"a\":1} transport:") == true)
    // The form of 2022 does not announce parts.
    let done = try await results(
      [Array(("---\r\n\r\n" + first + end).utf8)], "multipart/mixed", .query)
    #expect(done == ["{\"a\":1}+", "{\"a\":1}"])
  }

  @Test("A deferred query that ends after a small payload of a large result is complete (H4, H10)")
  func heldBack() async throws {
    let text = String(repeating: "x", count: 20_000)
    let patch = #"{"incremental":[{"path":[],"data":{"b":2}}],"hasNext":true}"#
    for (pending, end) in [("", ""), (#""pending":[{"id":"0","path":[]}],"#, " transport:")] {
      let payloads = [#"{"data":{"a":"\#(text)"},\#(pending)"hasNext":true}"#, patch]
      let body = payloads.map { "event: next\ndata: \($0)\n\n" }.joined() + "event: complete\n\n"
      let found = try await results([Array(body.utf8)], "text/event-stream", .query)
      #expect(found == ["{\"a\":\"\(text)\"}+", "{\"a\":\"\(text)\",\"b\":2}\(end)"])
    }
  }

  @Test(
    "Parts of an event that were held back come before the error that ends its subscription (H6)")
  func heldBackBeforeError() async throws {
    let text = String(repeating: "x", count: 20_000)
    let payloads = [
      #"{"data":{"a":"\#(text)"},"hasNext":true}"#,
      #"{"incremental":[{"path":[],"data":{"b":2}}],"hasNext":true}"#,
    ]
    let body = payloads.map { "event: next\ndata: \($0)\n\n" }.joined()
    let error = "event: error\ndata: [{\"message\":\"no\"}]\n\n"
    let found = try await results([Array((body + error).utf8)], "text/event-stream", .subscription)
    #expect(found == ["{\"a\":\"\(text)\"}+", "{\"a\":\"\(text)\",\"b\":2}+", "none no"])
  }

  @Test("A last payload without all announced parts is an error beside the data (H4, C7)")
  func incompleteByWord() async throws {
    let pending = #""pending":[{"id":"0","path":[]},{"id":"1","path":[]}]"#
    let half = #""incremental":[{"id":"0","data":{"b":2}}],"completed":[{"id":"0"}]"#
    let events = [#"{"data":{"a":1},\#(pending),"hasNext":true}"#, #"{\#(half),"hasNext":false}"#]
      .map { "event: next\ndata: \($0)\n\n" }.joined()
    let found = try await results(
      [Array((events + "event: complete\n\n").utf8)], "text/event-stream", .query)
    #expect(found == ["{\"a\":1}+", "{\"a\":1,\"b\":2} transport:"])
  }

  @Test("An error that ends a deferred query before its announced parts is its error (H4)")
  func endedByError() async throws {
    let pending = #""pending":[{"id":"0","path":[]}],"hasNext":true"#
    let unnamed = " The server reported an error without a message."
    for (errors, error) in [(#"[{"message":"no"}]"#, " no"), ("[]", unnamed)] {
      let body =
        "event: next\ndata: {\"data\":{\"a\":1},\(pending)}\n\nevent: error\ndata: \(errors)\n\n"
      let found = try await results([Array(body.utf8)], "text/event-stream", .query)
      #expect(found == ["{\"a\":1}+", "{\"a\":1}\(error)"])
    }
  }

  @Test("An event that is too large is an error (H3)")
  func tooLarge() async throws {
    let event = "data: {\"data\":{\"a\":\"" + String(repeating: "x", count: 2 << 20)
    let found = try await results([Array(event.utf8)], "text/event-stream", .subscription)
    #expect(found == ["threw malformedResponse"])
  }

  @Test(
    "A response of any other media type is not streamed",
    arguments: ["application/json", "text/plain", "multipart/form-data; boundary=x"])
  func others(type: String) {
    let response = HTTPResponse(status: 200, headers: ["Content-Type": type])
    #expect(StreamedResponse.ifStreamed(response, kind: .query, limit: 1) == nil)
  }
}

extension OperationResult {
  /// Data, `+` if more follows, and the errors.
  fileprivate var written: String {
    var text = data.map(\.value.description) ?? "none"
    if hasNext { text += "+" }
    guard let error else { return text }
    if error.code != .graphQL { text += " \(error.code):" }
    let messages = error.graphQLErrors.map(\.message).joined(separator: ", ")
    return messages.isEmpty ? text : text + " " + messages
  }
}

extension AsyncStream where Element == [UInt8] {
  init(_ pieces: [[UInt8]]) {
    self.init { continuation in
      for piece in pieces { continuation.yield(piece) }
      continuation.finish()
    }
  }
}
