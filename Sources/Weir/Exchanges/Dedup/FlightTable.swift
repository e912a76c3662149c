/// A request that equal executions share: in flight, or waiting for the one before it.
struct Flight {
  typealias ID = UInt64

  /// Makes the stream with which the chain below dedup has answered a first look.
  typealias Look = @Sendable (FlightTags?) -> ResultStream

  /// Executions with equal keys may share a flight.
  struct Key: Hashable {
    let identity: OperationIdentity
    let headers: HTTPHeaders
    let storesResult: Bool
    let skipsAuthentication: Bool

    init(_ operation: GraphQLOperation) {
      identity = operation.identity
      headers = operation.context.headers
      storesResult = operation.context.storesResult
      skipsAuthentication = operation.context.skipsAuthentication
    }
  }

  /// One execution's share in a flight.
  struct Share {
    let flight: ID
    let buffer: ResultBuffer
    /// The oldest data that the flight accepts.
    let notBefore: LogicalInstant
  }

  let id: ID
  let key: Key
  let tags: FlightTags
  private(set) var operation: GraphQLOperation
  /// When the request was sent; nil while it waits for the flight before it.
  var sentAt: LogicalInstant?
  var latest: OperationResult?
  var buffers: [ObjectIdentifier: ResultBuffer] = [:]
  var task: Task<Void, Never>?

  /// The oldest data that the flight accepts.
  var notBefore: LogicalInstant { operation.context.notBefore }

  init(id: ID, key: Key, operation: GraphQLOperation) {
    self.id = id
    self.key = key
    tags = FlightTags(operation.context.additionalTypenames)
    self.operation = operation
    self.operation.context.flightTags = tags
  }

  /// Whether an execution may share this flight, which has been sent.
  ///
  /// The tags come last: adding them is the one effect of this call.
  func admits(_ operation: GraphQLOperation, fence: LogicalInstant) -> Bool {
    guard let sentAt, sentAt >= operation.context.notBefore, sentAt > fence else { return false }
    if let latest, !latest.answers(operation, fromFlightOf: notBefore) { return false }
    return tags.add(operation.context.additionalTypenames)
  }

  /// Makes a flight that has not been sent do for an operation, too.
  mutating func require(_ operation: GraphQLOperation) {
    _ = tags.add(operation.context.additionalTypenames)
    self.operation.context.notBefore = max(notBefore, operation.context.notBefore)
  }
}

extension OperationResult {
  /// Whether a result of a flight answers an execution that did not start the flight.
  ///
  /// An execution that needs the network, or newer data than the flight does, must not receive a
  /// result that the flight found in a cache. (A hit with an error beside it is the fallback of a
  /// failed request.)
  func answers(_ operation: GraphQLOperation, fromFlightOf notBefore: LogicalInstant) -> Bool {
    outcome != .hit || error != nil
      || !operation.context.requestPolicy.wantsNetwork
        && operation.context.notBefore <= notBefore
  }
}

/// The flights of a dedup exchange: which executions share them, and what follows when one ends.
///
/// A value without a lock. Its methods report what has happened, and return the actions that the
/// caller performs after it has released its lock.
struct FlightTable {
  enum Action {
    case launch(Flight)
    /// Carries the previous result, so that it is not released under the lock.
    case deliver(OperationResult, to: [ResultBuffer], replacing: OperationResult?)
    /// The flight is over, or its last execution has left. The action carries all of it, so that
    /// nothing is released under the lock.
    case end(Flight)
  }

  /// No execution joins a flight that was sent before this instant: since then a mutation has
  /// completed, a subscription event has invalidated something, or the app has.
  var lastFence = LogicalInstant.distantPast

  private var session = Session(number: 0)
  private var flights: [Flight.ID: Flight] = [:]
  /// For each key the flight that was sent, and at most one that is sent when the first has ended.
  private var slots: [Flight.Key: (running: Flight.ID, followUp: Flight.ID?)] = [:]
  private var lastID: Flight.ID = 0

