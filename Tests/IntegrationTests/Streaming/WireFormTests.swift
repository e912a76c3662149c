import Foundation
import Testing
import Weir

@Suite("Each wire form against each server", .timeLimit(.minutes(10)))
struct WireFormTests {
  enum Form: String, CaseIterable, Sendable {
    case query = "plain JSON query"
    case validation = "invalid query"
    case deferred = "@defer"
    case nested = "nested @defer"
    case deferredError = "@defer with an error"
    case streamed = "@stream"
    case deferredEvents = "@defer as an event stream"
    case queryEvents = "query as an event stream"
    case subscription = "subscription, both accepted"
    case eventStream = "subscription, event stream"
    case multipart = "subscription, multipart"
    case invalidSubscription = "invalid subscription"
    case failingEvents = "source fails, event stream"
    case failingParts = "source fails, multipart"

    var document: String {
      switch self {
      case .query, .queryEvents: "query { hello post(id: \"p1\") { title } }"
      case .validation: "query { nonsense }"
      case .deferred, .deferredEvents: "query { post(id: \"p1\") { id ... @defer { slowBody } } }"
      case .nested:
        """
        query { post(id: "p1") { id ... @defer { author { name ... @defer { bio } } } } }
        """
      case .deferredError: "query { post(id: \"p1\") { id ... @defer { broken } } }"
      case .streamed: "query { countdown(start: 4) @stream(initialCount: 1) }"
      case .subscription, .eventStream, .multipart: "subscription { count(to: 3) }"
      case .invalidSubscription: "subscription { nonsense }"
      case .failingEvents, .failingParts: "subscription { failsAfter(events: 2) }"
      }
    }

    /// The media types to accept instead of the default ones.
    var mediaTypes: StreamedMediaTypes? {
      switch self {
      case .eventStream, .failingEvents, .deferredEvents, .queryEvents: .eventStream
      case .multipart, .failingParts: .multipart
      default: nil
      }
    }

    /// The expected results from a server that supports the form.
    var results: [String] {
      let post = #"{"post":{"__typename":"Post","id":"p1""#
      let author = #"{"__typename":"Author","name":"Grace Hopper""#
      switch self {
      case .query, .queryEvents:
        return [#"{"hello":"Hello, world!","post":{"__typename":"Post","title":"Post 1"}}"#]
      case .validation: return ["graphQL: Cannot query field 'nonsense' on type 'Query'."]
      case .deferred, .deferredEvents:
        return [post + "}} more", post + #","slowBody":"Body of post 1."}}"#]
      case .nested:
        let whole = #"{"__typename":"Author","bio":"Grace Hopper writes.","name":"Grace Hopper"}"#
        let begun = #"{"post":{"__typename":"Post","author":"#
        return [
          post + "}} more", begun + author + #"},"id":"p1"}} more"#,
          begun + whole + #","id":"p1"}}"#,
        ]
      case .deferredError:
        return [
          post + "}} more",
          #"{"post":{"__typename":"Post","broken":null,"id":"p1"}} graphQL: Post p1 is broken"#,
        ]
      // The number of items per payload depends on timing.
      case .streamed: return [#"{"countdown":[4]} more"#, #"{"countdown":[4,3,2,1]}"#]
      case .subscription, .eventStream, .multipart:
        return (1...3).map { #"{"count":\#($0)} more"# }
      case .invalidSubscription:
        return ["graphQL: Cannot query field 'nonsense' on type 'Subscription'. more"]
      case .failingEvents, .failingParts:
        return (0...1).map { #"{"failsAfter":\#($0)} more"# } + [
          "graphQL: The source failed more"
        ]
      }
    }

    /// The expected results from this server.
    func results(of server: Server) -> [String] {
      switch (self, server) {
      // "GraphQL over HTTP" asks for status 400 if a request cannot be executed.
      case (.validation, .core), (.validation, .core2022), (.validation, .core2020),
        (.validation, .ariadne):
        return ["graphQL 400: Cannot query field 'nonsense' on type 'Query'."]
      case (.invalidSubscription, .core), (.invalidSubscription, .core2022),
        (.invalidSubscription, .core2020):
        return ["graphQL 400: Cannot query field 'nonsense' on type 'Subscription'."]
      // In the form of 2020 a separate payload says that nothing more follows.
      case (.deferred, .core2020), (.deferredError, .core2020), (.nested, .core2020),
        (.deferredEvents, .core2020):
        let last = results[results.count - 1]
        return results.dropLast() + [last + " more", last]
      case (.deferred, .ariadne), (.nested, .ariadne), (.deferredError, .ariadne),
        (.deferredEvents, .ariadne):
        return [Self.refusal(of: "@defer", self == .nested ? 2 : 1, self == .deferredEvents)]
      case (.streamed, .ariadne): return [Self.refusal(of: "@stream", 1, false)]
      case (.failingParts, .core), (.failingParts, .core2022), (.failingParts, .core2020):
        // Their errors are beside a payload of null, which ends the subscription.
        return results.dropLast() + ["graphQL: The source failed"]
      case (.queryEvents, .ariadne): return ["graphQL: Expected subscription operation."]
      case (.multipart, .ariadne), (.failingParts, .ariadne):
        return [
          "graphQL 400: Subscription operations can only be executed over a WebSocket connection."
        ]
      case (.eventStream, .multipart), (.failingEvents, .multipart):
        let field = self == .eventStream ? "count" : "failsAfter"
        return ["graphQL: Cannot return null for non-nullable field Subscription.\(field)."]
      default: return results
      }
    }

    private static func refusal(of directive: String, _ count: Int, _ isStreamed: Bool) -> String {
      let messages = Array(repeating: "Unknown directive '\(directive)'.", count: count)
      return "graphQL\(isStreamed ? "" : " 400"): " + messages.joined(separator: "; ")
    }
  }

  @Test(
    "A supported wire form is understood; a server's refusal is a typed error (H4, H6)",
    arguments: Server.allCases, Form.allCases)
  func form(server: Server, form: Form) async throws {
    for sender in Sender.allCases { try await check(form, of: server, over: sender) }
  }

  private func check(_ form: Form, of server: Server, over sender: Sender) async throws {
    let space = try await Space()
    var configuration = sender.configuration
    configuration.reconnection = nil
    if let types = form.mediaTypes { configuration.subscriptionMediaTypes = types }
    let client = GraphQLClient([.fetch(space.url(of: server), configuration)])
    var operation = GraphQLOperation(GraphQLDocument(form.document))
    if operation.kind == .query, form.mediaTypes != nil {
      operation.context.headers["accept"] = "text/event-stream"
    }
    var found = await lines(client.results(of: operation))
    if form == .streamed, found.count > 2 {
      for (line, next) in zip(found, found.dropFirst()) {
        #expect(next.hasPrefix(line.prefix { $0 != "]" }), "\(found)")
      }
      found.removeSubrange(1..<(found.count - 1))
    }
    #expect(found == form.results(of: server))
    #expect(try await space.stats().total == 1)
  }

  @Test("For a subscription, query returns the first event and unsubscribes")
  func firstEvent() async throws {
    for server in [Server.strawberry, .multipart, .ariadne, .core] {
      let space = try await Space()
      let client = GraphQLClient(url: space.url(of: server))
      let endless = GraphQLOperation("subscription E { endless }")
      let queried = await client.query(endless)
      #expect(queried.line == #"{"endless":1}"#)
      let stats = try await space.stats(when: "closedEarly", reaches: 1)
      #expect(stats.closedEarlyByOperation == ["E": 1])
    }
  }
}
