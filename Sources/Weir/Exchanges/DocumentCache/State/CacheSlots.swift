/// A stored result.
struct CacheEntry {
  let payload: ResultPayload
  /// When its request was sent, on the logical clock.
  let requestedAt: LogicalInstant
  /// When it was received, on the cache's clock.
  let receivedAt: Duration
  /// The bytes of the response, and an estimate for the rest.
  let cost: Int

  /// Whether the time has not passed for which an exchange allows to keep the result.
  func isRetained(at now: Duration) -> Bool {
    payload.retention.map { now - receivedAt < $0 } ?? true
  }

  static func cost(of payload: ResultPayload, nameCount: Int) -> Int {
    (payload.data?.document.footprint ?? 0) + 320 + nameCount * 12
  }
}

/// The failure of a key's last request.
struct CacheFailure {
  let payload: ResultPayload
  let sentAt: LogicalInstant
}

/// One key of the cache, with its entry if there is one.
struct CacheSlot {
  let identity: OperationIdentity
  /// Fires when the shown result of this key is superseded. The signals of results retain it, so a
  /// second reference to it means that there may be a live watch.
  fileprivate(set) var source: RefreshSource
  fileprivate(set) var entry: CacheEntry?
  var failure: CacheFailure?
  fileprivate var newer: Int32 = -1
  fileprivate var older: Int32 = -1
  fileprivate var isQueuedAsIdle = false
}

extension CacheSlot {
  /// Takes the place of a slot that was freed.
  fileprivate static let vacant = CacheSlot(
    identity: OperationIdentity(text: "", variables: [], scope: nil),
    source: RefreshSource())

  /// Returns the failure that answers a watch which wakes after the failed refetch.
  func failure(answering operation: GraphQLOperation) -> OperationResult? {
    let context = operation.context
    guard let failure, context.requestPolicy == .cacheFirst,
      context.notBefore > .distantPast, failure.sentAt >= context.notBefore
    else { return nil }
    return OperationResult(payload: failure.payload)
      .withSignal(RefreshSignal(source: source, since: failure.sentAt))
  }
}

/// The keys of the cache, in order of use. Slots have numbers instead of references, so that
/// finding, moving and dropping them counts no references.
struct CacheSlots {
  private var slots: [CacheSlot] = []
  private var vacant: [Int32] = []
  private var newest: Int32 = -1
  private var oldest: Int32 = -1
  private(set) var entryCount = 0
  private(set) var bytes = 0
  /// Slots that had no entry when they were checked last, in the order of the next check.
  private var idle: [Int32] = []
  private var nextIdle = 0

  /// How many slots are in use, with or without an entry.
  var count: Int { slots.count - vacant.count }

  /// The slot with the least recently used entry.
  var leastRecentlyUsed: Int32? { oldest < 0 ? nil : oldest }

  subscript(slot: Int32) -> CacheSlot {
    @inline(__always) _read { yield slots[Int(slot)] }
    @inline(__always) _modify { yield &slots[Int(slot)] }
  }

  /// Returns a new slot without an entry.
  mutating func make(for identity: OperationIdentity) -> Int32 {
    var made = CacheSlot(identity: identity, source: RefreshSource())
    let slot: Int32
    if let reused = vacant.popLast() {
      made.isQueuedAsIdle = slots[Int(reused)].isQueuedAsIdle
      slots[Int(reused)] = made
      slot = reused
    } else {
      slots.append(made)
      slot = Int32(slots.count - 1)
    }
    queueAsIdle(slot)
    return slot
  }

  /// Frees a slot without an entry.
  mutating func vacate(_ slot: Int32) {
    // The slot may still be queued, and must not be queued twice when it is used again.
    let isQueuedAsIdle = slots[Int(slot)].isQueuedAsIdle
    slots[Int(slot)] = .vacant
    slots[Int(slot)].isQueuedAsIdle = isQueuedAsIdle
    vacant.append(slot)
  }

  /// Whether a signal of this slot exists: a watch shows its result, or an execution has just
  /// received it.
  mutating func isWatched(_ slot: Int32) -> Bool {
    !isKnownUniquelyReferenced(&slots[Int(slot)].source)
  }

  mutating func setEntry(_ entry: CacheEntry, of slot: Int32) {
    if let old = slots[Int(slot)].entry {
      bytes -= old.cost
      unlink(slot)
    } else {
      entryCount += 1
    }
    bytes += entry.cost
    slots[Int(slot)].entry = entry
    linkAsNewest(slot)
  }

  /// Removes and returns the entry, which the caller must release without the lock.
  mutating func removeEntry(of slot: Int32) -> CacheEntry? {
    // A swap moves the entry without touching its payload, which is probably not in the CPU cache.
    var entry: CacheEntry?
    swap(&entry, &slots[Int(slot)].entry)
    guard let cost = entry?.cost else { return nil }
    entryCount -= 1
    bytes -= cost
    unlink(slot)
    queueAsIdle(slot)
    return entry
  }
}

// MARK: - Order of use

extension CacheSlots {
  /// Notes that the entry of this slot was used.
  mutating func touch(_ slot: Int32) {
    guard newest != slot else { return }
    unlink(slot)
    linkAsNewest(slot)
  }

  /// The slots with an entry, in order of use.
  var leastRecentlyUsedFirst: [Int32] {
    var order: [Int32] = []
    var slot = oldest
    while slot >= 0 {
      order.append(slot)
      slot = slots[Int(slot)].newer
    }
    return order
  }

  private mutating func linkAsNewest(_ slot: Int32) {
    slots[Int(slot)].newer = -1
    slots[Int(slot)].older = newest
    if newest >= 0 { slots[Int(newest)].newer = slot }
    newest = slot
    if oldest < 0 { oldest = slot }
  }

  private mutating func unlink(_ slot: Int32) {
    let newer = slots[Int(slot)].newer
    let older = slots[Int(slot)].older
    if newer >= 0 { slots[Int(newer)].older = older } else { newest = older }
    if older >= 0 { slots[Int(older)].newer = newer } else { oldest = newer }
  }
}

// MARK: - Slots without an entry

extension CacheSlots {
  private mutating func queueAsIdle(_ slot: Int32) {
    guard !slots[Int(slot)].isQueuedAsIdle else { return }
    slots[Int(slot)].isQueuedAsIdle = true
    idle.append(slot)
  }

  /// Returns the next slot without an entry and without a watch, after checking at most `limit`
  /// slots. The slot is no longer queued; the caller frees it.
  mutating func nextAbandoned(lookingAt limit: inout Int) -> Int32? {
    while limit > 0, nextIdle < idle.count {
      limit -= 1
      let slot = idle[nextIdle]
      nextIdle += 1
      if nextIdle > 64, nextIdle * 2 > idle.count {
        idle.removeFirst(nextIdle)
        nextIdle = 0
      }
      slots[Int(slot)].isQueuedAsIdle = false
      guard slots[Int(slot)].entry == nil, slots[Int(slot)].source !== CacheSlot.vacant.source
      else { continue }
      if !isWatched(slot) { return slot }
      queueAsIdle(slot)
    }
    return nil
  }

  /// How many slots wait for a check.
  var idleCount: Int { idle.count - nextIdle }
}
