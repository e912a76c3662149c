import Foundation
import TestSupport
import Testing
@testable import Weir
import WeirTesting

extension BatchFetchTests {
  /// A client whose batching window is controlled by a manual clock, and a server that accepts
  /// batches and answers each operation with its name.
  struct Fixture {
    let transport: ScriptedTransport
    let exchange: BatchFetchExchange
    let client: GraphQLClient
    let clock = ManualClock()

    init(
      answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse = {
        try Fixture.names($0)
      },
      _ configure: (inout FetchConfiguration) -> Void = { _ in },
      batching configureBatches: (inout BatchConfiguration) -> Void = { _ in }
    ) throws {
      transport = ScriptedTransport(answer)
      var configuration = FetchConfiguration()
      configuration.transport = transport
      configure(&configuration)
      var batching = BatchConfiguration()
      batching.window = .duration(.milliseconds(10), clock: clock)
      configureBatches(&batching)
      let url = try #require(URL(string: "https://example.org/graphql"))
      exchange = BatchFetchExchange(url, configuration: configuration, batching: batching)
      client = GraphQLClient([exchange])
    }

    /// A server that gives the same response to every request.
    init(body: String, status: Int = 200) throws {
      try self.init(answer: { _ in
        HTTPResponse(
          status: status, headers: ["content-type": "x/y"], body: HTTPBody(Array(body.utf8)))
      })
    }

    static func names(_ request: HTTPRequest) throws -> HTTPResponse {
      let json = try JSON(parsing: request.body)
      func result(_ operation: JSON) -> String {
        #"{"data":{"name":"\#(operation["operationName"]?.string ?? "none")"}}"#
      }
      let body =
        json.kind == .array
        ? "[" + json.elements.map(result).joined(separator: " ,\n") + "]" : result(json)
      return HTTPResponse(status: 200, body: HTTPBody(Array(body.utf8)))
    }

    /// Starts operations one after the other. When it returns, the first `seated` of them wait in a
    /// batch.
    func start(
      _ operations: [GraphQLOperation], seated: Int? = nil
    ) async -> [Task<OperationResult, Never>] {
      var tasks: [Task<OperationResult, Never>] = []
      for (number, operation) in operations.enumerated() {
        tasks.append(Task { [client] in await client.query(operation) })
        // Later ones may leave at once, together with those that wait.
        guard number < seated ?? .max else { continue }
        await eventually { exchange.waitingCount > number }
      }
      return tasks
    }

    /// Closes the window of every waiting batch.
    func closeWindow(batches: Int = 1) async {
      await clock.sleepers(batches)
      clock.advance(by: .milliseconds(10))
    }

    /// The operation names in each request. A single operation is sent without a list.
    var sent: [[String]] {
      get throws {
        try transport.requests.map { request in
          let json = try JSON(parsing: request.body)
          return (json.kind == .array ? Array(json.elements) : [json])
            .map { $0["operationName"]?.string ?? "none" }
        }
      }
    }
  }

  func query(_ name: String) -> GraphQLOperation {
    GraphQLOperation(GraphQLDocument("query \(name) { name }"))
  }

  func mutation(_ name: String) -> GraphQLOperation {
    GraphQLOperation(GraphQLDocument("mutation \(name) { name }"))
  }

  /// The name in each operation's response, or the code of its error.
  func outcomes(_ tasks: [Task<OperationResult, Never>]) async -> [String] {
    var outcomes: [String] = []
    for task in tasks {
      let result = await task.value
      outcomes.append(
        result.data?["name"]?.string ?? result.error?.code.description ?? "nothing")
    }
    return outcomes
  }
}
