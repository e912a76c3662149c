extension DocumentCacheState {
  /// Invalidates names: outdates their entries, and fires the keys that a watch waits for. With
  /// `includingUnknown`, this includes the entries with a field of unknown type.
  mutating func invalidate(
    _ names: Set<String>, includingUnknown: Bool, at instant: LogicalInstant
  ) -> Dropped {
    var dropped = Dropped()
    // A name without entries matters only to responses in flight.
    let matters = requests.oldest != nil
    let ids = names.compactMap { matters ? index.id(of: $0) : index.knownID(of: $0) }
    for slot in index.invalidate(ids, includingUnknown: includingUnknown, at: instant) {
      if slots.isWatched(slot) {
        // The entry stays until the new response, which may be the same.
        dropped.sources.append((slots.source(of: slot), instant))
      } else {
        // Its watch has ended.
        index.stopAwaiting(slot)
      }
    }
    // Later calls free the entries that are outdated by this one.
    if unchecked > 0 { sweep(into: &dropped) }
    unchecked = slots.capacity
    return dropped
  }

  /// Invalidates one key.
  mutating func invalidate(_ identity: OperationIdentity, at instant: LogicalInstant) -> Dropped {
    var dropped = Dropped()
    if requests.oldest != nil { invalidatedKeys[identity] = instant }
    if let slot = table[identity] { drop(slot, at: instant, into: &dropped) }
    return dropped
  }

  /// Invalidates every key.
  mutating func clear(at instant: LogicalInstant) -> Dropped {
    clearedAt = instant
    var dropped = Dropped()
    for slot in Array(table.values) {
      if slots.isWatched(slot) {
        drop(slot, at: instant, into: &dropped)
      } else {
        remove(slot, into: &dropped)
      }
    }
    return dropped
  }

  /// Invalidates entries with a field of unknown type by its type, once that is known.
  mutating func learn(_ learned: [LearnedType]) {
    guard index.hasFields else { return }
    for item in learned {
      guard let field = index.knownID(of: item.field.description, isField: true) else { continue }
      index.learn(field, returns: item.type)
    }
  }

  /// Drops the entry of a key. While the key is watched, it keeps its last known names.
  private mutating func drop(
    _ slot: Int32, at instant: LogicalInstant, into dropped: inout Dropped
  ) {
    if let entry = slots.removeEntry(of: slot) { dropped.take(entry.payload) }
    forgetFailure(of: slot, into: &dropped)
    if slots.isWatched(slot) {
      index.settle(slot, at: instant)
      let source = slots.source(of: slot)
      if source.lastFiring < instant { dropped.sources.append((source, instant)) }
    } else {
      index.unlink(slot)
    }
  }
}

// MARK: - Outdated entries

extension DocumentCacheState {
  /// Drops the entry of a key if one of its names was invalidated since it was requested.
  mutating func refresh(_ slot: Int32, into dropped: inout Dropped) {
    guard let instant = index.outdated(slot) else { return }
    drop(slot, at: instant, into: &dropped)
  }

  /// Brings a source up to date that somebody is about to read, or to wait for. From now on, an
  /// invalidation of its names fires it.
  mutating func willObserve(_ source: RefreshSource) -> Dropped {
    var dropped = Dropped()
    guard slots[source.number].source === source else { return dropped }
    refresh(source.number, into: &dropped)
    index.startAwaiting(source.number)
    return dropped
  }

  /// Frees outdated entries and unused slots. Above `bytesKeptParsed`, also drops the parsed form of
  /// unwatched entries.
  ///
  /// The cache does not look for outdated entries when it invalidates names, and it is not notified
  /// when a watch ends. So each request, every 16th refetch of a watch, and each mutation that follows
  /// another one looks at 4 slots, or passes more that are not in use: `effort` is 4 for each slot in use,
  /// and 1 for the others.
  mutating func sweep(effort: Int = 16, into dropped: inout Dropped) {
    var (effort, looks) = (effort, slots.capacity)
    while effort > 0, looks > 0 {
      looks -= 1
      unchecked = max(0, unchecked - 1)
      guard let slot = slots.next() else {
        effort -= 1
        continue
      }
      effort -= 4
      refresh(slot, into: &dropped)
      if slots[slot].entry == nil, !slots.isWatched(slot) {
        remove(slot, into: &dropped)
      } else if slots.bytes > configuration.bytesKeptParsed, let former = slots.compact(slot) {
        dropped.take(former)
      }
    }
  }
}
