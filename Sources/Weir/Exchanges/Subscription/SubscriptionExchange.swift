/// Sends subscriptions, and other operations if you like, by a transport other than HTTP.
///
/// It stands below the caches, which learn from events, and above fetch, which would send
/// subscriptions itself:
///
/// ```swift
/// var configuration = WebSocketConfiguration()
/// configuration.connectionParameters = { ["token": .string(try await tokens.current())] }
/// let socket = try WebSocketTransport(url: socketURL, configuration: configuration)
/// let client = GraphQLClient([.dedup, .documentCache, .subscription(socket), .fetch(url)])
/// for await event in client.subscribe(todoChanged) {
///   show(event)   // leaving the loop unsubscribes
/// }
/// ```
///
/// Each event is a result of its own; completion ends the stream and repeats nothing. When the
/// connection is lost it is made again (``Reconnection``), the operation is sent again, and what is
/// watched is fetched again, since events may have been missed. Subscriptions that were lost together
/// come back together, in one attempt. Queries and mutations that are sent this way are never sent
/// twice. Operations with files are forwarded, whatever their kind: only requests by HTTP carry files.
///
/// It makes no task of its own and reads as fast as its consumer asks.
public struct SubscriptionExchange: Exchange {
  private let transport: any SubscriptionTransport
  private let kinds: Set<GraphQLOperation.Kind>
  private let reconnection: Reconnection?
  private let attempts = SharedAttempts()

  /// An exchange that sends operations of some kinds by a transport.
  ///
  /// - Parameters:
  ///   - transport: what carries them.
  ///   - kinds: which operations; others are forwarded.
  ///   - reconnection: how the lost connection of a subscription is made again; nil if its loss is
  ///     to be its end.
  public init(
    _ transport: any SubscriptionTransport, kinds: Set<GraphQLOperation.Kind> = [.subscription],
    reconnection: Reconnection? = Reconnection()
  ) {
    self.transport = transport
    self.kinds = kinds
    self.reconnection = reconnection
  }

  /// Starts an operation when the stream is iterated.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    guard kinds.contains(operation.kind), operation.uploads.isEmpty else {
      return forward(operation)
    }
    let reconnection = operation.kind == .subscription ? reconnection : nil
    return ResultStream(source: {
      SubscriptionSource(operation, reconnection: reconnection, attempts: attempts) { _ in
        await open(operation)
      }
    })
  }

  private func open(_ operation: GraphQLOperation) async -> Answer {
    do {
      return .feed(
        EventFeed(try await transport.subscribe(to: operation), kind: operation.kind))
    } catch {
      return .result(OperationResult(error: OperationError(subscriptionFailure: error)))
    }
  }
}

extension Exchange where Self == SubscriptionExchange {
  /// Sends subscriptions by a transport other than HTTP; see ``SubscriptionExchange``. Place it
  /// above fetch.
  public static func subscription(
    _ transport: any SubscriptionTransport, kinds: Set<GraphQLOperation.Kind> = [.subscription],
    reconnection: Reconnection? = Reconnection()
  ) -> SubscriptionExchange {
    SubscriptionExchange(transport, kinds: kinds, reconnection: reconnection)
  }
}
