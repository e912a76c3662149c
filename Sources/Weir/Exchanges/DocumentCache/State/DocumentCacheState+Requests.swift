/// A response on its way into the cache.
struct CachedResponse {
  let payload: ResultPayload
  let requestedAt: LogicalInstant
  let receivedAt: Duration
  /// Its types, those that its document is known to return, and its tags.
  let names: Set<String>
  /// Fields that came back empty and whose types nobody knows yet.
  let unknownFields: Set<FieldName>
  /// Whether it may be kept.
  let isStorable: Bool
  /// Whether nothing more follows it.
  let isFinal: Bool
}

/// What became of a response.
struct Reception {
  var signal: RefreshSignal?
  var isOvertaken = false
  fileprivate var firing: (source: RefreshSource, at: LogicalInstant)?
  fileprivate var dropped = DocumentCacheState.Dropped()

  /// Wakes those who show older data. Not under the lock.
  func fire() {
    firing?.source.fire(at: firing?.at ?? .distantPast)
    dropped.fire()
  }
}

extension DocumentCacheState {
  mutating func beginRequest() -> LogicalInstant {
    misses &+= 1
    return requests.begin()
  }

  mutating func endRequest(_ requestedAt: LogicalInstant) {
    requests.end(requestedAt)
    pruneInvalidatedKeys()
    index.pruneIfGrown(oldestRequest: requests.oldest)
  }

  /// Forgets those that no request in flight can have missed; looks at all of them, so only when
  /// they have doubled since the last time.
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
    _ response: CachedResponse, for operation: GraphQLOperation
  ) -> Reception {
    var reception = Reception()
    guard operation.context.session == session else { return reception }
    sweep(lookingAt: 2, into: &reception.dropped)
    let slot = slot(for: operation.identity)
    let names = ids(of: response)
    reception.signal = RefreshSignal(source: slots[slot].source, since: response.requestedAt)
    if let instant = lastInvalidation(of: names, identity: operation.identity),
      instant > response.requestedAt
    {
      reception.isOvertaken = true
      reception.firing = (slots[slot].source, instant)
    } else if response.isStorable, operation.context.storesResult, !configuration.keepsNothing {
      store(response, names: names, in: slot, reception: &reception)
    } else if response.isFinal {
      note(response, names: names, in: slot, dropped: &reception.dropped)
    }
    return reception
  }

  private mutating func ids(of response: CachedResponse) -> [NameIndex.ID] {
    var ids = response.names.map { index.id(of: $0) }
    if !response.unknownFields.isEmpty {
      ids.append(NameIndex.unknown)
      ids += response.unknownFields.map { index.id(of: $0.description, isField: true) }
    }
    return ids.sorted()
  }

  private func lastInvalidation(
    of names: [NameIndex.ID], identity: OperationIdentity
  ) -> LogicalInstant? {
    let ofNames = max(clearedAt, index.lastInvalidation(of: names))
    return max(ofNames, invalidatedKeys[identity] ?? .distantPast)
  }

  private mutating func store(
    _ response: CachedResponse, names: [NameIndex.ID], in slot: Int32,
    reception: inout Reception
  ) {
    if let old = slots[slot].entry, old.requestedAt > response.requestedAt { return }
    let stored = stored(
      response.payload, requestedAt: response.requestedAt, receivedAt: response.receivedAt,
      names: names, in: slot)
    reception.firing = stored.firing
    reception.dropped.entries += stored.dropped.entries
    reception.dropped.failures += stored.dropped.failures
  }

  /// Puts a payload into a slot. Whoever shows an older one of this key will fire.
  mutating func stored(
    _ payload: ResultPayload, requestedAt: LogicalInstant, receivedAt: Duration,
    names: [NameIndex.ID], in slot: Int32
  ) -> Reception {
    var reception = Reception()
    if let old = slots[slot].entry { reception.dropped.entries.append(old) }
    forgetFailure(of: slot, into: &reception.dropped)
    slots.setEntry(
      CacheEntry(
        payload: payload, requestedAt: requestedAt, receivedAt: receivedAt,
        cost: CacheEntry.cost(of: payload, nameCount: names.count)),
      of: slot)
    index.link(slot, to: names)
    reception.firing = (slots[slot].source, requestedAt)
    evict(into: &reception.dropped)
    return reception
  }

  /// What is not kept is invalidated by its types all the same, if somebody watches it; so is what
  /// came before, which others may still show. A failure is remembered, so that who wakes later than a
  /// failed refetch need not repeat it.
  private mutating func note(
    _ response: CachedResponse, names: [NameIndex.ID], in slot: Int32,
    dropped: inout Dropped
  ) {
    let known = Set(index.names(of: slot))
    if !known.isSuperset(of: names) { index.link(slot, to: known.union(names).sorted()) }
    guard response.payload.error != nil || response.payload.data == nil else { return }
    if let other = slots[slot].failure, other.sentAt > response.requestedAt { return }
    forgetFailure(of: slot, into: &dropped)
    slots[slot].failure = CacheFailure(payload: response.payload, sentAt: response.requestedAt)
  }

  private mutating func evict(into dropped: inout Dropped) {
    var spared = 0
    while slots.entryCount > configuration.maximumCount || slots.bytes > configuration.maximumBytes,
      let slot = slots.leastRecentlyUsed
    {
      if slots.isWatched(slot) {
        // Its turn comes again. A few per call, so that a cache full of live ones stays fast.
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
