import Testing
import Weir
import WeirTesting

@Suite("Clients that are made while another one switches its session", .timeLimit(.minutes(10)))
struct SwitchingClientTests {
  private let cache = DocumentCacheExchange()
  private let user = Locked("old")
  private let server: ScriptedExchange
  private let first: GraphQLClient

  init() {
    server = .immediate { [user] _ in post(user.withLock { $0 }) }
    first = GraphQLClient([cache, server])
  }

  @Test("A client that is made during a switch begins its session with it (S1, S3)")
  func duringUpdate() async {
    _ = await first.query(postQuery())
    let made = Locked<GraphQLClient?>(nil)
    let early = Locked<Task<OperationResult, Never>?>(nil)
    first.switchSession {
      let client = GraphQLClient([cache, server])
      // Starts at once: the server would still take it for the old user's.
      early.withLock { $0 = Task.immediate { await client.query(postQuery()) } }
      made.withLock { $0 = client }
      user.withLock { $0 = "new" }
    }
    let second = made.withLock { $0 }
    #expect(second?.session == first.session)
    #expect(await early.withLock { $0 }?.value.error?.code == .cancelled)
    #expect(await first.query(postQuery()).title == "new")
    let shared = await second?.query(postQuery())
    #expect(shared?.title == "new" && shared?.outcome == .hit)
  }

  @Test("A watch of a client that is made during a switch waits for the new session (S3)")
  func watching() async {
    let watch = Locked<Task<OperationResult?, Never>?>(nil)
    first.switchSession {
      let stream = GraphQLClient([cache, server]).watch(postQuery())
      // Starts at once: the server would still take it for the old user's.
      let task = Task.immediate {
        var results = stream.makeAsyncIterator()
        return await results.next(isolation: #isolation)
      }
      watch.withLock { $0 = task }
      user.withLock { $0 = "new" }
    }
    #expect(await watch.withLock { $0 }?.value?.title == "new")
  }
}
