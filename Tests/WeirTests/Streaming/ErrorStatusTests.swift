import Foundation
import Testing

@testable import Weir

@Suite("Streamed responses with an error status", .timeLimit(.minutes(10)))
struct ErrorStatusTests {
  @Test(
    "A deferred query is complete, or has an error (C7, H4)", arguments: [true, false],
    [[], [#"{"hasNext":true}"#]])
  func deferred(isWhole: Bool, announcement: [String]) async {
    let rest = #"{"incremental":[{"path":[],"data":{"b":2}}],"hasNext":false}"#
    let parts = announcement + [#"{"data":{"a":1},"hasNext":true}"#] + (isWhole ? [rest] : [])
    let body = parts.map { "--x\r\n\r\n\($0)\r\n" }.joined() + (isWhole ? "--x--\r\n" : "")
    let transport = ScriptedTransport(
      body, status: 500, headers: ["content-type": "multipart/mixed; boundary=x"])
    var fetch = FetchConfiguration()
    fetch.transport = transport
    let client = GraphQLClient([
      .dedup, .documentCache, .fetch(URL(fileURLWithPath: "/graphql"), fetch),
    ])
    let query = GraphQLOperation("{ a ... @defer { b } }")
    let result = await client.query(query)
    #expect(result.data?["a"]?.int == 1 && !result.hasNext)
    #expect(result.data?["b"]?.int == (isWhole ? 2 : nil))
    #expect((result.error == nil) == isWhole)
    #expect((client.peek(query) != nil) == isWhole)
  }

  @Test(
    "A streamed response says for how long it may be kept", arguments: ["max-age=60", "no-store"])
  func cacheControl(field: String) async {
    let body = "--x\r\n\r\n{\"data\":{\"a\":1},\"hasNext\":false}\r\n--x--\r\n"
    var fetch = FetchConfiguration()
    fetch.transport = ScriptedTransport(
      body, headers: ["content-type": "multipart/mixed; boundary=x", "cache-control": field])
    let client = GraphQLClient([.fetch(URL(fileURLWithPath: "/graphql"), fetch)])
    let timing = await client.query(GraphQLOperation("{ a ... @defer { b } }")).timing
    #expect(timing?.maximumAge == (field == "no-store" ? .zero : .seconds(60)))
  }
}
