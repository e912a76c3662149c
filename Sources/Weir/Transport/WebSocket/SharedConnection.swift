/// A connection of a ``WebSocketTransport``, or its absence: runs the protocol's state machine and
/// performs its actions.
///
/// A message gets its place in the order of messages together with the decision to send it, so no
/// `complete` overtakes the `subscribe` before it. Only one task sends, and only one receives.
final class SharedConnection: Sendable {
  typealias Action = WebSocketStateMachine.Action

  struct State {
    var machine = WebSocketStateMachine()
    var operations: [WebSocketStateMachine.ID: Operation] = [:]
    var current: Current?
    /// The context of an operation that starts while nothing is connected.
    var context: OperationContext?
    var lastNumber = 0
    /// Whether the connection closes as soon as it has no operations.
    var isRetired = false
  }

  /// The state of one connection. Late events of an earlier connection are recognized by their
  /// number.
  struct Current {
    let number: Int
    let signals: Signals
    /// The context of the operation that needed the connection, until it is open. The others have the
    /// same session and scope.
    var context: OperationContext?
    var outbox = FIFOQueue<Outgoing>()
    /// The operations whose messages are in the outbox, and have not been taken from it.
    var starts: [WebSocketStateMachine.ID: Start] = [:]
  }

  /// An operation whose consumer has not left.
  struct Operation {
    let id: WebSocketStateMachine.ID
    let queue: PayloadQueue
    let context: OperationContext
  }

  enum Outgoing {
    case text(String)
    /// Starts an operation, unless that has been left meanwhile.
    case start(WebSocketStateMachine.ID)
  }

  struct Start {
    /// The message.
    let text: String
    /// The operation, whose queue waits until the message was sent.
    let operation: Operation
  }

  struct Signals: Sendable {
    let outgoing = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let idle = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let end = AsyncStream.makeStream(of: Void.self)
    /// Yields when a ping was sent.
    let pings = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  /// The part of an action that happens outside of the lock.
  typealias Effect = () -> Void

  typealias Connect =
    @Sendable (OperationContext, HTTPHeaders) async throws -> any TextSocket

  let configuration: WebSocketConfiguration
  let headers: @Sendable () async throws -> HTTPHeaders
  let connect: Connect
  /// Whether a later session has begun, so that new credentials may be another user's.
  let isSessionOver: @Sendable () -> Bool
  let state = Locked(State())

  init(
    _ configuration: WebSocketConfiguration,
    _ headers: @escaping @Sendable () async throws -> HTTPHeaders,
    _ connect: @escaping Connect, isSessionOver: @escaping @Sendable () -> Bool
  ) {
    self.isSessionOver = isSessionOver
    self.configuration = configuration
    self.headers = headers
    self.connect = connect
  }

  /// Starts an operation; connects first if necessary.
  func start(
    _ request: [UInt8], _ context: OperationContext, isSubscription: Bool
  ) -> (WebSocketStateMachine.ID, PayloadQueue) {
    let queue = PayloadQueue(limit: configuration.maximumUnreadBytes)
    var started = ""
    act { state in
      if state.current == nil { state.context = context }
      let (id, actions) = state.machine.start(request, isSubscription: isSubscription)
      state.operations[id] = Operation(id: id, queue: queue, context: context)
      started = id
      return actions
    }
    return (started, queue)
  }

  /// Ends an operation whose consumer has left. If the message that starts it waits to be sent, the
  /// server never hears of it.
  func leave(_ id: WebSocketStateMachine.ID) {
    var left: (Operation?, Start?)
    act { state in
      let start = state.current?.starts.removeValue(forKey: id)
      left = (state.operations.removeValue(forKey: id), start)
      return state.machine.leave(id, isTaken: start == nil)
    }
    // Until here, so that the context's values, which are the app's, are not released under the lock.
    withExtendedLifetime(left) {}
  }

  /// Whether nothing is connected, and no operation waits for a connection.
  var isUnused: Bool { state.withLock { $0.current == nil && $0.operations.isEmpty } }

