/// One request, or one that will be sent, and who waits for it.
struct Flight {
  typealias ID = UInt64

  /// Executions that may share a flight.
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

  /// One execution's place in a flight.
  struct Seat {
    let key: Key
    let flight: ID
    let buffer: ResultBuffer
    /// What the flight asks for, at least.
    let notBefore: LogicalInstant

    /// Whether what a flight brings will do for who did not start it.
    ///
    /// Who asked for the network, or for newer data than the flight did, must not be given what it
    /// found in a cache. (A hit with an error beside it is what a failed request fell back to.)
    func admits(_ result: OperationResult, for operation: GraphQLOperation) -> Bool {
      result.outcome != .hit || result.error != nil
        || !operation.context.requestPolicy.wantsNetwork
          && operation.context.notBefore <= notBefore
    }
  }

  let id: ID
  let tags: FlightTags
  var operation: GraphQLOperation
  /// When it was sent; nil while it waits for the flight before it.
  var sentAt: LogicalInstant?
  var latest: OperationResult?
  var buffers: [ObjectIdentifier: ResultBuffer] = [:]
  var task: Task<Void, Never>?

  init(id: ID, for operation: GraphQLOperation) {
    self.id = id
    tags = FlightTags(operation.context.additionalTypenames)
    self.operation = operation
    self.operation.context.flightTags = tags
  }
}

/// All flights of a dedup exchange: who may join which, and what follows when one ends.
///
/// Pure: its methods say what happened, and answer with what is to be done once the lock is open.
struct FlightTable {
  enum Action {
    case launch(Flight.ID, GraphQLOperation)
    /// Carries the result before, so that it is not released under the lock.
    case deliver(OperationResult, [ResultBuffer], replacing: OperationResult?)
    /// It has ended. It is carried whole, so that nothing of it is released under the lock.
    case finish(Flight)
    /// Nobody waits for it any more.
    case cancel(Flight)
  }

  /// The flights of one key: one on its way, and at most one that leaves when it has ended.
  private struct Slot {
    var running: Flight
    var followUp: Flight?
  }

  /// Flights sent before it are joined no more: a mutation has completed, an event has come that
  /// invalidates, or something was invalidated by hand.
  var lastFence = LogicalInstant.distantPast

  private var session = Session(number: 0)
  private var slots: [Flight.Key: Slot] = [:]
  private var keys: [Flight.ID: Flight.Key] = [:]
  private var lastID: Flight.ID = 0

  /// How many flights there are, those that wait included.
  var count: Int { keys.count }

  /// How many executions share them.
  var passengerCount: Int {
    slots.values.reduce(0) { $0 + $1.running.buffers.count + ($1.followUp?.buffers.count ?? 0) }
  }

  /// Takes a seat in a flight that may be shared, or in a new one.
  ///
  /// - Returns: no seat if the operation belongs to a session that has ended; `isPilot` if the
  ///   flight was made for this operation.
  mutating func join(
    _ operation: GraphQLOperation
  ) -> (seat: Flight.Seat?, isPilot: Bool, actions: [Action]) {
    guard operation.context.session >= session else { return (nil, false, []) }
    var actions: [Action] = []
    if operation.context.session > session {
      actions = switched(to: operation.context.session)
    }
    let key = Flight.Key(operation)
    let buffer = ResultBuffer()
    guard var slot = slots[key] else {
      var flight = makeFlight(for: operation, key: key)
      flight.sentAt = .next()
      flight.board(buffer)
      actions.append(.launch(flight.id, flight.operation))
      slots[key] = Slot(running: flight)
      return (flight.seat(buffer, key: key), true, actions)
    }
    // Taken out while it is changed, so that its storage is not copied.
    slots[key] = nil
    defer { slots[key] = slot }
    let seat = slot.running.seat(buffer, key: key)
    if slot.running.admits(operation, in: seat, fence: lastFence) {
      // Nobody waits at this buffer yet, so nothing is resumed under the lock; and done later it
      // could come after a newer result.
      if let latest = slot.running.latest { buffer.append(latest) }
      slot.running.board(buffer)
      return (seat, false, actions)
    }
    let isPilot = slot.followUp == nil
    var followUp = slot.followUp ?? makeFlight(for: operation, key: key)
    _ = followUp.tags.add(operation.context.additionalTypenames)
    let needed = max(followUp.operation.context.notBefore, operation.context.notBefore)
    followUp.operation.context.notBefore = needed
    followUp.board(buffer)
    slot.followUp = followUp
    return (followUp.seat(buffer, key: key), isPilot, actions)
  }

