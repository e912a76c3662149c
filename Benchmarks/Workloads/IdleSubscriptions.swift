import Weir

/// Subscriptions that share one WebSocket, each read by a task, of which none has had an event. The
/// socket is a part of this process, so that only what each of them adds counts.
final class IdleSubscriptions: Sendable {
  private let tasks: [Task<Void, Never>]

  init(_ count: Int) async {
    let socket = SilentSocket(count)
    let transport = WebSocketTransport { _ in socket }
    let client = GraphQLClient([
      .dedup, .documentCache, .subscription(transport), InlineExchange.unreachable,
    ])
    let document = GraphQLDocument("subscription Post($id: ID!) { post(id: $id) { id title } }")
    tasks = (0..<count).map { id in
      Task {
        let operation = GraphQLOperation(document, variables: ["id": .string("\(id)")])
        for await result in client.subscribe(operation) { use(result.data) }
      }
    }
    _ = await socket.subscribed.done()
  }

  deinit {
    for task in tasks { task.cancel() }
  }
}

/// Acknowledges the connection, and says nothing else.
private final class SilentSocket: TextSocket {
  let subscribed: Countdown
  private let messages = AsyncStream.makeStream(of: String.self)

  init(_ count: Int) {
    subscribed = Countdown(count)
  }

  func send(_ text: String) async throws {
    if text.contains("connection_init") {
      messages.continuation.yield(#"{"type":"connection_ack"}"#)
    } else if text.contains(#""subscribe""#) {
      subscribed.arrive()
    }
  }

  func receive() async throws -> String {
    for await message in messages.stream { return message }
    throw CancellationError()
  }
}
