internal import WeirSupport

/// A request that equal executions share, with their tags: in flight, or waiting for the one before it.
///
/// Proof: `key` and `launch` never change. The variables are read and written only under the lock of
/// the table, except `operation` and `allHaveImmediateResults`, which do not change any more when the flight is
/// launched. So no two accesses overlap, and the runtime need not look for any.
final class Flight: SharedRequest, @unchecked Sendable {
  /// Executions with equal keys may share a flight.
  struct Key: Hashable {
    let identity: OperationIdentity
    let storesResult: Bool
    /// Whether any cached data may stand beside a failure. A cache loads that from its storage once, for the
    /// execution that has begun the flight, so all of them must want it.
    let fallsBack: Bool

    init(_ operation: GraphQLOperation) {
      identity = operation.identity
      storesResult = operation.context.storesResult
      fallsBack = operation.context.requestPolicy.fallback == .anything
    }
  }

  /// One execution's share in a flight.
  struct Share {
    let flight: Flight
    let buffer: ResultBuffer
    /// Where the flight has the buffer.
    fileprivate let position: Int
    /// Whether the flight was made for this execution.
    let isFirst: Bool
    /// The oldest data that the flight accepts.
    let notBefore: LogicalInstant
  }

  let key: Key
  @exclusivity(unchecked) fileprivate(set) var operation: GraphQLOperation
  /// The flight of the same key that is sent when this one has ended.
  @exclusivity(unchecked) fileprivate var followUp: Flight?
  /// Delivered when the flight before this one has ended; nil if there was none.
  let launch: OneShot<Void>?
  /// When the request was sent; nil while it waits for the flight before it.
  @exclusivity(unchecked) fileprivate var sentAt: LogicalInstant?
  @exclusivity(unchecked) fileprivate var isOver = false
  /// Whether the execution that has started the flight carries it out, without a buffer.
  @exclusivity(unchecked) fileprivate var isRunByStarter = false
  @exclusivity(unchecked) fileprivate var latest: OperationResult?
  /// Whether each execution has delivered the results that were there at once.
  @exclusivity(unchecked) fileprivate(set) var allHaveImmediateResults: Bool
  /// The buffers of the executions that share it; nil where one has left.
  @exclusivity(unchecked) fileprivate(set) var buffers: [ResultBuffer?] = []
  @exclusivity(unchecked) fileprivate var vacantPositions: [Int] = []
  @exclusivity(unchecked) fileprivate(set) var task: Task<Void, Never>?

  fileprivate init(
    key: Key, operation: GraphQLOperation, hasImmediateResults: Bool, launch: OneShot<Void>? = nil
  ) {
    self.key = key
    self.launch = launch
    self.operation = operation
    allHaveImmediateResults = hasImmediateResults
    super.init(operation.context.additionalTypenames)
    self.operation.context.noteSharing()
  }

  /// The operation as the flight executes it.
  var operationInFlight: GraphQLOperation {
    operation.with { $0.sharedRequest = self }
  }

  fileprivate var shareCount: Int { buffers.count - vacantPositions.count }

  /// Whether an execution may share this flight, which has been sent.
  ///
  /// The tags come last: adding them is the one effect of this call.
  fileprivate func admits(_ operation: GraphQLOperation, fence: LogicalInstant) -> Bool {
    guard let sentAt, sentAt >= operation.context.notBefore, sentAt > fence else { return false }
    if let latest, !latest.answers(operation, fromFlightOf: self.operation.context.notBefore),
      !latest.isStaleHit(for: operation)
    {
      return false
    }
    return add(operation.context.additionalTypenames)
  }

  /// Makes a flight that has not been sent do for an operation, too.
  fileprivate func require(_ operation: GraphQLOperation, hasImmediateResults: Bool) {
    _ = add(operation.context.additionalTypenames)
    allHaveImmediateResults = allHaveImmediateResults && hasImmediateResults
    if !self.operation.context.isRefetch, self.operation.context.requestPolicy.wantsNetwork {
      self.operation.context.keepsPolicy = true
    }
    self.operation.context.notBefore = max(
      self.operation.context.notBefore, operation.context.notBefore)
  }

  fileprivate func share(isFirst: Bool) -> Share {
    let buffer = ResultBuffer()
    // No consumer waits at this buffer yet, so nothing resumes under the lock. After the lock is
    // released, the result could come after a newer one.
    if let latest { buffer.append(latest) }
    let position = vacantPositions.popLast() ?? buffers.count
    if position == buffers.count { buffers.append(buffer) } else { buffers[position] = buffer }
    return Share(
      flight: self, buffer: buffer, position: position, isFirst: isFirst,
      notBefore: operation.context.notBefore)
  }

  fileprivate func leave(_ share: Share) {
    guard !isOver else { return }
    buffers[share.position] = nil
    vacantPositions.append(share.position)
  }
}

/// The flights of a dedup exchange: which executions share them, and what follows when one ends.
///
/// It has no lock, and changes the shared ``Flight`` objects: call its methods only under the exchange's
/// lock. They return the actions that the caller performs after it has released that.
struct FlightTable {
  /// The consequences of a change.
  struct Actions {
    /// The flight to send: the execution that has started a new one does so, and a waiting one has a task.
    var launched: Flight?
    var ended: End?
    /// The flights of older sessions: their executions receive ``OperationError/cancelled``.
    var cancelled: [End] = []
  }

