import Foundation
import Weir

#if canImport(WeirCurl)
  import WeirCurl
#endif
#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Requests over a socket to a server in the same process: their number per second, and the time of
/// each, with `URLSession` and with libcurl. `URLSession` alone does the same for comparison.
enum HTTPCases {
  static var all: [BenchmarkCase] {
    [1, 16, 128].flatMap { concurrent in
      Sender.allCases.flatMap { sender in
        [throughput(sender, concurrent), latency(sender, concurrent)]
      }
    }
  }

  private enum Sender: String, CaseIterable {
    case weir = "loopback"
    #if canImport(WeirCurl)
      case curl = "curl"
    #endif
    case urlSession = "URLSession alone"
  }

  private static func throughput(_ sender: Sender, _ concurrent: Int) -> BenchmarkCase {
    BenchmarkCase(
      name: "http/\(sender.rawValue)/\(concurrent) concurrent", yardstick: .jsonSerialization(1)
    ) {
      let server = try LoopbackServer(body: Payloads.post(1))
      let ask = ask(sender, server)
      return Workload(
        rate: "requests",
        run: { operations in _ = try await times(operations, concurrent, ask) },
        tearDown: { server.stop() })
    }
  }

  private static func latency(_ sender: Sender, _ concurrent: Int) -> BenchmarkCase {
    BenchmarkCase(
      name: "http/\(sender.rawValue) latency/\(concurrent) concurrent",
      yardstick: .jsonSerialization(1), isSlow: concurrent > 16
    ) {
      let server = try LoopbackServer(body: Payloads.post(1))
      let ask = ask(sender, server)
      var latencies: [Double] = []
      return Workload(
        reset: { if latencies.count >= 100_000 { latencies = [] } },
        run: { _ in latencies += try await times(concurrent * 4, concurrent, ask) },
        latencies: { latencies }, tearDown: { server.stop() })
    }
  }

  /// Sends requests, a number of them at once, and returns how many nanoseconds each took.
  private static func times(
    _ requests: Int, _ concurrent: Int, _ ask: @escaping @Sendable (Int) async throws -> Void
  ) async throws -> [Double] {
    let share = (requests + concurrent - 1) / concurrent
    let tasks = (0..<min(requests, concurrent)).map { worker in
      Task {
        var times: [Double] = []
        // The last workers have nothing to do if the others have taken all.
        for _ in 0..<max(0, min(share, requests - worker * share)) {
          let start = ContinuousClock.now
          try await ask(worker)
          times.append((ContinuousClock.now - start).nanoseconds)
        }
        return times
      }
    }
    var times: [Double] = []
    for task in tasks { times += try await task.value }
    return times
  }

  /// The work for one request. Each worker asks for another post, so no request is shared.
  private static func ask(
    _ sender: Sender, _ server: LoopbackServer
  ) -> @Sendable (Int) async throws -> Void {
    switch sender {
    case .weir: weir(GraphQLClient(url: server.url))
    #if canImport(WeirCurl)
      case .curl:
        weir(
          GraphQLClient([.dedup, .documentCache, .fetch(server.url, transport: CurlTransport())]))
    #endif
    case .urlSession: urlSession(server.url)
    }
  }

  /// The check sum of post 1: "1", "Post 1", "Body of post 1", true, "1", "Author 1".
  private static let checksum = 1 + 6 + 14 + 1 + 1 + 8

  private static func weir(_ client: GraphQLClient) -> @Sendable (Int) async throws -> Void {
    let context = OperationContext(requestPolicy: .networkOnly)
    return { worker in
      let result = await client.query(
        Queries.post, IDVariables(id: "\(worker)"), context: context)
      try expect(
        result.outcome == .miss && result.data?.checksum == checksum, "A response is wrong.")
    }
  }

  private static func urlSession(_ url: URL) -> @Sendable (Int) async throws -> Void {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = 64
    let session = URLSession(configuration: configuration)
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "content-type")
    request.httpBody = Data(#"{"query":"{ post(id: 1) { id } }"}"#.utf8)
    return { [request] _ in
      let (data, _) = try await session.data(for: request)
      let post = try JSONDecoder().decode(Response<PostData>.self, from: data)
      try expect(post.data.checksum == checksum, "A response is wrong.")
    }
  }
}
