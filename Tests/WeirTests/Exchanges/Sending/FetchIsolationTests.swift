import Foundation
import Testing

@testable import Weir

@Suite("Where a fetch exchange works", .timeLimit(.minutes(10)))
struct FetchIsolationTests {
  @Test(
    "It sends on no actor, whatever actor its consumer is on",
    arguments: ["query { a }", "mutation { a }", "subscription { a }"])
  @MainActor
  func mainActor(document: String) async {
    let actors = Locked<[Bool]>([])
    var fetch = FetchConfiguration()
    fetch.headers = { _ in
      let actor: (any Actor)? = #isolation
      actors.withLock { $0.append(actor != nil) }
      return [:]
    }
    fetch.transport = ScriptedTransport { _ in
      let actor: (any Actor)? = #isolation
      actors.withLock { $0.append(actor != nil) }
      return HTTPResponse(
        status: 200, headers: ["content-type": "application/json"],
        body: HTTPBody(Array(#"{"data":{"a":1}}"#.utf8)))
    }
    fetch.onResponse = { _, _, _ in
      let actor: (any Actor)? = #isolation
      actors.withLock { $0.append(actor != nil) }
    }
    let exchange = FetchExchange(URL(fileURLWithPath: "/graphql"), configuration: fetch)
    let operation = GraphQLOperation(GraphQLDocument(document))
    var results = exchange.execute(operation, forward: Forward([])).makeAsyncIterator()
    #expect(await results.next()?.data?["a"]?.int == 1)
    #expect(actors.withLock { $0 } == [false, false, false])
  }
}
