internal import WeirSupport

/// A subscription that equal executions share.
///
/// Its task delivers the events in their order to the buffer of each execution. It pauses while every
/// execution has as many unread ones as a ``ResultBuffer`` holds.
final class SharedSubscription: Sendable {
  /// Executions with equal keys may share a subscription.
  struct Key: Hashable {
    private let identity: OperationIdentity
    private let session: Session
    /// The caches take the tags of the execution that has started the subscription.
    private let tags: Set<String>
    private let storesResult: Bool

    init(_ operation: GraphQLOperation) {
      identity = operation.identity
      session = operation.context.session
      tags = operation.context.additionalTypenames
      storesResult = operation.context.storesResult
    }
  }

  /// One execution's share.
  struct Share {
    fileprivate let buffer: ResultBuffer
    fileprivate let missedEvents: (@Sendable () -> Void)?
    fileprivate let connectionChange: (@Sendable (SubscriptionConnection) -> Void)?
    fileprivate var unreadCount = 0
    fileprivate var unreadBytes = 0

    /// Whether fewer bytes than the limit are unread. A single event may be larger.
    fileprivate func isBelow(_ limit: Int) -> Bool { unreadCount == 0 || unreadBytes < limit }

    init(buffer: ResultBuffer, context: OperationContext) {
      self.buffer = buffer
      missedEvents = context.missedEvents
      connectionChange = context.connectionChange
    }
  }

  private struct State {
    var shares: [ObjectIdentifier: Share]
    /// Whether nobody can join any more.
    var isClosed = false
    var task: Task<Void, Never>?
    /// The task, while it pauses.
    var paused: WaitingTask<Void>?
    /// The last change of the connection.
    var connection: SubscriptionConnection?
    /// The actions of the executions that were not performed yet. One thread at a time performs them, so that
    /// each execution learns the changes in their order.
    var actions = FIFOQueue<@Sendable () -> Void>()
    var isPerforming = false

    /// Whether a share has room for another event, and fewer bytes than the limit.
    func hasRoom(_ limit: Int) -> Bool {
      shares.values.contains { $0.unreadCount < ResultBuffer.capacity && $0.isBelow(limit) }
    }
  }

  let key: Key
  private let exchange: SharedSubscriptionsExchange
  private let limit: Int
  private let state: Locked<State>

  init(_ key: Key, of exchange: SharedSubscriptionsExchange, _ first: Share, limit: Int) {
    self.key = key
    self.exchange = exchange
    self.limit = limit
    state = Locked(State(shares: [first.buffer.id: first]))
  }

  /// Sends the subscription, with the priority and the task-local values of the caller.
  func start(_ operation: GraphQLOperation, _ forward: Forward) {
    let operation = operation.with { context in
      context.noteSharing()
      context.missedEvents = { [weak self] in self?.noteMissedEvents() }
      context.connectionChange = { [weak self] in self?.note($0) }
    }
    let task = Task.startingHere { [self] in await run(forward(operation)) }
    let isOver = state.withLock { state in
      state.task = task
      return state.shares.isEmpty
    }
    if isOver { task.cancel() }
  }

  // MARK: Joining and leaving

  /// Adds an execution; returns false if nobody can join any more.
  func add(_ share: Share) -> Bool {
    let (isAdded, paused) = state.withLock { state -> (Bool, WaitingTask<Void>?) in
      guard !state.isClosed else { return (false, nil) }
      state.shares[share.buffer.id] = share
      if let action = share.connectionChange, let connection = state.connection {
        state.actions.append { action(connection) }
      }
      return (true, state.paused.take())
    }
    paused?.resume()
    performActions()
    return isAdded
  }

  /// Removes an execution. The last one ends the subscription.
  func leave(_ buffer: ResultBuffer) {
    // Released without the lock, as all that an action or an error may keep.
    let (removed, task) = state.withLock { state -> (Share?, Task<Void, Never>?) in
      let removed = state.shares.removeValue(forKey: buffer.id)
      guard removed != nil, state.shares.isEmpty else { return (removed, nil) }
      state.isClosed = true
      return (removed, state.task.take())
    }
    if let task {
      exchange.forget(self)
      task.cancel()
    }
    withExtendedLifetime(removed) {}
  }

