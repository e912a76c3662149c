#if os(Linux)
  import Foundation
  import Testing
  import Weir
  import WeirCurl

  /// Each hostile response in a process of its own, so that one that ends the process is found and
  /// named, and none profits from an earlier one. Runs with `WEIR_CHILDREN=1`.
  @Suite("CurlTransport and hostile servers, in child processes", .timeLimit(.minutes(60)))
  struct HostileChildTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let url = environment["WEIR_HOSTILE_URL"].flatMap { URL(string: $0) }
    /// How many children run at once.
    private static let width = 4

    @Test(
      "Each response ends its process as expected, and not otherwise (H3)",
      .enabled(if: environment["WEIR_CHILDREN"] == "1"))
    func eachAlone() async throws {
      let space = try await Space()
      var kinds = try await space.kinds("hostile")[...]
      try await withThrowingTaskGroup { group in
        for _ in 0..<Self.width {
          if let kind = kinds.popFirst() { group.addTask { try await run(kind, in: space) } }
        }
        while try await group.next() != nil {
          if let kind = kinds.popFirst() { group.addTask { try await run(kind, in: space) } }
        }
      }
    }

    private func run(_ kind: BrokenKind, in space: Space) async throws {
      let status = try await status(
        ofChild: "HostileChildTests/oneResponse",
        [
          "WEIR_CHILDREN": "", "WEIR_HOSTILE_URL": space.hostile(kind.name).absoluteString,
          "WEIR_HOSTILE_OUTCOMES": kind.outcomes.joined(separator: "|"),
        ])
      #expect(status == 0, "\(kind): the child ended with \(status)")
    }

    @Test("The response whose URL is in the environment", .enabled(if: url != nil))
    func oneResponse() async throws {
      let expected = Self.environment["WEIR_HOSTILE_OUTCOMES", default: ""].split(separator: "|")
      let isSlow = expected.contains("timedOut")
      let request = HTTPRequest(
        url: try #require(Self.url), timeout: isSlow ? .milliseconds(300) : .seconds(600),
        responseBodyLimit: 1_000_000)
      var outcome = ""
      do {
        let response = try await CurlTransport().send(request)
        let body = try await response.body.collect()
        let isData = body == Array(#"{"data":{"hello":"Hello, world!"}}"#.utf8)
        outcome = response.status == 200 && isData ? "data" : "\(response.status)"
      } catch let error as HTTPTransportError {
        outcome = error.code.description
      }
      #expect(expected.contains(outcome[...]), "\(outcome), not \(expected)")
    }
  }
#endif