  /// A passenger gives its seat up; the last one's leaving cancels the flight.
  mutating func leave(_ seat: Flight.Seat) -> [Action] {
    guard var slot = slots[seat.key] else { return [] }
    slots[seat.key] = nil
    let passenger = ObjectIdentifier(seat.buffer)
    if slot.running.id == seat.flight {
      slot.running.buffers[passenger] = nil
      if slot.running.buffers.isEmpty {
        return [.cancel(slot.running)] + ended(slot, key: seat.key)
      }
    } else if slot.followUp?.id == seat.flight {
      slot.followUp?.buffers[passenger] = nil
      if let followUp = slot.followUp, followUp.buffers.isEmpty {
        keys[seat.flight] = nil
        slot.followUp = nil
        slots[seat.key] = slot
        return [.cancel(followUp)]
      }
    }
    slots[seat.key] = slot
    return []
  }

  mutating func deliver(_ result: OperationResult, to id: Flight.ID) -> [Action] {
    guard let place = place(of: id) else { return [] }
    let old = slots.values[place].running.latest
    slots.values[place].running.latest = result
    return [.deliver(result, Array(slots.values[place].running.buffers.values), replacing: old)]
  }

  mutating func end(_ id: Flight.ID) -> [Action] {
    guard let place = place(of: id) else { return [] }
    let (key, slot) = slots.remove(at: place)
    let next = ended(slot, key: key)
    return next.isEmpty ? [.finish(slot.running)] : [.finish(slot.running)] + next
  }

  /// Notes the task of a flight; false if everybody has left it meanwhile.
  mutating func setTask(_ task: Task<Void, Never>, of id: Flight.ID) -> Bool {
    guard let place = place(of: id) else { return false }
    slots.values[place].running.task = task
    return true
  }

  /// Where a running flight is. What is read or changed there is not copied before.
  private func place(of id: Flight.ID) -> Dictionary<Flight.Key, Slot>.Index? {
    guard let key = keys[id], let place = slots.index(forKey: key),
      slots.values[place].running.id == id
    else { return nil }
    return place
  }

  mutating func switched(to session: Session) -> [Action] {
    guard session > self.session else { return [] }
    self.session = session
    let flights = slots.values.flatMap { [$0.running] + ($0.followUp.map { [$0] } ?? []) }
    slots = [:]
    keys = [:]
    return flights.flatMap { flight -> [Action] in
      let buffers = Array(flight.buffers.values)
      return [
        .deliver(OperationResult(error: .cancelled), buffers, replacing: nil), .finish(flight),
        .cancel(flight),
      ]
    }
  }

  /// The running flight of a slot that was taken out has ended; the next one leaves.
  private mutating func ended(_ slot: Slot, key: Flight.Key) -> [Action] {
    keys[slot.running.id] = nil
    guard var next = slot.followUp else { return [] }
    next.sentAt = .next()
    slots[key] = Slot(running: next)
    return [.launch(next.id, next.operation)]
  }

  private mutating func makeFlight(for operation: GraphQLOperation, key: Flight.Key) -> Flight {
    lastID += 1
    keys[lastID] = key
    return Flight(id: lastID, for: operation)
  }
}

extension Flight {
  /// Whether an execution may share this flight, which has been sent.
  ///
  /// The tags come last: adding them is the one effect of asking.
  func admits(_ operation: GraphQLOperation, in seat: Seat, fence: LogicalInstant) -> Bool {
    guard let sentAt, sentAt >= operation.context.notBefore, sentAt > fence else { return false }
    if let latest, !seat.admits(latest, for: operation) { return false }
    return tags.add(operation.context.additionalTypenames)
  }

  func seat(_ buffer: ResultBuffer, key: Key) -> Seat {
    Seat(key: key, flight: id, buffer: buffer, notBefore: operation.context.notBefore)
  }

  mutating func board(_ buffer: ResultBuffer) {
    buffers[ObjectIdentifier(buffer)] = buffer
  }
}
