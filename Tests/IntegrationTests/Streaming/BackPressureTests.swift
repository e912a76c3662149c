import Foundation
import Testing
import Weir

@Suite("A subscriber that stalls", .serialized, .timeLimit(.minutes(10)))
struct BackPressureTests {
  private let flood = GraphQLOperation("subscription F { number text }")

  private func client(
    _ space: Space, _ transport: any HTTPTransport, events: Int, size: Int
  ) -> GraphQLClient {
    var configuration = FetchConfiguration()
    configuration.transport = transport
    configuration.reconnection = nil
    let url = space.view("flood").appending(queryItems: [
      URLQueryItem(name: "events", value: "\(events)"),
      URLQueryItem(name: "size", value: "\(size)"),
    ])
    return GraphQLClient([.dedup, .documentCache, .fetch(url, configuration)])
  }

  /// Reads on from event 1; every one has to come, in order, then the end.
  private func readOn(_ events: inout ResultStream.Iterator, to count: Int) async {
    var expected = 1
    while let event = await events.next(isolation: #isolation) {
      guard event.error == nil, event.data?["number"]?.int == Int64(expected) else {
        Issue.record("Event \(expected) is \(event.line)")
        return
      }
      expected += 1
    }
    #expect(expected == count)
  }

  @Test("holds the server back; then it gets every event, in order")
  func heldBack() async throws {
    let space = try await Space()
    let count = 30_000
    let transport = SocketTransport()
    var events = client(space, transport, events: count, size: 1_400)
      .subscribe(flood).makeAsyncIterator()
    #expect(await events.next()?.data?["number"]?.int == 0)
    let stalled = try await space.stats(when: "stalled", reaches: 1).marks
    // Nobody reads: what has left the server is in the system's buffers.
    #expect(transport.receivedBytes < 100_000)
    #expect(stalled["sent", default: 0] < count / 2)
    await readOn(&events, to: count)
    #expect(try await space.stats(when: "sent", reaches: count).marks["sent"] == count)
  }

  @Test("does not fill the memory with what URLSession cannot hold back; nothing is lost")
  func bounded() async throws {
    let space = try await Space()
    let before = residentBytes()
    let count = 30_000
    var events = client(space, URLSessionTransport(), events: count, size: 2_000)
      .subscribe(flood).makeAsyncIterator()
    #expect(await events.next()?.data?["number"]?.int == 0)
    #if canImport(FoundationNetworking)
      _ = try await space.stats(when: "sent", reaches: count)
    #else
      _ = try await space.stats(when: "stalled", reaches: 1)
    #endif
    let grown = residentBytes() - before
    // All events have more than 60 MB, their documents several times as much; other tests take some
    // memory meanwhile.
    #expect(grown < 60_000_000, "\(grown) bytes")
    await readOn(&events, to: count)
  }
}

/// What the process holds in memory now; 0 where that is not told so easily.
private func residentBytes() -> Int {
  let statm = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
  let pages = statm?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
  return (pages ?? 0) * sysconf(Int32(_SC_PAGESIZE))
}
