/// Everything that a document cache knows, without a lock: the results, the names that invalidate
/// them, and the requests in flight.
struct DocumentCacheState {
  private(set) var session = Session(number: 0)
  let configuration: DocumentCacheConfiguration

  var table: [OperationIdentity: Int32] = [:]
  var slots = CacheSlots()
  var index = NameIndex()
  var requests = RequestLog()
  /// Single operations that were invalidated while requests were in flight.
  var invalidatedKeys: [OperationIdentity: LogicalInstant] = [:]
  /// How many of them were left when they were pruned last.
  var invalidatedKeysAtLastPruning = 0
  var clearedAt = LogicalInstant.distantPast
  var hits = 0
  /// Look-ups that found no result.
  var failedLookUps = 0
  /// Requests of queries.
  var misses = 0
  /// Responses to what a watch waits for.
  var refetches = 0
  var evictions = 0
  /// How many slots were not looked at since the last invalidation: they may be outdated.
  var unchecked = 0

  init(_ configuration: DocumentCacheConfiguration) {
    self.configuration = configuration
  }

  /// The removed results and the sources to fire. The caller fires and releases it without the
  /// lock: the deinitializer of a decoded value is the user's code, and may call the client.
  struct Dropped {
    /// Most requests drop one result at most.
    private var first: ResultPayload?
    private var others: [ResultPayload] = []
    var sources: [(source: RefreshSource, instant: LogicalInstant)] = []

    mutating func take(_ payload: ResultPayload) {
      if first == nil { first = payload } else { others.append(payload) }
    }

    func fire() {
      RefreshSource.fire(sources)
    }
  }

  /// Drops everything; results that were requested before are no longer stored.
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
    lookUp(operation, in: slotInUse(of: operation), now: now)
  }

  /// The slot of an operation's key, if there is one and the operation may use it.
  @inline(__always)
  func slotInUse(of operation: GraphQLOperation) -> Int32? {
    operation.context.session == session ? table[operation.identity] : nil
  }

  @inline(__always)
  mutating func lookUp(
    _ operation: GraphQLOperation, in slot: Int32?, now: Duration?
  ) -> OperationResult? {
    guard let slot, index.outdated(slot) == nil else {
      failedLookUps &+= 1
      return nil
    }
    guard let entry = slots[slot].entry, entry.requestedAt >= operation.context.notBefore,
      now.map({ isFresh(entry, now: $0, maximumAge: operation.context.maximumAge) }) ?? true
    else {
      failedLookUps &+= 1
      return failure(of: slot, answering: operation)
    }
    slots.touch(slot)
    hits &+= 1
    let tags = operation.context.takeTags()
    if !tags.isEmpty { add(tags, to: slot) }
    return OperationResult(
      payload: entry.payload, outcome: .hit,
      signal: RefreshSignal(source: slots.source(of: slot), since: entry.requestedAt))
  }

  /// Returns the result of a query that any fresh one answers. Only what it returns counts as a
  /// look-up.
  @inline(__always)
  mutating func hit(_ identity: OperationIdentity, _ session: Session, now: Duration?)
    -> ResultPayload?
  {
    guard session == self.session, let slot = table[identity], index.outdated(slot) == nil,
      let entry = slots[slot].entry,
      now.map({ isFresh(entry, now: $0, maximumAge: nil) }) ?? true
    else { return nil }
    slots.touch(slot)
    hits &+= 1
    return entry.payload
  }

  /// Returns the failure that answers a watch which wakes after the failed refetch.
  private mutating func failure(
    of slot: Int32, answering operation: GraphQLOperation
  ) -> OperationResult? {
    let context = operation.context
    guard let failure = slots.failure(of: slot), context.requestPolicy == .cacheFirst,
      context.isRefetch, failure.sentAt >= context.notBefore
    else { return nil }
    return OperationResult(payload: failure.payload)
      .withSignal(RefreshSignal(source: slots.source(of: slot), since: failure.sentAt))
  }

  func isFresh(_ entry: CacheEntry, now: Duration, maximumAge: Duration?) -> Bool {
    let age = now - entry.receivedAt
    if let timeToLive = configuration.timeToLive, age >= timeToLive { return false }
    if let maximumAge, age > maximumAge { return false }
    return entry.isRetained(at: now)
  }

  /// From now on, new tags of a hit invalidate it, too.
  private mutating func add(_ tags: Set<String>, to slot: Int32) {
    let known = index.names(of: slot)
    let added = tags.map { index.id(of: $0) }.filter { !known.contains($0) }
    guard !added.isEmpty else { return }
    let since = max(index.since(slot), index.lastInvalidation(of: added))
    index.link(slot, to: (known + added).sorted(), since: since)
  }

  /// The signal of a query that has no result and is not sent. It fires when one of `found` is
  /// invalidated, too.
  mutating func signalOfMiss(
    _ operation: GraphQLOperation, _ found: TypeKnowledge.Found?, into dropped: inout Dropped
  ) -> RefreshSignal? {
    guard operation.context.session == session else { return nil }
    sweep(into: &dropped)
    let slot = slot(for: operation.identity)
    refresh(slot, into: &dropped)
    let source = slots.source(of: slot)
    if let found {
      let names = found.names.union(operation.context.additionalTypenames)
      let ids = ids(of: names, found.unknownFields.map(\.description))
      link(slot, to: ids, since: index.lastInvalidation(of: ids))
    }
    return RefreshSignal(source: source, since: max(source.lastFiring, index.since(slot)))
  }

  /// The result of a query, however old, unless an exchange has limited its time.
  mutating func payload(of operation: GraphQLOperation, now: Duration) -> ResultPayload? {
    guard operation.context.session == session, let slot = table[operation.identity],
      index.outdated(slot) == nil, let entry = slots[slot].entry, entry.isRetained(at: now)
    else { return nil }
    return entry.payload
  }
}

// MARK: - Slots

extension DocumentCacheState {
  mutating func slot(for identity: OperationIdentity) -> Int32 {
    // One search in the table, whether it has the key or not.
    let next = slots.nextToMake
    let slot = { (slot: inout Int32) in slot }(&table[identity, default: next])
    return slot == next ? slots.make(for: identity) : slot
  }

  mutating func forgetFailure(of slot: Int32, into dropped: inout Dropped) {
    if let failure = slots.removeFailure(of: slot) { dropped.take(failure.payload) }
  }

  mutating func remove(_ slot: Int32, into dropped: inout Dropped) {
    if let entry = slots.removeEntry(of: slot) { dropped.take(entry.payload) }
    forgetFailure(of: slot, into: &dropped)
    index.unlink(slot)
    table[slots[slot].identity] = nil
    slots.vacate(slot)
  }
}
