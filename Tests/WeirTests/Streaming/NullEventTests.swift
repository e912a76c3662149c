import Foundation
import Testing
import Weir
import WeirTesting

/// Responses whose data is null without an error, which Apollo Router sends when a field that must not be null
/// is null.
@Suite("Null without an error", .timeLimit(.minutes(10)))
struct NullEventTests {
  private static let null =
    #"{"data":null,"extensions":{"valueCompletion":[{"message":"Null","path":["counter"]}]}}"#

  private func client(_ body: String, _ type: String) throws -> GraphQLClient {
    let transport = ScriptedTransport(body, headers: ["content-type": type])
    let url = try #require(URL(string: "https://example.org/graphql"))
    return GraphQLClient([.fetch(url, transport: transport)])
  }

  private func results(_ stream: ResultStream) async -> [OperationResult] {
    var results: [OperationResult] = []
    for await result in stream { results.append(result) }
    return results
  }

  @Test("An event of null leaves its subscription running, with the server's extensions (H6)")
  func events() async throws {
    let one = #"{"data":{"counter":1}}"#
    let announced = String(Self.null.dropLast()) + #","hasNext":true}"#
    for payloads in [
      [one, Self.null, one], [one, announced, one], [Self.null, one],
      [one, #"{"data":null}"#, one],
      [#"{"extensions":{"a":1}}"#, one, Self.null, one],
      [
        #"{"extensions":{"a":1},"hasNext":true}"#, one, #"{"extensions":{"a":1},"hasNext":true}"#,
        one,
      ],
    ] {
      let events = payloads.map { "event: next\ndata: \($0)\n\n" } + ["event: complete\n\n"]
      let parts = payloads.map { "--g\r\n\r\n{\"payload\":\($0)}\r\n" } + ["--g--"]
      let bodies = [
        ("text/event-stream", events.joined()), ("multipart/mixed;boundary=g", parts.joined()),
      ]
      for (type, body) in bodies {
        let client = try client(body, type)
        let found = await results(client.subscribe(GraphQLOperation("subscription { counter }")))
        let expected = payloads.filter { $0.contains("data") }
        #expect(found.map { $0.data != nil } == expected.map { $0 == one })
        for (result, payload) in zip(found, expected) where payload != one {
          #expect(result.error?.code == .graphQL && result.hasNext)
          let reasons = result.extensions?["valueCompletion"]
          #expect((reasons?.count == 1) == payload.contains("extensions"))
        }
      }
    }
  }

  @Test("A query of null has an error and the server's extensions (H2)")
  func query() async throws {
    let operation = GraphQLOperation("{ counter }")
    let stream = "event: next\ndata: \(Self.null)\n\nevent: complete\n\n"
    for (type, body) in [("application/json", Self.null), ("text/event-stream", stream)] {
      let result = await (try client(body, type)).query(operation)
      #expect(result.error?.code == .graphQL && result.data == nil)
      #expect(result.error?.message == "The data is null, and the server reports no error.")
      #expect(result.extensions?["valueCompletion"]?.count == 1)
    }
  }

  @Test(
    "An object with a message is no event: a subscription that gets only that has an error (H6)")
  func message() async throws {
    let body = "data: {\"message\":\"Forbidden\",\"extensions\":{\"code\":\"FORBIDDEN\"}}\n\n"
    let client = try client(body, "text/event-stream")
    let found = await results(client.subscribe(GraphQLOperation("subscription { counter }")))
    #expect(found.map(\.error?.code) == [.malformedResponse])
  }

  @Test("Null beside errors that end a subscription is no event (H6)")
  func beforeTheEnd() async throws {
    let end = "{\"payload\":\(Self.null),\"errors\":[{\"message\":\"Over.\"}]}"
    let client = try client("--g\r\n\r\n\(end)\r\n--g--", "multipart/mixed;boundary=g")
    let found = await results(client.subscribe(GraphQLOperation("subscription { counter }")))
    #expect(found.map(\.error?.message) == ["Over."] && found.last?.hasNext == false)
  }

  @Test("A deferred query of null has an error, too (H2)")
  func announced() async throws {
    let first = String(Self.null.dropLast()) + #","hasNext":true}"#
    let body = [first, #"{"hasNext":false}"#].map { "event: next\ndata: \($0)\n\n" }.joined()
    let found = await (try client(body, "text/event-stream")).query(
      GraphQLOperation("{ counter }"))
    #expect(found.error?.message == "The data is null, and the server reports no error.")
    #expect(found.extensions?["valueCompletion"]?.count == 1)
  }

  @Test("Null does not replace the data that a deferred query has received (H4)")
  func deferred() async throws {
    let first = #"{"data":{"counter":1},"hasNext":true}"#
    let last = String(Self.null.dropLast()) + #","hasNext":false}"#
    let body = [first, last].map { "event: next\ndata: \($0)\n\n" }.joined()
    let result = await (try client(body, "text/event-stream")).query(
      GraphQLOperation("{ counter }"))
    #expect(result.data?["counter"]?.int == 1 && result.error?.code == .malformedResponse)
  }
}
