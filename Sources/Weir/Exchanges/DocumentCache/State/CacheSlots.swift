internal import WeirSupport

/// A stored result.
struct CacheEntry {
  fileprivate(set) var payload: ResultPayload
  /// When its request was sent, on the logical clock.
  let requestedAt: LogicalInstant
  // Narrow types, because there is one for each result.
  private let nanoseconds: Int64
  private let bytes: UInt32

  init(payload: ResultPayload, requestedAt: LogicalInstant, receivedAt: Duration, cost: Int) {
    self.payload = payload
    self.requestedAt = requestedAt
    nanoseconds = receivedAt.nanoseconds
    bytes = UInt32(clamping: cost)
  }

  /// When it was received, on the cache's clock.
  var receivedAt: Duration { .nanoseconds(nanoseconds) }

  /// The bytes of the response and its key, and an estimate for the rest.
  var cost: Int { Int(clamping: bytes) }

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
  /// Fires when the shown result of this key is superseded; nil if nobody has asked for it. The
  /// signals of results retain it, so a second reference to it means that there may be a live watch.
  fileprivate(set) var source: RefreshSource?
  fileprivate(set) var entry: CacheEntry?
  fileprivate var newer: Int32 = -1
  fileprivate var older: Int32 = -1
}

extension CacheSlot {
  /// Takes the place of a slot that was freed.
  fileprivate static let vacant = CacheSlot(
    identity: OperationIdentity(text: "", variables: CompactBytes(""), scope: nil))
}

/// The keys of the cache, in order of use. Slots have numbers instead of references, so that
/// finding, moving and dropping them counts no references.
struct CacheSlots {
  private var slots: [CacheSlot] = []
  private var vacant: [Int32] = []
  /// The failures by slot. Few slots have one.
  private var failures: [Int32: CacheFailure] = [:]
  private var newest: Int32 = -1
  private var oldest: Int32 = -1
  private(set) var entryCount = 0
  private(set) var bytes = 0
  /// The position of ``next()``.
  private var hand = 0
  /// Called before somebody reads the state of a slot's source, or waits for it.
  var willObserve: @Sendable (RefreshSource) -> Void = { _ in }

  /// How many slots are in use, with or without an entry.
  var count: Int { slots.count - vacant.count }

  /// The slot with the least recently used entry.
  var leastRecentlyUsed: Int32? { oldest < 0 ? nil : oldest }

  subscript(slot: Int32) -> CacheSlot {
    @inline(__always) _read { yield slots[Int(slot)] }
    @inline(__always) _modify { yield &slots[Int(slot)] }
  }

  /// The slot that is made next.
  var nextToMake: Int32 { vacant.last ?? Int32(slots.count) }

  /// Returns a new slot without an entry.
  mutating func make(for identity: OperationIdentity) -> Int32 {
    let slot = vacant.popLast() ?? Int32(slots.count)
    if Int(slot) == slots.count { slots.appendSparingly(.vacant) }
    slots[Int(slot)] = CacheSlot(identity: identity)
    return slot
  }

  /// Returns the source that fires when the shown result of a slot is superseded.
  @inline(__always)
  mutating func source(of slot: Int32) -> RefreshSource {
    if let source = slots[Int(slot)].source { return source }
    let source = RefreshSource(number: slot, willObserve: willObserve)
    slots[Int(slot)].source = source
    return source
  }

  /// The failure of a slot's last request.
  func failure(of slot: Int32) -> CacheFailure? {
    failures.isEmpty ? nil : failures[slot]
  }

  mutating func setFailure(_ failure: CacheFailure, of slot: Int32) {
    failures[slot] = failure
  }

  /// Removes and returns the failure, which the caller must release without the lock.
  mutating func removeFailure(of slot: Int32) -> CacheFailure? {
    failures.isEmpty ? nil : failures.removeValue(forKey: slot)
  }

  /// Frees a slot without an entry and a failure.
  mutating func vacate(_ slot: Int32) {
    slots[Int(slot)] = .vacant
    vacant.append(slot)
  }

  /// Whether a signal of this slot exists: a watch shows its result, or an execution has just
  /// received it.
  mutating func isWatched(_ slot: Int32) -> Bool {
    slots[Int(slot)].source != nil && !isKnownUniquelyReferenced(&slots[Int(slot)].source)
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

// MARK: - Taking turns

extension CacheSlots {
  /// How many slots there are, with those that are not in use.
  var capacity: Int { slots.count }

  /// Returns the slots one after the other, and then the first one again; nil for a slot that is
  /// not in use.
  mutating func next() -> Int32? {
    hand = hand + 1 < slots.count ? hand + 1 : 0
    return slots[hand].identity === CacheSlot.vacant.identity ? nil : Int32(hand)
  }

  /// Replaces the parsed data of an unwatched entry by its text.
  ///
  /// - Returns: the former payload, which the caller must release without the lock.
  mutating func compact(_ slot: Int32) -> ResultPayload? {
    guard !isWatched(slot) else { return nil }
    slots[Int(slot)].source = nil
    guard let compacted = slots[Int(slot)].entry?.payload.compacted() else { return nil }
    defer { slots[Int(slot)].entry?.payload = compacted }
    return slots[Int(slot)].entry?.payload
  }
}
