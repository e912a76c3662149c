import Testing
import Weir
import WeirTesting

/// A query of one post. Each id makes another key.
func postQuery(_ id: String = "1", policy: RequestPolicy = .cacheFirst) -> GraphQLOperation {
  GraphQLOperation(
    "query Post($id: ID!) { post(id: $id) { id title } }", variables: ["id": .string(id)],
    context: OperationContext(requestPolicy: policy))
}

let updatePost = GraphQLOperation("mutation Update { updatePost { id title } }")

/// A server with one post, whose title counts the fetches, and with mutations that return a post.
func postServer(
  before answer: @escaping @Sendable (GraphQLOperation) async -> Void = { _ in }
) -> NumberingServer {
  NumberingServer { operation, number in
    await answer(operation)
    return operation.kind == .query ? post("title \(number)") : updated
  }
}

/// A scripted server that numbers the queries, beginning with 1. Other operations have the number 0.
///
/// A query has its number before ``received(_:)`` returns. A number that the answer draws itself may come
/// later, and so two requests could swap theirs: each answer runs in a task of its own.
struct NumberingServer: Exchange {
  private enum Number: OperationContextKey { static let defaultValue = 0 }

  private let queries = Counter()
  private let scripted: ScriptedExchange

  init(_ answer: @escaping @Sendable (GraphQLOperation, Int) async -> OperationResult) {
    scripted = ScriptedExchange { await answer($0, $0.context[Number.self]) }
  }

  var operations: [GraphQLOperation] { scripted.operations }

  func received(_ count: Int) async { await scripted.received(count) }

  func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    .deferred {
      let number = operation.kind == .query ? queries.next() : 0
      return scripted.execute(operation.with { $0[Number.self] = number }, forward: forward)
    }
  }
}

func post(_ title: String) -> OperationResult {
  .data(#"{"post":{"id":"1","title":"\#(title)","__typename":"Post"}}"#)
}

let updated = OperationResult.data(
  #"{"updatePost":{"id":"1","title":"new","__typename":"Post"}}"#)

extension OperationResult {
  var title: String? { data?["post"]?["title"]?.string }

  /// A summary for comparing whole runs: "title 1", "title 1 stale", "error", "nothing".
  var summary: String {
    let what = title ?? (data == nil ? nil : "data")
    let parts = [
      what, error.map { _ in "error" }, isStale ? "stale" : nil, hasNext ? "more" : nil,
    ].compactMap { $0 }
    return parts.isEmpty ? "nothing" : parts.joined(separator: " ")
  }
}

final class Counter: Sendable {
  private let value = Locked(0)

  func next() -> Int {
    value.withLock { value in
      value += 1
      return value
    }
  }

  var count: Int { value.withLock { $0 } }
}

/// Executes two queries above a dedup exchange and the given ones, so that they share one request;
/// the second has the additional typename "Feed".
func clientThatSharedRequest(_ exchanges: [any Exchange]) async -> GraphQLClient {
  let gate = Gate()
  let server = postServer { _ in await gate.pass() }
  let dedup = DedupExchange()
  let client = GraphQLClient([dedup] + exchanges + [server])
  async let first = client.query(postQuery())
  await server.received(1)
  async let second = client.query(postQuery().with { $0.additionalTypenames = ["Feed"] })
  await dedup.shares(2)
  gate.open()
  _ = await (first, second)
  #expect(server.operations.count == 1)
  return client
}

/// A watch that a test reads step by step.
final class Watcher: Sendable {
  private let results: AsyncStream<OperationResult>
  private let task: Task<Void, Never>
  private let seen = Locked([String]())

  init(_ stream: ResultStream) {
    let (results, continuation) = AsyncStream.makeStream(of: OperationResult.self)
    self.results = results
    task = Task {
      for await result in stream { continuation.yield(result) }
      continuation.finish()
    }
  }

  deinit { task.cancel() }

  /// Returns summaries of the next `count` results.
  func next(_ count: Int) async -> [String] {
    var found: [String] = []
    for await result in results.prefix(count) { found.append(result.summary) }
    return found
  }

  func cancel() { task.cancel() }
}

extension ResultStream {
  /// Returns summaries of all results.
  func all() async -> [String] {
    var found: [String] = []
    for await result in self { found.append(result.summary) }
    return found
  }
}
