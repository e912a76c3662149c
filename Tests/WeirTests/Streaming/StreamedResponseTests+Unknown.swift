import Testing

@testable import Weir

extension StreamedResponseTests {
  @Test(
    "An unknown object does not end a deferred query (H4, C7)",
    arguments: [
      #"{"type":"ping"}"#, #"{"message":"upstream timed out"}"#, #"{"extensions":{"cost":1}}"#,
      #"{"items":[]}"#,
    ])
  func unknownObject(_ unknown: String) async throws {
    let payloads = [
      #"{"data":{"a":1},"hasNext":true}"#, unknown,
      #"{"incremental":[{"path":[],"data":{"b":2}}],"hasNext":false}"#,
    ]
    let events = payloads.map { "event: next\ndata: \($0)\n\n" }.joined() + "event: complete\n\n"
    let parts = payloads.map { "---\r\n\r\n\($0)\r\n" }.joined() + "-----"
    for (type, body) in [("text/event-stream", events), ("multipart/mixed", parts)] {
      let found = try await results([Array(body.utf8)], type, .query)
      #expect(found == [#"{"a":1}+"#, #"{"a":1,"b":2}"#])
    }
  }

  @Test("Announced parts follow a payload that does not say so (H4)")
  func announcedWithoutWord() async throws {
    let events =
      [
        #"{"data":{"a":1},"pending":[{"id":"0","path":[]}]}"#,
        #"{"incremental":[{"id":"0","data":{"b":2}}],"completed":[{"id":"0"}],"hasNext":false}"#,
      ].map { "event: next\ndata: \($0)\n\n" }.joined() + "event: complete\n\n"
    let found = try await results([Array(events.utf8)], "text/event-stream", .query)
    #expect(found == [#"{"a":1}+"#, #"{"a":1,"b":2}"#])
  }

  @Test(
    "Each member of a payload shows by itself that it is one (H4, C7)",
    arguments: [
      (#"{"data":{"a":2}}"#, #"{"a":2}"#), (#"{"errors":[]}"#, #"{"a":1}+"#),
      (#"{"path":[],"data":{"b":2}}"#, #"{"a":1,"b":2}+"#),
      (#"{"incremental":[{"path":[],"data":{"b":2}}]}"#, #"{"a":1,"b":2}+"#),
      (#"{"pending":[{"id":"1","path":[]}]}"#, #"{"a":1}+"#),
      (#"{"completed":[{"id":"0"}]}"#, #"{"a":1}"#),
    ])
  func loneMember(_ payload: String, _ expected: String) async throws {
    let first = #"{"data":{"a":1},"pending":[{"id":"0","path":[]}],"hasNext":true}"#
    let events = [first, payload].map { "event: next\ndata: \($0)\n\n" }.joined()
    let found = try await results([Array(events.utf8)], "text/event-stream", .query)
    #expect(found.prefix(2) == [#"{"a":1}+"#, expected])
  }

  @Test(
    "An event of errors ends an operation with an error, whatever it holds (H6)",
    arguments: [
      (#"{"message":"Forbidden"}"#, "Forbidden"), (#"[{"message":"Forbidden"}]"#, "Forbidden"),
      (#"{"errors":[{"message":"Forbidden"}]}"#, "Forbidden"),
      ("{}", "The server reported an error without a message."),
      (#"{"errors":[]}"#, "The server reported an error without a message."),
      ("", "The server reported an error without a message."),
    ])
  func errorEvent(_ data: String, _ message: String) async throws {
    let first = "event: next\ndata: {\"data\":{\"a\":1}}\n\n"
    let error = "event: error\ndata: \(data)\n\n"
    for (events, data) in [(error, ["none "]), (first + error, [#"{"a":1}+"#, "none "])] {
      let found = try await results([Array(events.utf8)], "text/event-stream", .subscription)
      #expect(found == data.dropLast() + [(data.last ?? "") + message])
    }
    let deferred = "event: next\ndata: {\"data\":{\"a\":1},\"hasNext\":true}\n\n"
    let found = try await results([Array((deferred + error).utf8)], "text/event-stream", .query)
    #expect(found == [#"{"a":1}+"#, #"{"a":1} \#(message)"#])
  }
}
