/// Sends subscriptions, and other operations if you like, with a transport other than HTTP.
///
/// Place it below the caches, which learn from events, and above fetch, which would send
/// subscriptions itself:
///
/// ```swift
/// var configuration = WebSocketConfiguration()
/// configuration.connectionParameters = { _ in ["token": .string(try await tokens.current())] }
/// let socket = try WebSocketTransport(url: socketURL, configuration: configuration)
/// let client = GraphQLClient([.dedup, .documentCache, .subscription(socket), .fetch(url)])
/// for await event in client.subscribe(todoChanged) {
///   show(event)   // leaving the loop unsubscribes
/// }
/// ```
///
/// Each event is a result of its own; the stream ends when the server completes the subscription.
/// When the connection is lost, the exchange opens it again (``Reconnection``) and sends the
/// subscription again, and the watched results are refetched, because events may have been missed.
/// Subscriptions that were lost together return together, in one attempt. Queries and mutations are
/// never sent twice, and have no time limit but ``OperationContext/totalTimeout``: those of fetch and of
/// ``OperationContext/requestTimeout`` are for HTTP. Operations with files are always forwarded: only HTTP
/// requests carry files.
///
/// The exchange makes no task of its own, and reads only when its consumer asks.
public struct SubscriptionExchange: StatefulExchange, SessionHolder, ReopeningExchange {
  private let transport: any SubscriptionTransport
  let kinds: Set<GraphQLOperation.Kind>
  private let reconnection: Reconnection?
  private let maximumResponseBytes: Int
  private let attempts = ReconnectionTimes()

  /// Makes an exchange that sends operations of some kinds with a transport.
  ///
  /// - Parameters:
  ///   - transport: The transport.
  ///   - kinds: The kinds of operations to send; others are forwarded.
  ///   - reconnection: How to open a subscription's lost connection again; nil to end the
  ///     subscription with an error instead.
  ///   - maximumResponseBytes: The maximum size in bytes of one event or response with all that
  ///     incremental payloads add to it. Default 64 MiB. Beyond it, the operation ends with an
  ///     error (``StreamFormatError/Code/tooLarge``).
  public init(
    _ transport: any SubscriptionTransport, kinds: Set<GraphQLOperation.Kind> = [.subscription],
    reconnection: Reconnection? = Reconnection(), maximumResponseBytes: Int = 64 << 20
  ) {
    self.maximumResponseBytes = maximumResponseBytes
    self.transport = transport
    self.kinds = kinds
    self.reconnection = reconnection
  }

  /// Starts an operation when the stream is iterated.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    guard sends(operation) else { return forward(operation) }
    if operation.isCacheOnly { return .just(.unsent) }
    let reconnection = operation.kind == .subscription ? reconnection : nil
    return ResultStream(source: {
      SubscriptionSource(operation, reconnection: reconnection, attempts: attempts) { _ in
        await open(operation)
      }
    })
  }

  private func sends(_ operation: GraphQLOperation) -> Bool {
    kinds.contains(operation.kind) && operation.uploads.isEmpty
  }

  func reconnection(of subscription: GraphQLOperation, forward: Forward) -> Reconnection? {
    sends(subscription) ? reconnection : forward.reconnection(of: subscription)
  }

  /// Does nothing.
  public func invalidate(_ invalidation: Invalidation) {}

  package var session: Session {
    (transport as? any SessionHolder)?.session ?? Session(number: 0)
  }

  /// Tells the transport, which must not use the new user's credentials for older operations.
  public func switchSession(to session: Session) {
    transport.switchSession(to: session)
  }

  private func open(_ operation: GraphQLOperation) async -> OperationResponse {
    let start = ContinuousClock.now
    do {
      return .feed(
        EventFeed(
          try await transport.subscribe(to: operation), kind: operation.kind,
          limit: maximumResponseBytes, since: start))
    } catch {
      return .result(OperationResult(error: OperationError(subscriptionFailure: error)))
    }
  }
}

extension Exchange where Self == SubscriptionExchange {
  /// Sends subscriptions with a transport other than HTTP; see ``SubscriptionExchange``. Place it
  /// above fetch.
  public static func subscription(
    _ transport: any SubscriptionTransport, kinds: Set<GraphQLOperation.Kind> = [.subscription],
    reconnection: Reconnection? = Reconnection(), maximumResponseBytes: Int = 64 << 20
  ) -> SubscriptionExchange {
    SubscriptionExchange(
      transport, kinds: kinds, reconnection: reconnection,
      maximumResponseBytes: maximumResponseBytes)
  }
}