  /// How many flights there are, including those that wait.
  var count: Int { flights.count }

  /// How many executions share them.
  var shareCount: Int { flights.values.reduce(0) { $0 + $1.buffers.count } }

  /// Gives an execution a share in an existing flight, or in a new one.
  ///
  /// - Returns: the share, or nil if the operation's session has ended; and whether the flight was
  ///   made for this operation.
  mutating func join(
    _ operation: GraphQLOperation
  ) -> (share: Flight.Share?, isFirst: Bool, actions: [Action]) {
    guard operation.context.session >= session else { return (nil, false, []) }
    let actions = switched(to: operation.context.session)
    let key = Flight.Key(operation)
    let buffer = ResultBuffer()
    guard let slot = slots[key] else {
      let id = makeFlight(for: operation, key: key)
      slots[key] = (id, nil)
      return (share(buffer, in: id), true, actions + launched(id))
    }
    // No copy of the flight is held while it changes: its buffers may be many.
    if flights[slot.running]?.admits(operation, fence: lastFence) == true {
      // No consumer waits at this buffer yet, so nothing resumes under the lock. After the lock is
      // released, the result could come after a newer one.
      if let latest = flights[slot.running]?.latest { buffer.append(latest) }
      return (share(buffer, in: slot.running), false, actions)
    }
    let id = slot.followUp ?? makeFlight(for: operation, key: key)
    slots[key]?.followUp = id
    flights[id]?.require(operation)
    return (share(buffer, in: id), slot.followUp == nil, actions)
  }

  /// Gives a share back. A flight ends when its last share is given back.
  mutating func leave(_ share: Flight.Share) -> [Action] {
    flights[share.flight]?.buffers[ObjectIdentifier(share.buffer)] = nil
    return flights[share.flight]?.buffers.isEmpty == true ? end(share.flight) : []
  }

  /// Notes a result of a flight.
  mutating func deliver(_ result: OperationResult, to id: Flight.ID) -> [Action] {
    guard let flight = flights[id] else { return [] }
    flights[id]?.latest = result
    return [.deliver(result, to: Array(flight.buffers.values), replacing: flight.latest)]
  }

  /// Ends a flight, and launches the one that waits for it.
  mutating func end(_ id: Flight.ID) -> [Action] {
    guard let flight = flights.removeValue(forKey: id), let slot = slots[flight.key] else {
      return []
    }
    guard slot.running == id else {
      slots[flight.key]?.followUp = nil
      return [.end(flight)]
    }
    slots[flight.key] = slot.followUp.map { ($0, nil) }
    return [.end(flight)] + (slot.followUp.map { launched($0) } ?? [])
  }

  /// Notes the task of a flight; returns false if the flight has ended already.
  mutating func setTask(_ task: Task<Void, Never>, of id: Flight.ID) -> Bool {
    flights[id]?.task = task
    return flights[id] != nil
  }

  /// Ends all flights of older sessions.
  mutating func switched(to session: Session) -> [Action] {
    guard session > self.session else { return [] }
    self.session = session
    defer { (flights, slots) = ([:], [:]) }
    return flights.values.flatMap { flight -> [Action] in
      let buffers = Array(flight.buffers.values)
      return [
        .deliver(OperationResult(error: .cancelled), to: buffers, replacing: nil), .end(flight),
      ]
    }
  }

  private mutating func makeFlight(for operation: GraphQLOperation, key: Flight.Key) -> Flight.ID {
    lastID += 1
    flights[lastID] = Flight(id: lastID, key: key, operation: operation)
    return lastID
  }

  private mutating func share(_ buffer: ResultBuffer, in id: Flight.ID) -> Flight.Share? {
    flights[id]?.buffers[ObjectIdentifier(buffer)] = buffer
    return flights[id].map { Flight.Share(flight: id, buffer: buffer, notBefore: $0.notBefore) }
  }

  private mutating func launched(_ id: Flight.ID) -> [Action] {
    flights[id]?.sentAt = .next()
    return flights[id].map { [.launch($0)] } ?? []
  }
}
