/// Carries operations that have many results, by any means but HTTP: a WebSocket
/// (``WebSocketTransport``), a message queue, a test's script.
///
/// One function. A ``SubscriptionExchange`` makes results of what it brings, and calls it again when
/// the connection was lost.
///
/// One whose connections belong to who has logged in keeps one for each
/// ``OperationContext/session``, as ``WebSocketTransport`` does.
public protocol SubscriptionTransport: Sendable {
  /// Starts an operation.
  ///
  /// - Parameter operation: a subscription; or a query or mutation, if the exchange is told to send
  ///   those this way, too.
  /// - Returns: its payloads, as soon as the server has taken the operation.
  /// - Throws: why it could not be started. An ``OperationError`` with the code `transport` may be
  ///   tried again.
  func subscribe(to operation: GraphQLOperation) async throws -> SubscriptionEvents
}

/// The payloads of one operation. Letting go of it ends the operation.
public struct SubscriptionEvents: Sendable {
  let next: @Sendable () async throws -> JSON?

  /// Payloads that a closure delivers: GraphQL responses, `{"data":{…}}`.
  ///
  /// - Parameter next: called by one task, again and again, until it returns nil, when the operation
  ///   is complete, or throws, when the connection is lost. It ends early if that task is
  ///   cancelled. What it holds on to is let go of when the consumer leaves.
  public init(next: @escaping @Sendable () async throws -> JSON?) {
    self.next = next
  }

  /// Payloads that an asynchronous sequence delivers.
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
      return try await iterator.next(isolation: self)
    }
  }
}
