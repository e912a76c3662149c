import Foundation
import TestSupport
import Testing
import WeirTesting

@testable import Weir

@Suite("Snapshots of results", .timeLimit(.minutes(10)))
struct SnapshotTests {
  /// Records two queries, one of them with a partial error, and a mutation; encodes and decodes
  /// them.
  private func recorded() async throws -> OperationSnapshot {
    let error = GraphQLError(
      message: "Not for you.", path: [.key("posts"), .index(3)],
      locations: [.init(line: 1, column: 2)], extensions: ["code": "FORBIDDEN", "n": 1.5],
      otherMembers: ["type": "FORBIDDEN", "message": "not this one"])
    let server = ScriptedExchange { operation in
      if operation.kind == .mutation { return updated }
      return operation.key == postQuery("1").key
        ? post("recorded") : .data(#"{"post":{"title":"partial"}}"#, errors: [error])
    }
    let snapshots = SnapshotExchange()
    let client = GraphQLClient([snapshots, .dedup, .documentCache, server])
    for _ in 0..<2 { _ = await client.query(postQuery("1")) }
    _ = await client.query(postQuery("2"))
    _ = await client.mutate(updatePost)
    let written = try JSONEncoder().encode(snapshots.snapshot())
    let read = try JSONDecoder().decode(OperationSnapshot.self, from: written)
    #expect(read == snapshots.snapshot())
    return read
  }

  @Test("A recorded run is replayed with its data, errors and mutations; nothing is sent (A3)")
  func always() async throws {
    let snapshot = try await recorded()
    #expect(snapshot.count == 3)
    let server = postServer()
    let client = GraphQLClient([.snapshot(replaying: snapshot, .always), server])
    #expect(client.peek(postQuery("1"))?.title == "recorded")
    let partial = await client.query(postQuery("2", policy: .networkOnly))
    #expect(partial.title == "partial" && partial.error?.code == .graphQL)
    let error = partial.error?.graphQLErrors.first
    #expect(error?.path == [.key("posts"), .index(3)])
    #expect(error?.locations == [.init(line: 1, column: 2)])
    #expect(error?.extensions?["code"]?.string == "FORBIDDEN")
    #expect(error?.message == "Not for you.")
    #expect(error?.otherMembers == ["type": "FORBIDDEN"])
    for _ in 0..<2 { #expect(await client.mutate(updatePost).data == updated.data) }
    client.clear()
    client.switchSession()
    #expect(client.peek(postQuery("1"))?.title == "recorded")
    #expect(server.operations.isEmpty)
    #expect(await client.query(postQuery("3")).title == "title 1")
  }

  @Test("A replayed result has the timing with which it was recorded (A3, C11)")
  func timing() async throws {
    let timing = ResultTiming(
      receivedAt: Date(timeIntervalSince1970: 1), duration: .seconds(2), maximumAge: .seconds(60))
    let recorder = SnapshotExchange()
    let server = ScriptedExchange { _ in OperationResult(data: post("a").data, timing: timing) }
    _ = await GraphQLClient([recorder, server]).query(postQuery())
    let written = try JSONEncoder().encode(recorder.snapshot())
    let read = try JSONDecoder().decode(OperationSnapshot.self, from: written)
    let client = GraphQLClient([.snapshot(replaying: read, .always), server])
    #expect(client.peek(postQuery())?.timing == timing)
  }

  @Test("A replayed result is the stale first frame until the network answers (A3)")
  func firstFrame() async throws {
    let snapshot = try await recorded()
    let server = postServer()
    let client = GraphQLClient([
      .snapshot(replaying: snapshot), .dedup, .documentCache, server,
    ])
    #expect(client.peek(postQuery("1"))?.title == "recorded")
    #expect(server.operations.isEmpty)
    let watcher = Watcher(client.watch(postQuery("1")))
    #expect(await watcher.next(2) == ["recorded stale", "title 1"])
    #expect(client.peek(postQuery("1"))?.title == "title 1")
    #expect(await client.results(of: postQuery("1")).all() == ["title 1"])
    client.invalidate(types: "Post")
    #expect(await watcher.next(2) == ["title 1 stale", "title 2"])
    // A query waits for the network, because a replayed result is not final.
    #expect(await client.query(postQuery("2")).title == "title 3")
    #expect(server.operations.count == 3)
  }

  @Test("A cacheOnly watch sees when a replayed result is replaced (A3)")
  func cacheOnlyWatch() async throws {
    let client = GraphQLClient([
      .snapshot(replaying: try await recorded()), .dedup, .documentCache, postServer(),
    ])
    let watcher = Watcher(client.watch(postQuery("1", policy: .cacheOnly)))
    #expect(await watcher.next(1) == ["recorded"])
    _ = await client.query(postQuery("1"))
    #expect(await watcher.next(1) == ["title 1"])
  }

  @Test("A cacheOnly watch sees what an execution brings that joined an older request (A3, D3)")
  func joinedRequest() async throws {
    let gate = Gate()
    let server = postServer { _ in await gate.pass() }
    let dedup = DedupExchange()
    let client = GraphQLClient([
      .snapshot(replaying: try await recorded()), dedup, .documentCache, server,
    ])
    let watcher = Watcher(client.watch(postQuery("1", policy: .cacheOnly)))
    #expect(await watcher.next(1) == ["recorded"])
    let first = Task { await client.query(postQuery("1")) }
    await server.received(1)
    let second = Task { await client.query(postQuery("1")) }
    await dedup.shares(2)
    first.cancel()
    _ = await first.value
    gate.open()
    #expect(await second.value.title == "title 1")
    #expect(await watcher.next(1) == ["title 1"])
  }

  @Test("A failed request keeps the replayed data beside the error, now and later (A3, P4)")
  func failure() async throws {
    let down = ScriptedExchange { _ in .failure("Down.") }
    let client = GraphQLClient([
      .snapshot(replaying: try await recorded()), .dedup, .documentCache, down,
    ])
    #expect(await client.query(postQuery("1")).summary == "recorded error")
    let policy = RequestPolicy.cacheAndNetwork
    #expect(await client.query(postQuery("1", policy: policy)).summary == "recorded error")
    #expect(client.peek(postQuery("1"))?.title == "recorded")
  }

  @Test("Replayed results are dropped by type, by operation, and with the session (A3)")
  func invalidation() async throws {
    let snapshot = try await recorded()
    for forget: @Sendable (GraphQLClient) -> Void in [
      { $0.invalidate(types: "Post") }, { $0.invalidate(postQuery("1")) }, { $0.clear() },
      { $0.switchSession() },
    ] {
      let client = GraphQLClient([.snapshot(replaying: snapshot), .dedup, .documentCache])
      client.invalidate(types: "Author")
      #expect(client.peek(postQuery("1"))?.title == "recorded")
      forget(client)
      #expect(client.peek(postQuery("1")) == nil)
    }
  }

  @Test("A recording is bounded and belongs to one session (A3)")
  func bounds() async {
    let snapshots = SnapshotExchange(maximumCount: 3)
    let client = GraphQLClient([snapshots, postServer()])
    for id in 1...5 { _ = await client.query(postQuery("\(id)")) }
    #expect(snapshots.snapshot().count == 3)
    let replaying = GraphQLClient([.snapshot(replaying: snapshots.snapshot(), .always)])
    #expect(replaying.peek(postQuery("2")) == nil)
    #expect(replaying.peek(postQuery("5"))?.title == "title 5")
    client.switchSession()
    #expect(snapshots.snapshot().count == 0)
  }

  @Test("Results that caches must not keep are not recorded, but replace replayed ones (A3)")
  func notKept() async throws {
    let secret = MapExchange(result: { operation, result in
      var result = result
      if operation.variables == postQuery("2").variables { result.retention = .zero }
      return result
    })
    let snapshots = SnapshotExchange(replaying: try await recorded())
    let client = GraphQLClient([snapshots, .dedup, .documentCache, secret, postServer()])
    _ = await client.query(postQuery("1").with { $0.storesResult = false })
    _ = await client.query(postQuery("2"))
    #expect(snapshots.snapshot().count == 0)
    #expect(client.peek(postQuery("1")) == nil)
    _ = await client.query(postQuery("1"))
    #expect(snapshots.snapshot().count == 1)
  }

  @Test("A recording that an earlier version has written is replayed (A3)")
  func saved() async throws {
    // It must not be adapted to a change: see the article Internals.
    let text = #"""
      {"entries":[{"data":"{\"post\":{\"__typename\":\"Post\",\"id\":\"1\",\"title\":\"a\"}}",
      "duration":0.25,"extensions":"{\"cost\":1}","name":"Post","receivedAt":800000000,
      "scope":"23:https://example.com/api15:accept-language32:959a45d44e6fcf58361ed004681556fe",
      "text":"query Post($id: ID!) {\n  post(id: $id) {\n    id\n    title\n    __typename\n  }\n}",
      "variables":"{\"id\":\"1\"}"},
      {"data":"{\"post\":null}","error":{"code":"graphQL","graphQLErrors":[{"extensions":{"code":"X"},
      "locations":[{"column":2,"line":1}],"message":"no","path":["post"]}],"message":"no"},
      "name":"Update",
      "text":"mutation Update {\n  updatePost {\n    id\n    title\n    __typename\n  }\n}",
      "variables":"{}"}]}
      """#
    let snapshot = try JSONDecoder().decode(OperationSnapshot.self, from: Data(text.utf8))
    let client = GraphQLClient([.snapshot(replaying: snapshot, .always)])
    let query = postQuery().with {
      $0.endpoint = URL(string: "https://example.com/api")
      $0.headers["accept-language"] = "de"
    }
    let shown = client.peek(query)
    #expect(shown?.title == "a" && shown?.extensions?["cost"]?.int == 1)
    #expect(shown?.timing?.receivedAt == Date(timeIntervalSinceReferenceDate: 800_000_000))
    #expect(shown?.timing?.duration == .milliseconds(250))
    let failed = await client.mutate(updatePost)
    #expect(failed.data?["post"]?.kind == .null && failed.error?.code == .graphQL)
    #expect(failed.error?.message == "no")
    let error = try #require(failed.error?.graphQLErrors.first)
    #expect(error.path == [.key("post")] && error.locations == [.init(line: 1, column: 2)])
    #expect(error.message == "no" && error.extensions?["code"]?.string == "X")
  }

  @Test("A damaged entry is skipped (A3)")
  func damaged() throws {
    let text = """
      {"entries":[{"text":"query Post($id: ID!) { a }","variables":"{}","data":"{"},
      {"text":"{ a }","variables":"{}"},{"text":"{\\n  a\\n}","variables":"{}","data":"{\\"a\\":1}",
      "receivedAt":-1e300,"duration":1e300}]}
      """
    let snapshot = try JSONDecoder().decode(OperationSnapshot.self, from: Data(text.utf8))
    let client = GraphQLClient([.snapshot(replaying: snapshot, .always)])
    #expect(client.peek(GraphQLOperation("{ a }"))?.data?["a"]?.int == 1)
  }

  @Test("A fresh result of a cache discards the replayed one, as one of the network does (A3)")
  func freshCache() async throws {
    let cache = DocumentCacheExchange()
    let server = postServer()
    let earlier = GraphQLClient([cache, server])
    _ = await earlier.query(postQuery("1"))
    let snapshots = SnapshotExchange(replaying: try await recorded())
    let client = GraphQLClient([snapshots, cache, server])
    #expect(client.peek(postQuery("1"))?.title == "recorded")
    #expect(await client.query(postQuery("1")).title == "title 1")
    #expect(client.peek(postQuery("1"))?.title == "title 1")
    #expect(await client.query(postQuery("1", policy: .cacheOnly)).title == "title 1")
    #expect(server.operations.count == 1)
    // Both results of the earlier run are still there: the one that the cache has replaced, and the other.
    #expect(shown(by: snapshots.snapshot()) == ["recorded", "partial"])
  }

  /// The titles of the first two posts in a snapshot.
  private func shown(by snapshot: OperationSnapshot) -> [String?] {
    let client = GraphQLClient([.snapshot(replaying: snapshot, .always)])
    return ["1", "2"].map { client.peek(postQuery($0))?.title }
  }

  @Test("A run keeps the saved results that it has not fetched, until they are invalidated (A3)")
  func unfetched() async throws {
    let isDown = Locked(true)
    let server = ScriptedExchange { operation in
      isDown.withLock(\.self) ? .failure("Down.") : post("new")
    }
    let snapshots = SnapshotExchange(replaying: try await recorded())
    let client = GraphQLClient([snapshots, .dedup, .documentCache, server])
    #expect(await client.query(postQuery("1")).summary == "recorded error")
    #expect(shown(by: snapshots.snapshot()) == ["recorded", "partial"])
    isDown.withLock { $0 = false }
    #expect(await client.query(postQuery("1")).title == "new")
    #expect(shown(by: snapshots.snapshot()) == ["new", "partial"])
    client.invalidate(postQuery("2"))
    #expect(shown(by: snapshots.snapshot()) == ["new", nil])
    client.switchSession()
    #expect(snapshots.snapshot().count == 0)
  }

  @Test("Saved results count towards the maximum of a recording, as its oldest (A3)")
  func boundedSaved() async throws {
    let snapshots = SnapshotExchange(replaying: try await recorded(), maximumCount: 2)
    #expect(shown(by: snapshots.snapshot()) == ["recorded", "partial"])
    let client = GraphQLClient([snapshots, postServer()])
    _ = await client.query(postQuery("3"))
    #expect(shown(by: snapshots.snapshot()) == [nil, "partial"])
    #expect(snapshots.snapshot().count == 2)
    let smaller = SnapshotExchange(replaying: snapshots.snapshot(), maximumCount: 1)
    #expect(shown(by: smaller.snapshot()) == [nil, nil])
    #expect(smaller.snapshot().count == 1)
  }

  @Test("A result beyond the maximum costs the same in a long recording as in a short one")
  func costBeyondMaximum() async throws {
    let entry = try #require(try await recorded().entries.first)
    func time(_ maximumCount: Int) -> Duration {
      var state = SnapshotExchange.State()
      func record(_ numbers: Range<Int>) {
        for number in numbers {
          let identity = postQuery("\(number)").identity
          state.record(entry, of: identity, maximumCount: maximumCount)
        }
      }
      record(0..<maximumCount)
      return processorTime { record(maximumCount..<maximumCount + 1_000) }
    }
    let short = time(100)
    #expect(time(5_000) < short * 4)
  }
}
