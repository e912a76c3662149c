/// A type that carries operations with many results by other means than HTTP: a WebSocket
/// (``WebSocketTransport``), a message queue, a test's script.
///
/// It needs one method. A ``SubscriptionExchange`` converts the payloads to results, and calls the
/// method again after the connection was lost.
///
/// If a transport's connections are authenticated for one user, keep one connection for each
/// ``OperationContext/session``, as ``WebSocketTransport`` does.
public protocol SubscriptionTransport: Sendable {
  /// Starts an operation.
  ///
  /// - Parameter operation: A subscription; or a query or mutation, if the exchange is configured
  ///   to send those this way, too.
  /// - Returns: The operation's payloads, as soon as the server has received the operation.
  /// - Throws: Any error if the operation could not be started. An ``OperationError`` with the code
  ///   `transport` may be retried.
  func subscribe(to operation: GraphQLOperation) async throws -> SubscriptionEvents

  /// A session is about to begin: credentials that the transport obtains from now on may belong to
  /// it, so they must not be used for operations of older sessions. By default this does nothing,
  /// which is right for a transport without credentials.
  func switchSession(to session: Session)
}

extension SubscriptionTransport {
  /// Does nothing.
  public func switchSession(to session: Session) {}
}

/// The payloads of one operation. Releasing the value ends the operation.
public struct SubscriptionEvents: Sendable {
  let next: @Sendable () async throws -> JSON?

  /// Makes a source of the payloads that a closure returns: GraphQL responses, `{"data":{…}}`.
  ///
  /// - Parameter next: Returns the next payload, or nil when the operation is complete; throws when
  ///   the connection is lost, or ``OperationError/init(graphQLErrors:)`` when the server has ended a
  ///   subscription by errors, which may begin again (``Reconnection/shouldReopen``). One task calls it
  ///   repeatedly. It must return early if that task is cancelled. It is released when the consumer
  ///   leaves.
  public init(next: @escaping @Sendable () async throws -> JSON?) {
    self.next = next
  }

  /// Makes a source of the payloads that an asynchronous sequence delivers.
  public init<Payloads: AsyncSequence & Sendable>(_ payloads: Payloads)
  where Payloads.Element == JSON {
    let reader = Reader(payloads)
    next = { try await reader.next() }
  }

  private actor Reader<Payloads: AsyncSequence & Sendable> where Payloads.Element == JSON {
    private var iterator: Payloads.AsyncIterator

    init(_ payloads: Payloads) {
      iterator = payloads.makeAsyncIterator()
    }

    func next() async throws -> JSON? {
      var iterator = iterator
      defer { self.iterator = iterator }
      return try await iterator.nextElement(isolation: self)
    }
  }
}