  /// Closes the connection as soon as it has no operations, without waiting for the idle timeout.
  ///
  /// - Returns: Whether it has none now.
  func retire() -> Bool {
    let (isIdle, effect) = state.withLock { state in
      state.isRetired = true
      return (state.operations.isEmpty, state.endIfIdle())
    }
    effect?()
    return isIdle
  }

  /// Closes the connection, if there is one.
  func end() {
    state.withLock { $0.current?.signals.end.continuation }?.finish()
  }
}

// MARK: - Actions of the state machine

extension SharedConnection {
  /// Passes an event to the state machine and performs the resulting actions.
  ///
  /// - Parameters:
  ///   - number: The connection on which the event happened; if it is not the current one, the
  ///     event is ignored.
  ///   - decide: Passes the event.
  /// - Returns: The reason why the connection must be closed, if it must.
  @discardableResult
  func act(
    on number: Int? = nil, _ decide: (inout State) -> [Action]
  ) -> SocketClosure? {
    let (effects, closure) = state.withLock { state -> ([Effect], SocketClosure?) in
      guard number == nil || state.current?.number == number else { return ([], nil) }
      var closure: SocketClosure?
      let effects = decide(&state).compactMap { action in
        if case .close(let reason) = action { closure = reason }
        return effect(of: action, on: &state)
      }
      return (effects, closure)
    }
    for effect in effects { effect() }
    return closure
  }

  private func effect(of action: Action, on state: inout State) -> Effect? {
    switch action {
    case .connect:
      state.lastNumber += 1
      let (number, signals) = (state.lastNumber, Signals())
      state.current = Current(
        number: number, signals: signals, context: state.context.take() ?? OperationContext())
      // The task ends with the connection, which ends when it is idle, or by `end`. It has neither the
      // task-local values nor the priority of the first operation, which may be over long before.
      return { Task.detached { await self.run(number, signals) } }
    case .send(let text): return state.send(text)
    case .subscribe(let id, let text):
      guard let operation = state.operations[id] else { return nil }
      return state.send(SharedConnection.Start(text: text, operation: operation))
    case .deliver(let id, let payload):
      guard let queue = state.operations[id]?.queue else { return nil }
      return { if !queue.append(payload) { self.leave(id) } }
    case .fail(let id, let response):
      guard let queue = state.operations.removeValue(forKey: id)?.queue else { return nil }
      return {
        // The server has read it, even if the sender does not know yet that it was sent.
        queue.accept()
        queue.finish(OperationError(endedBy: response))
      }
    case .finish(let id, let error):
      guard let queue = state.operations.removeValue(forKey: id)?.queue else { return nil }
      return { queue.finish(error) }
    case .idle where state.isRetired: return state.endIfIdle()
    case .idle:
      guard let signal = state.current?.signals.idle.continuation else { return nil }
      return { signal.yield() }
    case .close: return nil
    }
  }
}

extension SharedConnection.State {
  /// Gives up the connection if it has no operations; the next operation opens a new one.
  mutating func endIfIdle() -> SharedConnection.Effect? {
    guard let current, machine.idled(since: machine.idleCount) else { return nil }
    self.current = nil
    return { current.signals.end.continuation.finish() }
  }

  fileprivate mutating func send(_ text: String) -> SharedConnection.Effect? {
    // One pong answers all pings that arrive before it is sent.
    if case .text(text) = current?.outbox.last {} else { current?.outbox.append(.text(text)) }
    return wakeSender()
  }

  fileprivate mutating func send(_ start: SharedConnection.Start) -> SharedConnection.Effect? {
    current?.outbox.append(.start(start.operation.id))
    current?.starts[start.operation.id] = start
    return wakeSender()
  }

  private func wakeSender() -> SharedConnection.Effect? {
    // The effect keeps the signal alone: with the outbox, each message of many would copy all others.
    guard let signal = current?.signals.outgoing.continuation else { return nil }
    return { signal.yield() }
  }
}
