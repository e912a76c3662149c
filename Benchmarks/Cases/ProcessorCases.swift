#if canImport(WeirCurl) && (os(Linux) || os(macOS))
  import Foundation
  import Weir
  import WeirCurl

  /// The processor time that a request takes in this process, with each transport. The server is
  /// another process, and both transports are measured in alternation.
  enum ProcessorCases {
    static var all: [BenchmarkCase] {
      [1, 32, 128].flatMap { concurrent in
        Sender.allCases.map { processorTime($0, concurrent) }
      }
    }

    private enum Sender: String, CaseIterable {
      case curl, urlSession = "URLSessionTransport"

      var transport: any HTTPTransport {
        switch self {
        case .curl: CurlTransport()
        case .urlSession: URLSessionTransport()
        }
      }
    }

    private static func processorTime(_ sender: Sender, _ concurrent: Int) -> BenchmarkCase {
      BenchmarkCase(
        name: "http/\(sender.rawValue) processor time/\(concurrent) concurrent",
        yardstick: .jsonSerialization(1), isSlow: true
      ) {
        let server = try ServerProcess()
        let transports = Sender.allCases.map { ($0, $0.transport) }
        var times: [Double] = []
        return Workload(
          reset: {},
          run: { _ in
            for (other, transport) in transports {
              let time = try await nanoseconds(
                for: max(200, concurrent * 8), concurrent, over: transport, server.url)
              if other == sender { times.append(time) }
            }
          },
          latencies: { times }, tearDown: { server.stop() })
      }
    }

    /// Sends requests, a number of them at once, and returns the processor time of each.
    private static func nanoseconds(
      for requests: Int, _ concurrent: Int, over transport: any HTTPTransport, _ url: URL
    ) async throws -> Double {
      let start = processorNanoseconds
      try await withThrowingTaskGroup { group in
        for _ in 0..<concurrent {
          group.addTask {
            for _ in 0..<(requests / concurrent) {
              let response = try await transport.send(
                HTTPRequest(url: url, body: [UInt8](repeating: 32, count: 100)))
              let count = try await response.body.collect().count
              try expect(count == Payloads.post(1).count, "A response is wrong.")
            }
          }
        }
        try await group.waitForAll()
      }
      return (processorNanoseconds - start) / Double(requests / concurrent * concurrent)
    }

    private static var processorNanoseconds: Double {
      var time = timespec()
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
      return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
  }

  extension MemoryCases {
    /// Responses that stay open without any data, as idle subscriptions do.
    static var idleResponses: [MemoryCase] {
      let count = 10_000
      return [
        MemoryCase(
          name: "memory/idle response/\(count)", count: count, unit: "response", isSlow: true
        ) {
          try await IdleResponses(count)
        }
      ]
    }
  }

  /// A client's subscriptions of which none has had an event.
  private final class IdleResponses: Sendable {
    private let server: ServerProcess
    private let transport: CurlTransport
    private let tasks: [Task<Void, Never>]

    init(_ count: Int) async throws {
      ServerProcess.raiseDescriptorLimit()
      let server = try ServerProcess()
      self.server = server
      var options = CurlTransport.Options()
      options.connectionsPerHost = 0
      let transport = CurlTransport(options: options)
      self.transport = transport
      var request = HTTPRequest(
        url: server.url.appending(path: "idle"), body: [UInt8](repeating: 32, count: 300))
      request.headers["accept"] = "text/event-stream"
      var tasks: [Task<Void, Never>] = []
      while tasks.count < count {
        let responses = try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
          for _ in 0..<min(100, count - tasks.count) {
            group.addTask { [request] in try await transport.send(request) }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        tasks += responses.map { response in Task { _ = try? await response.body.collect() } }
      }
      self.tasks = tasks
    }

    deinit {
      for task in tasks { task.cancel() }
      // What libcurl has is freed when this returns.
      let closing = DispatchSemaphore(value: 0)
      Task { [transport] in
        await transport.close()
        closing.signal()
      }
      closing.wait()
      server.stop()
    }
  }
#endif
