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

/// Makes results of payloads.
actor EventFeed: ResultFeed {
  private var events: SubscriptionEvents?
  private var assembler: ResultAssembler

  init(_ events: SubscriptionEvents, kind: GraphQLOperation.Kind) {
    self.events = events
    assembler = ResultAssembler(kind: kind)
  }

  var resumption: Resumption { Resumption() }

  func next() async throws(OperationError) -> OperationResult? {
    guard let events else { return nil }
    do {
      while let payload = try await events.next() {
        guard try assembler.append(payload) else { continue }
        if assembler.isEnded { self.events = nil }
        return try assembler.result()
      }
      self.events = nil
      return try assembler.complete()
    } catch let error as StreamFormatError {
      self.events = nil
      return try assembler.fail(OperationError(stream: error))
    } catch {
      self.events = nil
      return try assembler.fail(OperationError(subscriptionFailure: error))
    }
  }
}

extension OperationError {
  /// Why a transport of subscriptions failed.
  init(subscriptionFailure error: any Error) {
    switch error {
    case let error as OperationError: self = error
    case let error as HTTPTransportError: self.init(transport: error)
    case is CancellationError: self = .cancelled
    case let error as SocketClosure:
      self.init(
        code: .transport, message: "The connection was closed (\(error)).", underlying: error)
    default:
      self.init(
        code: .transport, message: "The connection failed: \(type(of: error)).", underlying: error)
    }
  }
}
