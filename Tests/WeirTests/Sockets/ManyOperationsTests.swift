#if os(Linux)
  import Foundation
  import TestSupport
  import Testing
  import WeirTesting

  @testable import Weir

  @Suite("Many operations that wait for one connection", .timeLimit(.minutes(10)))
  struct ManyOperationsTests {
    /// The most memory that the process has had at once, in bytes, since the mark was set.
    private struct Peak {
      /// Sets the mark.
      init() throws {
        try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
      }

      func bytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM") })
        return 1024 * (try #require(Int(line.filter(\.isNumber))))
      }
    }

    /// The processor time that it takes to begin the connections of some users.
    private func time(ofConnections count: Int) -> Duration {
      let transport = WebSocketTransport(WebSocketConfiguration(clock: ManualClock())) { _ in
        // None is ever there.
        await Gate().pass()
        throw CancellationError()
      }
      return processorTime {
        for user in 0..<count {
          let operation = GraphQLOperation("subscription { counter }").with {
            $0.headers["authorization"] = "user \(user)"
          }
          Task.immediate { _ = try await transport.subscribe(to: operation) }.cancel()
        }
      }
    }

    @Test("Connections for many users cost as much for each as those for a few (H6)")
    func users() {
      let few = (0..<3).map { _ in time(ofConnections: 500) }.min() ?? .zero
      let many = (0..<3).map { _ in time(ofConnections: 4_000) }.min() ?? .zero
      // 8 times as many; a look at each connection for each other would take 64 times as long.
      #expect(many < few * 32, "\(few), \(many)")
    }

    @Test("Sending many operations at once takes memory for each of them, not for each pair (H6)")
    func memory() async {
      // A process of its own, because the other tests use memory at the same time.
      await #expect(processExitsWith: .success) {
        let server = ScriptedServer()
        let connection = SharedConnection(
          WebSocketConfiguration(clock: ManualClock()), { [:] },
          { _, _ in try await server.connect() }, isSessionOver: { false })
        let request = Array(#"{"query":"subscription { counter }"}"#.utf8)
        let queues = (0..<10_000).map { _ in
          connection.start(request, OperationContext(), isSubscription: true).1
        }
        let socket = try await server.connection(1)
        _ = await socket.sent(1)
        let peak = try Peak()
        let before = try peak.bytes()
        socket.say(#"{"type":"connection_ack"}"#)
        for queue in queues { try await queue.accepted() }
        // A copy of the others for each takes 1.2 GB.
        #expect(try peak.bytes() - before < 300_000_000)
        connection.end()
      }
    }
  }
#endif
