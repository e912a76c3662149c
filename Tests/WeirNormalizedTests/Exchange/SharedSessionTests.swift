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
    let server = ScriptedExchange.immediate { _ in .data(#"{"me":{"__typename":"User","id":"1"}}"#)
    }
    let auth = AuthConfiguration<String>(
      load: { "token" }, attach: { $1.headers["authorization"] = $0 }, refresh: { $0 })
    let exchanges: [any Exchange] = [
      DocumentCacheExchange(), NormalizedCacheExchange(store: NormalizedStore()),
      AuthExchange(auth),
    ]
    for exchange in exchanges {
      GraphQLClient([exchange, server]).switchSession()
      for chain: [any Exchange] in [[exchange, server], [ComposeExchange([exchange]), server]] {
        let client = GraphQLClient(chain)
        #expect(await client.query(query).error == nil)
        let second = await client.query(query)
        #expect(second.error == nil)
        #expect(second.outcome == .hit || exchange is AuthExchange<String>)
      }
    }
  }
}
