extension GraphQLClient {
  /// Returns the events of a subscription. Refuses a query or a mutation, with an error.
  ///
  /// Each iteration subscribes again, except with a ``SharedSubscriptionsExchange``; leaving the loop
  /// unsubscribes. The iteration ends when the server completes the subscription, and with
  /// ``OperationError/cancelled`` when the session ends.
  ///
  /// Over HTTP, a slow consumer loses no events. When 16 events wait for it, the transport stops
  /// reading, so that the connection holds the server back, if the transport supports that: see
  /// ``URLSessionTransport``. Over a ``WebSocketTransport``, which serves several operations on one
  /// connection, more unread bytes than ``WebSocketConfiguration/maximumUnreadBytes`` end the
  /// subscription with an error.
  public func subscribe(_ operation: GraphQLOperation) -> ResultStream {
    guard operation.kind == .subscription else {
      return .just(
        OperationResult(error: .wrongKind(of: operation, for: "subscribe", use: "query or mutate")))
    }
    return .deferred { [self] in
      let stamped = operation.stamped(sessions.begun)
      return ResultStream(source: { [self] in
        SubscribedEvents(of: stamped, sessions) {
          // While the session changes, nothing is sent.
          self.sessions.mayDeliver(stamped) ? self.forward(stamped) : .just(.cancelled)
        }
      })
    }
  }
}

/// The events of a subscription, until its session ends. A task reads them ahead of the consumer, as
/// far as a ``ResultBuffer`` allows.
private final class SubscribedEvents: BufferedSource {
  private let operation: GraphQLOperation
  private let sessions: SessionKeeper
  private let make: @Sendable () -> ResultStream
  private var task: Task<Void, Never>?
  private var ending: SessionEnding?
  private var isOver = false

  init(
    of operation: GraphQLOperation, _ sessions: SessionKeeper,
    _ make: @escaping @Sendable () -> ResultStream
  ) {
    self.operation = operation
    self.sessions = sessions
    self.make = make
  }

  deinit {
    end()
    ending?.forget()
  }

  override func start() {
    guard task == nil else { return }
    let task = Task { [make, buffer] in await EventReader(make, buffer).run() }
    self.task = task
    ending = sessions.onEnd(of: operation.context.session) { [buffer] in
      buffer.append(.cancelled)
      buffer.finish()
      task.cancel()
    }
  }

  override func end() {
    task?.cancel()
  }

  override func step() -> ResultStream.Iterator.Step {
    super.step().map(checked)
  }

  private func checked(_ event: consuming OperationResult?) -> OperationResult? {
    guard let event, !isOver else {
      end()
      return nil
    }
    // The session may have ended while the event waited for the consumer.
    isOver = !sessions.mayDeliver(operation)
    return isOver ? .cancelled : event
  }
}

/// Reads events into a buffer.
///
/// Its state is in this object, and the code between two waits is not inlined, so that the task keeps
/// little while it waits: see ``WaitingExecution``.
private final class EventReader {
  private let make: @Sendable () -> ResultStream
  private let buffer: ResultBuffer
  private var events: ResultStream.Iterator?
  private var event: OperationResult?

  init(_ make: @escaping @Sendable () -> ResultStream, _ buffer: ResultBuffer) {
    self.make = make
    self.buffer = buffer
  }

  @inline(never)
  func run() async {
    while !Task.isCancelled {
      // An event that arrives with the end of the subscription still passes the chain.
      while let wait = advance() { await wait() }
      guard event != nil else { break }
      await deliver()
    }
    buffer.finish()
  }

  /// Returns what to wait for; nil if the next event, or the end, is there.
  @inline(never)
  private func advance() -> ResultWait? {
    if events == nil { events = make().makeAsyncIterator() }
    switch events?.step() {
    case .waiting(let wait)?: return wait
    case .done(let result)?: event = result
    case nil: break
    }
    return nil
  }

  @inline(never)
  private func deliver() async {
    if let event = event.take(), !Task.isCancelled { await buffer.send(event.withoutSignal()) }
  }
}
