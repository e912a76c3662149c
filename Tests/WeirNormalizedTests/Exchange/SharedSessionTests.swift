import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Clients that are made for exchanges that others have used before.
@Suite(.timeLimit(.minutes(10)))
struct SharedSessionTests {
  @Test("A new client begins in the latest session of its exchanges (C10)")
  func newClient() async {
    let query = GraphQLOperation("{ me { id } }")
    let server = ScriptedExchange { _ in .data(#"{"me":{"__typename":"User","id":"1"}}"#)
    }
    let auth = AuthConfiguration<String>(
      load: { "token" }, attach: { $1.headers["authorization"] = $0 }, refresh: { $0 })
    let exchanges: [any Exchange] = [
      DocumentCacheExchange(), NormalizedCacheExchange(store: NormalizedStore()),
      AuthExchange(auth), DedupExchange(),
    ]
    for exchange in exchanges {
      GraphQLClient([exchange, server]).switchSession()
      for chain: [any Exchange] in [[exchange, server], [ComposeExchange([exchange]), server]] {
        let client = GraphQLClient(chain)
        #expect(await client.query(query).error == nil)
        let second = await client.query(query)
        #expect(second.error == nil)
        #expect(second.outcome == .hit || !(exchange is any QueryCache))
      }
    }
  }

  @Test("A snapshot that nothing has used belongs to the session of its first operation (C10)")
  func snapshot() async throws {
    let query = GraphQLOperation("{ me { id } }")
    let server = ScriptedExchange.immediate { _ in .data(#"{"me":{"__typename":"User","id":"1"}}"#)
    }
    let recording = SnapshotExchange()
    _ = await GraphQLClient([recording, server]).query(query)
    let cache = DocumentCacheExchange()
    GraphQLClient([cache, server]).switchSession()
    let replaying = SnapshotExchange(replaying: recording.snapshot())
    let client = GraphQLClient([replaying, cache, server])
    #expect(client.peek(query)?.data != nil)
    #expect(await client.query(query).data != nil)
    #expect(replaying.snapshot().count == 1)
  }
}
