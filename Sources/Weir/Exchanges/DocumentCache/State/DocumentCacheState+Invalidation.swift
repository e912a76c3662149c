extension DocumentCacheState {
  /// Invalidates by names: entries go, and watched keys fire. With `includingUnknown`, so do those
  /// with a field of unknown type.
  mutating func invalidate(
    _ names: Set<String>, includingUnknown: Bool, at instant: LogicalInstant
  ) -> Dropped {
    var dropped = Dropped(instant: instant)
    // A name that nothing is listed under matters only to responses that are on their way.
    let matters = requests.oldest != nil
    var ids = names.compactMap { matters ? index.id(of: $0) : index.knownID(of: $0) }
    if includingUnknown { ids.append(NameIndex.unknown) }
    for id in ids {
      let members = index.takeMembers(of: id, invalidatedAt: instant)
      // Asked of all at first: so the processor waits for many at a time to come from memory.
      let areWatched = members.map { slots.isWatched($0) }
      for (slot, isWatched) in zip(members, areWatched) {
        drop(slot, isWatched: isWatched, into: &dropped)
        if isWatched { index.putBack(slot, under: id) }
      }
    }
    return dropped
  }

  /// Invalidates one key.
  mutating func invalidate(_ identity: OperationIdentity, at instant: LogicalInstant) -> Dropped {
    var dropped = Dropped(instant: instant)
    if requests.oldest != nil { invalidatedKeys[identity] = instant }
    if let slot = table[identity] {
      drop(slot, isWatched: slots.isWatched(slot), into: &dropped)
    }
    return dropped
  }

  /// Invalidates every key.
  mutating func clear(at instant: LogicalInstant) -> Dropped {
    clearedAt = instant
    var dropped = Dropped(instant: instant)
    for slot in table.values { drop(slot, isWatched: slots.isWatched(slot), into: &dropped) }
    return dropped
  }

  /// The types of fields became known: entries that waited for that are listed under them.
  mutating func learn(_ learned: [LearnedType]) {
    for item in learned {
      guard let field = index.knownID(of: item.field.description, isField: true) else { continue }
      let type = index.id(of: item.type)
      for slot in index.members(of: field) {
        var names = index.names(of: slot).filter { $0 != field && $0 != type }
        if !names.contains(where: { index.isField($0) }) {
          names.removeAll { $0 == NameIndex.unknown }
        }
        index.link(slot, to: (names + [type]).sorted())
      }
    }
  }

  /// The entry of a key goes. As long as somebody watches it, the key stays listed under its last
  /// known names; otherwise it is given back later, a few at a time, or used again before: one
  /// mutation may drop thousands.
  private mutating func drop(_ slot: Int32, isWatched: Bool, into dropped: inout Dropped) {
    if let entry = slots.removeEntry(of: slot) { dropped.entries.append(entry) }
    forgetFailure(of: slot, into: &dropped)
    if isWatched {
      dropped.sources.append(slots[slot].source)
    } else {
      index.unlink(slot)
    }
  }
}
