/// The connection of a ``WebSocketTransport``, or the lack of one: runs the protocol's state machine,
/// and does what it says.
///
/// What is sent is put in its order together with the decision to send it, so that no `complete`
/// overtakes the `subscribe` before it. Only one task sends, only one receives.
final class SharedConnection: Sendable {
  typealias Action = WebSocketStateMachine.Action

  struct State {
    var machine = WebSocketStateMachine()
    var queues: [WebSocketStateMachine.ID: PayloadQueue] = [:]
    var current: Current?
    var lastNumber = 0
    /// Whether it is not worth keeping without operations.
    var isRetired = false
  }

  /// What belongs to one connection, so that a late word of an old one does no harm.
  struct Current {
    let number: Int
    let signals: Signals
    var outbox: [Outgoing] = []
  }

  struct Outgoing {
    let text: String
    /// Who waits for it to be sent.
    let queue: PayloadQueue?
  }

  struct Signals: Sendable {
    let outgoing = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let idle = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let end = AsyncStream.makeStream(of: Void.self)
  }

  /// What is left to do when the state has changed.
  enum Effect {
    case open(number: Int, Signals)
    case signal(AsyncStream<Void>.Continuation)
    case end(Signals)
    case deliver(PayloadQueue, WebSocketStateMachine.ID, JSON)
    case finish(PayloadQueue, OperationError?)
    case close(SocketClosure)
  }

  let configuration: WebSocketConfiguration
  let connect: @Sendable () async throws -> any TextSocket
  let state = Locked(State())

  init(
    _ configuration: WebSocketConfiguration,
    _ connect: @escaping @Sendable () async throws -> any TextSocket
  ) {
    self.configuration = configuration
    self.connect = connect
  }

  /// Starts an operation; connects first if need be.
  func start(
    _ request: [UInt8], isSubscription: Bool
  ) -> (WebSocketStateMachine.ID, PayloadQueue) {
    let queue = PayloadQueue(limit: configuration.maximumUnreadBytes)
    let (id, effects) = state.withLock { state in
      let (id, actions) = state.machine.start(request, isSubscription: isSubscription)
      state.queues[id] = queue
      return (id, actions.compactMap { state.effect(of: $0) })
    }
    perform(effects)
    return (id, queue)
  }

  /// An operation's consumer has left.
  func leave(_ id: WebSocketStateMachine.ID) {
    act { state in
      state.queues[id] = nil
      return state.machine.leave(id)
    }
  }

  /// Closes the connection as soon as it has no operations, without waiting for more of them.
  ///
  /// - Returns: whether it has none.
  func retire() -> Bool {
    let (isIdle, effect) = state.withLock { state in
      state.isRetired = true
      return (state.queues.isEmpty, state.endIfIdle())
    }
    perform(effect.map { [$0] } ?? [])
    return isIdle
  }

  /// Closes the connection, if there is one.
  func end() {
    state.withLock { $0.current?.signals.end.continuation }?.finish()
  }
}

// MARK: - What the machine decides

extension SharedConnection {
  /// Tells the machine what has happened, on the connection of that number if there is one, and does
  /// what it answers. If another connection is the current one, nothing has happened. Returns why the
  /// connection is to be closed, if it is.
  @discardableResult
  func act(
    on number: Int? = nil, _ decide: (inout State) -> [Action]
  ) -> SocketClosure? {
    perform(
      state.withLock { state in
        guard number == nil || state.current?.number == number else { return [] }
        return decide(&state).compactMap { state.effect(of: $0) }
      })
  }

  @discardableResult
  private func perform(_ effects: [Effect]) -> SocketClosure? {
    var closure: SocketClosure?
    for effect in effects {
      switch effect {
      case .open(let number, let signals):
        // It ends by itself: with the connection, which ends when it is idle, or by `end`.
        Task { await run(number, signals) }
      case .signal(let continuation): continuation.yield()
      case .end(let signals): signals.end.continuation.finish()
      case .deliver(let queue, let id, let payload):
        if !queue.append(payload) { leave(id) }
      case .finish(let queue, let error): queue.finish(error)
      case .close(let reason): closure = reason
      }
    }
    return closure
  }
}

extension SharedConnection.State {
  mutating func effect(
    of action: WebSocketStateMachine.Action
  ) -> SharedConnection.Effect? {
    switch action {
    case .connect:
      lastNumber += 1
      let signals = SharedConnection.Signals()
      current = SharedConnection.Current(number: lastNumber, signals: signals)
      return .open(number: lastNumber, signals)
    case .send(let text): return send(text)
    case .subscribe(let id, let text): return send(text, for: queues[id])
    case .deliver(let id, let payload): return queues[id].map { .deliver($0, id, payload) }
    case .finish(let id, let error):
      return queues.removeValue(forKey: id).map { .finish($0, error) }
    case .idle where isRetired: return endIfIdle()
    case .idle: return (current?.signals.idle.continuation).map { .signal($0) }
    case .close(let closure): return .close(closure)
    }
  }

  /// From here on the connection is nobody's, if it has no operations.
  mutating func endIfIdle() -> SharedConnection.Effect? {
    guard let current, machine.idled(since: machine.idleCount) else { return nil }
    self.current = nil
    return .end(current.signals)
  }

  private mutating func send(
    _ text: String, for queue: PayloadQueue? = nil
  ) -> SharedConnection.Effect? {
    guard let current else { return nil }
    // One pong answers all pings that came before it is sent.
    if queue != nil || current.outbox.last?.text != text {
      self.current?.outbox.append(SharedConnection.Outgoing(text: text, queue: queue))
    }
    return .signal(current.signals.outgoing.continuation)
  }
}
