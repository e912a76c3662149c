import Foundation
import Testing
import Weir

@Suite("A subscriber that stalls", .serialized, .timeLimit(.minutes(10)))
struct BackPressureTests {
  private let flood = GraphQLOperation("subscription F { number text }")

  private func client(
    _ space: Space, _ transport: any HTTPTransport, events: Int, size: Int
  ) -> GraphQLClient {
    var configuration = FetchConfiguration.patient
    configuration.transport = transport
    configuration.reconnection = nil
    let url = space.view("flood").appending(queryItems: [
      URLQueryItem(name: "events", value: "\(events)"),
      URLQueryItem(name: "size", value: "\(size)"),
    ])
    return GraphQLClient([.dedup, .documentCache, .fetch(url, configuration)])
  }

  /// Reads on from event 1. Every event must arrive in order, and then the stream must end.
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

  @Test("It holds the server back, and then gets every event in order")
  func heldBack() async throws {
    let space = try await Space()
    let count = 30_000
    let transport = SocketTransport()
    var events = client(space, transport, events: count, size: 1_400)
      .subscribe(flood).makeAsyncIterator()
    #expect(await events.next()?.data?["number"]?.int == 0)
    let stalled = try await space.stats(when: "stalled", reaches: 1).marks
    // The consumer does not read, so only the system's buffers fill.
    #expect(transport.receivedBytes < 100_000)
    #expect(stalled["sent", default: 0] < count / 2)
    await readOn(&events, to: count)
    #expect(try await space.stats(when: "sent", reaches: count).marks["sent"] == count)
  }

  #if os(Linux)
    @Test("It does not fill the memory when URLSession cannot hold the server back")
    func bounded() async throws {
      // In a process of its own, because other tests use memory, too.
      await #expect(processExitsWith: .success) {
        let tests = BackPressureTests()
        let space = try await Space()
        _ = try await space.stats()
        let before = residentBytes()
        let count = 60_000
        var events = tests.client(space, URLSessionTransport(), events: count, size: 2_000)
          .subscribe(tests.flood).makeAsyncIterator()
        #expect(await events.next()?.data?["number"]?.int == 0)
        _ = try await space.stats(when: "sent", reaches: count)
        let grown = residentBytes() - before
        // All events together have more than 120 MB, and their documents several times as much.
        #expect(grown < 60_000_000, "\(grown) bytes")
        await tests.readOn(&events, to: count)
      }
    }
  #endif
}

/// The resident memory of this process; 0 if the system does not report it here.
func residentBytes() -> Int {
  let statm = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
  let pages = statm?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
  return (pages ?? 0) * sysconf(Int32(_SC_PAGESIZE))
}
