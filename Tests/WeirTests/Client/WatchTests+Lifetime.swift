import Testing
import Weir
import WeirTesting

extension WatchTests {
  // MARK: - The start and the end of a watch (W6, W7)

  @Test("Creating a stream does nothing; its first result is as new as its iteration (W7)")
  func cold() async {
    let server = postServer()
    let client = GraphQLClient([.dedup, .documentCache, server])
    let streams = [client.watch(postQuery()), client.results(of: postQuery())]
    #expect(server.operations.isEmpty)
    _ = await client.query(postQuery())
    client.invalidate(types: "Post")
    _ = await client.query(postQuery())
    for stream in streams {
      var iterator = stream.makeAsyncIterator()
      #expect(await iterator.next()?.summary == "title 2")
    }
  }

  @Test("A watch ends if an execution yields no result that can be refreshed (W6)")
  func ends() async {
    let silent = ScriptedExchange(streaming: { _ in .just([]) })
    #expect(await GraphQLClient([silent]).watch(postQuery()).all() == [])
    #expect(await GraphQLClient([postServer()]).watch(postQuery()).all() == ["title 1"])
    #expect(await GraphQLClient([]).watch(postQuery()).all() == ["error"])
  }

  @Test("A cancelled watch ends, whether it is waiting or not (W6)")
  func cancellation() async {
    let client = GraphQLClient([.dedup, .documentCache, postServer()])
    let first = Gate()
    let task = Task {
      var count = 0
      for await _ in client.watch(postQuery()) {
        count += 1
        first.open()
      }
      return count
    }
    await first.pass()
    task.cancel()
    #expect(await task.value == 1)
  }

  @Test("A watch that has ended holds nothing, even if its iterator is kept (W6, C9)")
  func keptIterator() async {
    let cache = DocumentCacheExchange()
    let client = GraphQLClient([cache, postServer()])
    let hasStarted = Gate()
    let task = Task {
      var watch = client.watch(postQuery()).makeAsyncIterator()
      _ = await watch.next()
      hasStarted.open()
      #expect(await watch.next() == nil)
      client.clear()
      #expect(cache.statistics.keyCount == 0)
      #expect(await watch.next() == nil)
    }
    await hasStarted.pass()
    #expect(cache.statistics.keyCount == 1)
    task.cancel()
    await task.value
  }
}
