/// An exchange that sends one subscription for all equal ones that run at the same time.
///
/// ```swift
/// let client = GraphQLClient([
///   .sharedSubscriptions, .dedup, .documentCache, .subscription(socket), .fetch(url),
/// ])
/// // In three views: the server gets one subscription, and each loop gets every event.
/// for await event in client.subscribe(postAdded) { show(event) }
/// ```
///
/// Place it above dedup and the cache, which then take in each event once, whoever reads it.
///
/// - A loop that joins receives the events that arrive from then on, not those before. So leave this exchange
///   out if your server begins each subscription with the present value, as Hasura's live queries do.
/// - The subscription ends when the last loop is left. If the server ends it, or it fails, all its loops end,
///   each with the error; one that subscribes afterwards starts another.
/// - Subscriptions are equal if document, variables, endpoint, headers (except neutral ones), session, the need
///   for credentials, ``OperationContext/additionalTypenames`` and ``OperationContext/storesResult`` are the
///   same. The exchanges below see the other settings, and the task-local values, of the execution that has
///   started the subscription. To keep subscriptions apart, use a header or ``OperationContext/endpoint``.
/// - The actions of ``OperationContext/onConnectionChange(_:)`` and ``OperationContext/onMissedEvents(_:)`` are
///   performed for each loop. One that joins learns the last change of the connection at once.
/// - The exchange reads as fast as the fastest loop does. A loop that leaves more bytes unread than
///   `maximumUnreadBytes` while another goes on ends with the error of a ``WebSocketTransport``, and the others
///   do not notice. A loop that is alone holds its server back, as without this exchange.
///
/// A subscription costs one more task, however many loops share it. Queries and mutations pass.
public final class SharedSubscriptionsExchange: Exchange {
  private let running = Locked<[SharedSubscription.Key: SharedSubscription]>([:])
  private let maximumUnreadBytes: Int

  /// Creates an exchange without subscriptions.
  ///
  /// - Parameter maximumUnreadBytes: The maximum size of the events that one of several loops leaves unread, in
  ///   bytes: their JSON text, and 256 bytes for each. Default 16 MiB, as
  ///   ``WebSocketConfiguration/maximumUnreadBytes``.
  public init(maximumUnreadBytes: Int = 16 << 20) {
    self.maximumUnreadBytes = maximumUnreadBytes
  }

  /// Joins or starts a subscription when the stream is iterated; forwards queries and mutations.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    guard operation.kind == .subscription else { return forward(operation) }
    return ResultStream(source: { [self] in SharedEvents(self, operation, forward) })
  }

  /// Gives an execution a share in the subscription that runs, or in a new one.
  fileprivate func join(
    _ share: SharedSubscription.Share, _ operation: GraphQLOperation, _ forward: Forward
  ) -> SharedSubscription {
    let key = SharedSubscription.Key(operation)
    while true {
      let (subscription, isNew) = running.withLock { running in
        if let subscription = running[key] { return (subscription, false) }
        let made = SharedSubscription(key, of: self, share, limit: maximumUnreadBytes)
        running[key] = made
        return (made, true)
      }
      if isNew {
        subscription.start(operation, forward)
        return subscription
      }
      if subscription.add(share) { return subscription }
      forget(subscription)
    }
  }

  /// Notes that nobody can join a subscription any more.
  func forget(_ subscription: SharedSubscription) {
    running.withLock { running in
      if running[subscription.key] === subscription { running[subscription.key] = nil }
    }
  }
}

extension Exchange where Self == SharedSubscriptionsExchange {
  /// Sends one subscription for all equal ones; see ``SharedSubscriptionsExchange``. Place it above dedup.
  public static var sharedSubscriptions: SharedSubscriptionsExchange {
    SharedSubscriptionsExchange()
  }
}

/// One execution that shares a subscription.
private final class SharedEvents: ResultSource {
  private let exchange: SharedSubscriptionsExchange
  private let operation: GraphQLOperation
  private let forward: Forward
  private let buffer = ResultBuffer()
  private var subscription: SharedSubscription?

  init(
    _ exchange: SharedSubscriptionsExchange, _ operation: GraphQLOperation, _ forward: Forward
  ) {
    self.exchange = exchange
    self.operation = operation
    self.forward = forward
  }

  deinit { subscription?.leave(buffer) }

  override var startsByItself: Bool { true }

  override var stop: (@Sendable () -> Void)? { { [buffer] in buffer.finish() } }

  override func start() {
    guard subscription == nil else { return }
    let share = SharedSubscription.Share(buffer: buffer, context: operation.context)
    subscription = exchange.join(share, operation, forward)
  }

  override func step() -> ResultStream.Iterator.Step {
    start()
    guard let element = buffer.take() else { return .waiting(for: .buffer(buffer)) }
    if let event = element.result {
      subscription?.noteRead(event, from: buffer)
    } else {
      subscription?.leave(buffer)
    }
    return .done(element.result)
  }
}
