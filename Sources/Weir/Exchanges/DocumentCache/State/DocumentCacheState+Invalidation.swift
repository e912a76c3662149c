extension DocumentCacheState {
  /// Invalidates names: drops their entries, and fires the keys that are watched. With
  /// `includingUnknown`, this includes the entries with a field of unknown type.
  mutating func invalidate(
    _ names: Set<String>, includingUnknown: Bool, at instant: LogicalInstant
  ) -> Dropped {
    var dropped = Dropped(instant: instant)
    // A name without entries matters only to responses in flight.
    let matters = requests.oldest != nil
    var ids = names.compactMap { matters ? index.id(of: $0) : index.knownID(of: $0) }
    if includingUnknown { ids.append(NameIndex.unknown) }
    for id in ids {
      let members = index.takeMembers(of: id, invalidatedAt: instant)
      // In a loop of its own, so that the processor loads many slots from memory at a time.
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

  /// Lists entries with a field of unknown type under the type, once it is known.
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

  /// Drops the entry of a key. While the key is watched, it stays listed under its last known
  /// names. Otherwise its slot is freed later or used again: one mutation may drop thousands of
  /// entries.
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
