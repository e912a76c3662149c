import Testing
import Weir
import WeirTesting

extension TotalTimeoutTests {
  @Test("The parts of a deferred result that have arrived stand beside the error (A4, H4)")
  func deferred() async {
    let server = InlineExchange { _, _ in
      ResultStream { [gate] yield in
        var part = post("first")
        part.hasNext = true
        yield(part)
        await gate.pass()
      }
    }
    let client = client(.dedup, .documentCache, server)
    var results = client.results(of: limited()).makeAsyncIterator()
    #expect(await results.next()?.summary == "first more")
    await clock.sleepers(1)
    clock.advance(by: .seconds(3))
    let last = await results.next()
    #expect(last?.error?.code == .timedOut)
    #expect(last?.summary == "first error")
    gate.open()
  }

  @Test(
    "After a complete result that was superseded, no earlier part stands beside the error (A4, C5)")
  func superseded() async {
    let requests = Counter()
    // The second request may arrive before the gate of the first one would be closed again.
    let (arrived, end) = (Gate(), Gate())
    let server = InlineExchange { operation, _ in
      if operation.kind == .mutation { return .just(updated) }
      return ResultStream { [gate] yield in
        guard requests.next() == 1 else {
          arrived.open()
          return await end.pass()
        }
        var part = post("part")
        part.hasNext = true
        yield(part)
        await gate.pass()
        yield(post("all"))
      }
    }
    let client = client(.dedup, .documentCache, server)
    var results = client.results(of: limited()).makeAsyncIterator()
    #expect(await results.next()?.summary == "part more")
    _ = await client.mutate(updatePost)
    await clock.sleepers(1)
    gate.open()
    #expect(await results.next()?.summary == "all stale")
    await arrived.pass()
    clock.advance(by: .seconds(3))
    let last = await results.next()
    #expect(last?.error?.code == .timedOut && last?.title != "part")
    end.open()
  }

  @Test("A superseded part beside the error is not stale, because nothing newer follows (A4)")
  func supersededPart() async {
    let asked = Gate()
    let server = InlineExchange { operation, _ in
      if operation.kind == .mutation { return .just(updated) }
      return ResultStream { [gate] yield in
        asked.open()
        await gate.pass()
        var part = post("part")
        part.hasNext = true
        yield(part)
        await Gate().pass()
      }
    }
    let client = client(.dedup, .documentCache, server)
    var results = client.results(of: limited()).makeAsyncIterator()
    async let first = results.next()
    await asked.pass()
    _ = await client.mutate(updatePost)
    await clock.sleepers(1)
    gate.open()
    #expect(await first?.summary == "part stale more")
    clock.advance(by: .seconds(3))
    #expect(await results.next()?.summary == "part error")
  }
}
