/// Everything that a document cache knows, without a lock: who has what, which names it is
/// invalidated by, and what was requested when.
struct DocumentCacheState {
  private(set) var session = Session(number: 0)
  let configuration: DocumentCacheConfiguration

  var table: [OperationIdentity: Int32] = [:]
  var slots = CacheSlots()
  var index = NameIndex()
  var requests = RequestLog()
  /// Single operations that were invalidated while requests were in flight.
  var invalidatedKeys: [OperationIdentity: LogicalInstant] = [:]
  /// How many of them there were when they were looked through last.
  var invalidatedKeysAtLastPruning = 0
  var clearedAt = LogicalInstant.distantPast
  var hits = 0
  var misses = 0
  var evictions = 0

  init(_ configuration: DocumentCacheConfiguration) {
    self.configuration = configuration
  }

  /// What was taken out: to be released, and fired, when the lock is open. The end of a decoded
  /// value is the user's code, and may call the client.
  struct Dropped {
    var instant = LogicalInstant.distantPast
    var entries: [CacheEntry] = []
    var failures: [CacheFailure] = []
    var sources: [RefreshSource] = []

    func fire() {
      for source in sources { source.fire(at: instant) }
    }
  }

  /// Everything goes, and what was requested before is not kept any more.
  mutating func switchSession(to session: Session) -> Dropped {
    guard session > self.session else { return Dropped() }
    self.session = session
    return clear(at: .next())
  }
}

// MARK: - Reading

extension DocumentCacheState {
  @inline(__always)
  mutating func lookUp(_ operation: GraphQLOperation, now: Duration?) -> OperationResult? {
    guard operation.context.session == session, let slot = table[operation.identity] else {
      return nil
    }
    guard let entry = slots[slot].entry, entry.requestedAt >= operation.context.notBefore,
      now.map({ isFresh(entry, now: $0, maximumAge: operation.context.maximumAge) }) ?? true
    else {
      return slots[slot].failure(answering: operation)
    }
    slots.touch(slot)
    hits &+= 1
    let tags = operation.context.flightTags?.take() ?? operation.context.additionalTypenames
    if !tags.isEmpty { add(tags, to: slot) }
    return OperationResult(
      payload: entry.payload, outcome: .hit,
      signal: RefreshSignal(source: slots[slot].source, since: entry.requestedAt))
  }

  private func isFresh(_ entry: CacheEntry, now: Duration, maximumAge: Duration?) -> Bool {
    let age = now - entry.receivedAt
    if let timeToLive = configuration.timeToLive, age >= timeToLive { return false }
    if let maximumAge, age > maximumAge { return false }
    return true
  }

  /// A hit with new tags is invalidated by them, too, from now on.
  private mutating func add(_ tags: Set<String>, to slot: Int32) {
    let known = index.names(of: slot)
    let added = tags.map { index.id(of: $0) }.filter { !known.contains($0) }
    if !added.isEmpty { index.link(slot, to: (known + added).sorted()) }
  }

  /// The signal of a query that nothing is cached for and that is not sent.
  mutating func signalOfMiss(
    _ operation: GraphQLOperation, into dropped: inout Dropped
  ) -> RefreshSignal? {
    guard operation.context.session == session else { return nil }
    sweep(lookingAt: 2, into: &dropped)
    return slots[slot(for: operation.identity)].source.signal
  }

  /// The data of a query, however old.
  func payload(of operation: GraphQLOperation) -> ResultPayload? {
    guard operation.context.session == session, let slot = table[operation.identity] else {
      return nil
    }
    return slots[slot].entry?.payload
  }
}

// MARK: - Slots

extension DocumentCacheState {
  mutating func slot(for identity: OperationIdentity) -> Int32 {
    if let slot = table[identity] { return slot }
    let slot = slots.make(for: identity)
    table[identity] = slot
    return slot
  }

  mutating func forgetFailure(of slot: Int32, into dropped: inout Dropped) {
    if let failure = slots[slot].failure.take() { dropped.failures.append(failure) }
  }

  mutating func remove(_ slot: Int32, into dropped: inout Dropped) {
    if let entry = slots.removeEntry(of: slot) { dropped.entries.append(entry) }
    forgetFailure(of: slot, into: &dropped)
    index.unlink(slot)
    table[slots[slot].identity] = nil
    slots.vacate(slot)
  }

  /// Gives back slots that have no entry and that nobody watches any more. Nobody tells the cache
  /// when a watch ends; so every request looks at a few.
  mutating func sweep(lookingAt limit: Int, into dropped: inout Dropped) {
    var limit = limit
    while let slot = slots.nextAbandoned(lookingAt: &limit) {
      remove(slot, into: &dropped)
    }
  }
}