  /// Notes that an execution has taken an event from its buffer.
  func noteRead(_ event: OperationResult, from buffer: ResultBuffer) {
    let paused = state.withLock { [limit] state -> WaitingTask<Void>? in
      guard var share = state.shares[buffer.id] else { return nil }
      share.unreadCount -= 1
      share.unreadBytes -= event.unreadBytes
      state.shares[buffer.id] = share
      // As a buffer does, so that the task is not resumed for each event.
      let isReady = share.unreadCount <= ResultBuffer.capacity / 2 && share.isBelow(limit)
      return isReady ? state.paused.take() : nil
    }
    paused?.resume()
  }

  // MARK: Delivering

  private func run(_ stream: ResultStream) async {
    var events = stream.makeAsyncIterator()
    repeat {
      while let wait = advance(&events) { await wait() }
    } while await isReadOn()
  }

  /// Delivers the events that are there, as long as there is room for them.
  ///
  /// - Returns: what to wait for; nil if nothing has room, or if the subscription has ended.
  @inline(never)
  private func advance(_ events: inout ResultStream.Iterator) -> ResultWait? {
    while true {
      switch events.step() {
      case .waiting(let wait): return wait
      case .done(let event?): if !deliver(event) { return nil }
      case .done(nil):
        end()
        return nil
      }
    }
  }

  /// Waits until there is room; returns false if all executions have left.
  private func isReadOn() async -> Bool {
    await withCancellableContinuation { continuation in
      let goesOn = state.withLock { [limit] state in
        if state.hasRoom(limit) || state.shares.isEmpty || Task.isCancelled { return true }
        state.paused = continuation
        return false
      }
      if goesOn { continuation.resume() }
    } onCancel: {
      state.withLock { $0.paused.take() }?.resume()
    }
    return state.withLock { !$0.shares.isEmpty }
  }

  /// Delivers an event to all executions, and ends those that are too far behind the others.
  ///
  /// - Returns: whether there is room for another event.
  private func deliver(_ event: OperationResult) -> Bool {
    let bytes = event.unreadBytes
    let isFailure = event.error != nil && !event.hasNext && !event.payload.hasData
    let (buffers, slow, hasRoom) = state.withLock { [limit] state in
      // Only the end follows a failure. An execution that joins between them would not learn the reason.
      if isFailure { state.isClosed = true }
      func isSlow(_ share: Share) -> Bool {
        share.unreadCount > 0 && share.unreadBytes + bytes > limit
      }
      var slow: [Share] = []
      if !state.shares.values.allSatisfy(isSlow) {
        slow = state.shares.values.filter(isSlow)
        for share in slow { state.shares[share.buffer.id] = nil }
      }
      let buffers = state.shares.values.map(\.buffer)
      for buffer in buffers {
        state.shares[buffer.id]?.unreadCount += 1
        state.shares[buffer.id]?.unreadBytes += bytes
      }
      return (buffers, slow, state.hasRoom(limit))
    }
    for buffer in buffers { buffer.append(event) }
    for share in slow { share.buffer.finish(with: OperationResult(error: .tooMuchUnread(limit))) }
    return hasRoom
  }

  private func end() {
    // An execution that starts when it learns of the end must find this subscription closed.
    let shares = state.withLock { state in
      state.isClosed = true
      defer { state.shares = [:] }
      return state.shares
    }
    exchange.forget(self)
    for share in shares.values { share.buffer.finish() }
  }

  // MARK: Actions

  private func noteMissedEvents() {
    state.withLock { state in
      for case let action? in state.shares.values.map(\.missedEvents) {
        state.actions.append(action)
      }
    }
    performActions()
  }

  private func note(_ change: SubscriptionConnection) {
    _ = state.withLock { state -> SubscriptionConnection? in
      for case let action? in state.shares.values.map(\.connectionChange) {
        state.actions.append { action(change) }
      }
      defer { state.connection = change }
      return state.connection
    }
    performActions()
  }

  /// Performs the actions that wait, unless another thread does so, and then those as well that are added
  /// meanwhile.
  private func performActions() {
    let isFirst = state.withLock { state in
      defer { state.isPerforming = true }
      return !state.isPerforming
    }
    guard isFirst else { return }
    while let action = nextAction() { action() }
  }

  private func nextAction() -> (@Sendable () -> Void)? {
    state.withLock { state in
      let action = state.actions.popFirst()
      state.isPerforming = action != nil
      return action
    }
  }
}

extension OperationResult {
  fileprivate var unreadBytes: Int { data.map(PayloadQueue.cost(of:)) ?? 256 }
}
