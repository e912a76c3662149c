/// A response that the cache is about to store.
struct CachedResponse {
  let payload: ResultPayload
  var requestedAt: LogicalInstant
  let receivedAt: Duration
  /// Its types, the types that its document is known to return, and its tags.
  let names: Set<String>
  /// The fields, as `Type.field`, that came back empty and whose types are unknown.
  let unknownFields: Set<String>
  /// Whether the cache may store it.
  var isStorable = true
  /// Whether it is the last result of its request.
  var isFinal = true
  /// When the result before it of the same request was stored, if that is later than the request.
  var formerlyStoredAt: LogicalInstant?
}

/// The outcome of a response.
struct Reception {
  var signal: RefreshSignal?
  var isSuperseded = false
  /// When the result was stored, if that is later than its request.
  var storedAt: LogicalInstant?
  fileprivate var firing: (source: RefreshSource, at: LogicalInstant)?
  var dropped = DocumentCacheState.Dropped()

  /// Wakes the watches that show older data. Not under the lock.
  func fire() {
    firing?.source.fire(at: firing?.at ?? .distantPast)
    dropped.fire()
  }
}

extension DocumentCacheState {
  /// Begins a request of an operation that has this slot, if it has one.
  mutating func beginRequest(in slot: Int32?) -> CacheRequest {
    misses &+= 1
    return CacheRequest(
      sentAt: requests.begin(), former: slot.flatMap { slots[$0].entry?.payload })
  }

  mutating func endRequest(_ requestedAt: LogicalInstant) {
    requests.end(requestedAt)
    pruneInvalidatedKeys()
    index.pruneIfGrown(oldestRequest: requests.oldest)
  }

  /// Drops the keys that were invalidated before the oldest request in flight was sent. This checks
  /// all of them, so it runs only when their number has doubled.
  private mutating func pruneInvalidatedKeys() {
    guard let oldest = requests.oldest else {
      if !invalidatedKeys.isEmpty { invalidatedKeys.removeAll(keepingCapacity: true) }
      return invalidatedKeysAtLastPruning = 0
    }
    guard invalidatedKeys.count > 2 * invalidatedKeysAtLastPruning + 64 else { return }
    invalidatedKeys = invalidatedKeys.filter { $0.value >= oldest }
    invalidatedKeysAtLastPruning = invalidatedKeys.count
  }

  mutating func receive(
    _ response: CachedResponse, for operation: GraphQLOperation, _ reception: inout Reception
  ) {
    var response = response
    guard operation.context.session == session else { return }
    let slot = slot(for: operation.identity)
    let isRefetch = index.isAwaited(slot)
    refresh(slot, into: &reception.dropped)
    let names = ids(of: response.names, response.unknownFields)
    let hasSource = slots[slot].source != nil
    reception.signal = RefreshSignal(source: slots.source(of: slot), since: response.requestedAt)
    if let instant = lastInvalidation(of: names, identity: operation.identity),
      instant > response.requestedAt
    {
      reception.isSuperseded = true
      reception.firing = (slots.source(of: slot), instant)
    } else if response.isStorable, !configuration.keepsNothing {
      if let entry = slots[slot].entry,
        entry.requestedAt == response.formerlyStoredAt
          || hasSource && entry.requestedAt == response.requestedAt
      {
        // A further result of one request supersedes the one before, which others may show. No
        // invalidation since the request concerns it, so it is as good as one of a request from now.
        response.requestedAt = .next()
        reception.storedAt = response.requestedAt
        reception.signal = RefreshSignal(
          source: slots.source(of: slot), since: response.requestedAt)
      }
      store(response, names: names, in: slot, dropped: &reception.dropped)
    } else {
      note(response, names: names, in: slot, dropped: &reception.dropped)
    }
    if !reception.isSuperseded, let newest = slots[slot].entry?.requestedAt {
      // The watches that show an older result wake up; if a later request was answered first, also
      // the one that gets this result. Nobody else has a signal of a source that was made here.
      let isNews = newest > response.requestedAt || hasSource && newest == response.requestedAt
      if isNews { reception.firing = (slots.source(of: slot), newest) }
    }
    // The signal protects this slot.
    if isRefetch { refetches &+= 1 }
    // Many watches may refetch at once, and hardly anything grows by that: so most of them free nothing.
    if !isRefetch || refetches % 16 == 0 { sweep(into: &reception.dropped) }
  }

  /// Returns the numbers of names, and of fields whose types are unknown, in order.
  mutating func ids(
    of names: Set<String>, _ unknownFields: some Collection<String>
  ) -> [NameIndex.ID] {
    let ids = index.ids(of: names)
    guard !unknownFields.isEmpty else { return ids }
    return (ids + unknownFields.map { index.id(of: $0, isField: true) }).sorted()
  }

  private func lastInvalidation(
    of names: [NameIndex.ID], identity: OperationIdentity
  ) -> LogicalInstant? {
    let ofNames = max(clearedAt, index.lastInvalidation(of: names))
    return invalidatedKeys.isEmpty
      ? ofNames : max(ofNames, invalidatedKeys[identity] ?? .distantPast)
  }

  /// Stores a response in a slot, unless that has a newer one.
  mutating func store(
    _ response: CachedResponse, names: [NameIndex.ID], in slot: Int32, dropped: inout Dropped
  ) {
    let old = slots[slot].entry
    if let old, old.requestedAt > response.requestedAt { return }
    if let old { dropped.take(old.payload) }
    forgetFailure(of: slot, into: &dropped)
    slots.setEntry(
      CacheEntry(
        payload: response.payload, requestedAt: response.requestedAt,
        receivedAt: response.receivedAt,
        cost: CacheEntry.cost(of: response.payload, nameCount: names.count)
          + slots[slot].identity.footprint),
      of: slot)
    index.link(slot, to: names, since: response.requestedAt)
    evict(into: &dropped)
  }

  /// Notes a response that is not stored. If it is watched, its types still invalidate it, and so
  /// do those of the result before, which other watches may still show. A failure is kept, so that
  /// watches that wake after a failed refetch do not repeat it; a later success ends that.
  private mutating func note(
    _ response: CachedResponse, names: [NameIndex.ID], in slot: Int32,
    dropped: inout Dropped
  ) {
    link(slot, to: names, since: response.requestedAt)
    guard response.isFinal else { return }
    if let other = slots.failure(of: slot), other.sentAt > response.requestedAt { return }
    forgetFailure(of: slot, into: &dropped)
    guard response.payload.error != nil || response.payload.data == nil else { return }
    slots.setFailure(
      CacheFailure(payload: response.payload, sentAt: response.requestedAt), of: slot)
  }

  /// Adds names to those that a slot has.
  mutating func link(_ slot: Int32, to names: [NameIndex.ID], since: LogicalInstant) {
    let known = Set(index.names(of: slot))
    guard !known.isSuperset(of: names) else { return }
    index.link(slot, to: known.union(names).sorted(), since: max(index.since(slot), since))
  }

  private mutating func evict(into dropped: inout Dropped) {
    var spared = 0
    while slots.entryCount > configuration.maximumCount || slots.bytes > configuration.maximumBytes,
      let slot = slots.leastRecentlyUsed
    {
      // Outdated entries first. Limits per call keep a cache fast that is full of watched entries,
      // or of entries that an invalidation has spared.
      if unchecked > 0, spared < 4 {
        sweep(effort: 64, into: &dropped)
        spared += 1
      } else if slots.isWatched(slot) {
        slots.touch(slot)
        spared += 1
        if spared == 16 { return }
      } else {
        evictions &+= 1
        remove(slot, into: &dropped)
      }
    }
  }
}
