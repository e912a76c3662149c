import Testing
@testable import Weir
import WeirTesting

@Suite("Dedup: answers that need no waiting", .timeLimit(.minutes(10)))
struct ImmediateFlightTests {
  @Test("A query whose answer needs no waiting runs in its own task (D1)")
  func immediateAnswer() async {
    let task = Locked<Int?>(nil)
    let server = InlineExchange { _, _ in
      task.withLock { $0 = withUnsafeCurrentTask { $0?.hashValue } }
      return .just(post("title"))
    }
    let dedup = DedupExchange()
    let client = GraphQLClient([dedup, .documentCache, server])
    #expect(await client.query(postQuery()).summary == "title")
    let caller = withUnsafeCurrentTask { $0?.hashValue }
    #expect(task.withLock { $0 } == caller && dedup.flightCount == 0)
    #expect(await client.query(postQuery(policy: .cacheAndNetwork)).summary == "title")
    #expect(task.withLock { $0 } == caller && dedup.flightCount == 0)
  }

  @Test("An execution that begins during such an answer shares it (D1)")
  func joinsImmediateAnswer() async {
    let joiner = Locked<ResultBuffer?>(nil)
    let dedup = DedupExchange()
    let server = InlineExchange { _, forward in
      if case .share(let share) = dedup.join(
        postQuery(), forward: forward, look: nil, hasImmediateResults: false)
      {
        joiner.withLock { $0 = share.buffer }
      }
      return .just(post("title"))
    }
    let client = GraphQLClient([dedup, .documentCache, server])
    #expect(await client.query(postQuery()).summary == "title")
    let buffer = joiner.withLock { $0 }
    #expect(await buffer?.next()?.summary == "title")
    #expect(await buffer?.next() == nil && dedup.flightCount == 0)
  }

  @Test("A session that ends during such an answer cancels it (C10)")
  func switchDuringImmediateAnswer() async {
    let later = Locked<GraphQLClient?>(nil)
    let server = InlineExchange { _, _ in
      later.withLock { $0 }?.switchSession()
      return .just(post("title"))
    }
    let dedup = DedupExchange()
    let client = GraphQLClient([dedup, .documentCache, server])
    later.withLock { $0 = client }
    #expect(await client.query(postQuery()).error?.code == .cancelled)
    #expect(client.peek(postQuery()) == nil && dedup.flightCount == 0)
  }

  @Test("Several results that need no waiting reach every execution in order (D1)")
  func severalImmediateResults() async {
    let server = InlineExchange { _, _ in
      var half = post("half")
      half.hasNext = true
      return .just([half, half, post("whole")])
    }
    let client = GraphQLClient([.dedup, MapExchange(result: { $1 }), server])
    let results = client.results(of: postQuery(policy: .networkOnly))
    #expect(await results.all() == ["half more", "half more", "whole"])
  }
}