  /// A flight that is over, or that its last execution has left, and what it had. So nothing of it
  /// is released under the lock.
  struct End {
    let flight: Flight
    let buffers: [ResultBuffer?]
    let task: Task<Void, Never>?
    private let latest: OperationResult?

    fileprivate init(_ flight: Flight) {
      self.flight = flight
      (buffers, task, latest) = (flight.buffers, flight.task, flight.latest)
      flight.buffers = []
      flight.vacantPositions = []
      // The flight lives as long as its operation, which an exchange may keep.
      (flight.latest, flight.followUp, flight.task) = (nil, nil, nil)
      flight.isRunByStarter = false
      flight.isOver = true
    }
  }

  /// No execution joins a flight that was sent before this instant: since then a mutation has
  /// completed, a subscription event has invalidated something, or the app has.
  var lastFence = LogicalInstant.distantPast

  private(set) var session = Session(number: 0)
  /// For each key the flight that was sent.
  private var running: [Flight.Key: Flight] = [:]

  private var all: [Flight] { running.values.flatMap { [$0] + ($0.followUp.map { [$0] } ?? []) } }

  /// How many flights there are, including those that wait.
  var count: Int { all.count }

  /// How many executions share them.
  var shareCount: Int { all.reduce(0) { $0 + $1.shareCount + ($1.isRunByStarter ? 1 : 0) } }

  /// Gives an execution a share in an existing flight, or in a new one.
  ///
  /// - Parameters:
  ///   - operation: what the execution asks for.
  ///   - hasImmediateResults: whether it has delivered the results that were there at once.
  /// - Returns: the share; nil if the execution starts a new flight, which it then carries out itself, and if the
  ///   operation's session has ended.
  mutating func join(
    _ operation: GraphQLOperation, hasImmediateResults: Bool
  ) -> (share: Flight.Share?, actions: Actions) {
    guard operation.context.session >= session else { return (nil, Actions()) }
    var actions = switched(to: operation.context.session)
    let key = Flight.Key(operation)
    guard !running.isEmpty, let flight = running[key] else {
      let made = Flight(key: key, operation: operation, hasImmediateResults: hasImmediateResults)
      made.sentAt = .next()
      running[key] = made
      actions.launched = made
      made.isRunByStarter = true
      return (nil, actions)
    }
    if flight.admits(operation, fence: lastFence) { return (flight.share(isFirst: false), actions) }
    if let followUp = flight.followUp {
      followUp.require(operation, hasImmediateResults: hasImmediateResults)
      return (followUp.share(isFirst: false), actions)
    }
    let followUp = Flight(
      key: key, operation: operation, hasImmediateResults: hasImmediateResults, launch: OneShot())
    flight.followUp = followUp
    return (followUp.share(isFirst: true), actions)
  }

  /// Gives a share back. A flight ends when its last share is given back.
  mutating func leave(_ share: Flight.Share) -> Actions {
    share.flight.leave(share)
    let isEmpty = share.flight.shareCount == 0 && !share.flight.isRunByStarter
    return isEmpty ? end(share.flight) : Actions()
  }

  /// Gives the execution that has started a flight a share in it, because the flight has to wait for something; nil if
  /// the flight's session has ended.
  func addShareOfStarter(to flight: Flight) -> Flight.Share? {
    guard !flight.isOver else { return nil }
    flight.isRunByStarter = false
    return flight.share(isFirst: true)
  }

  /// Notes a result of a flight.
  ///
  /// - Returns: who receives it; and the previous result, so that it is not released under the lock.
  func deliver(
    _ result: OperationResult, to flight: Flight
  ) -> (buffers: [ResultBuffer?], replaced: OperationResult?) {
    guard !flight.isOver else { return ([], nil) }
    let replaced = flight.latest
    flight.latest = result
    return (flight.buffers, replaced)
  }

  /// Ends a flight, and launches the one that waits for it.
  mutating func end(_ flight: Flight) -> Actions {
    guard !flight.isOver, let sent = running.removeValue(forKey: flight.key) else {
      return Actions()
    }
    guard sent === flight else {
      sent.followUp = nil
      running[flight.key] = sent
      return Actions(ended: End(flight))
    }
    let next = flight.followUp.take()
    if let next {
      next.sentAt = .next()
      running[flight.key] = next
    }
    return Actions(launched: next, ended: End(flight))
  }

  /// Notes the task of a flight, or the one that waits until the flight is launched; returns false if
  /// the flight has ended already.
  func setTask(_ task: Task<Void, Never>, of flight: Flight, isWaiting: Bool = false) -> Bool {
    if !flight.isOver, !isWaiting || flight.sentAt == nil { flight.task = task }
    return !flight.isOver
  }

  /// Ends all flights of older sessions.
  mutating func switched(to session: Session) -> Actions {
    guard session > self.session else { return Actions() }
    self.session = session
    defer { running = [:] }
    return Actions(cancelled: all.map(End.init))
  }
}
