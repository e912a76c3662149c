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
      for slot in index.takeMembers(of: id, invalidatedAt: instant) {
        if drop(slot, into: &dropped) { index.putBack(slot, under: id) }
      }
    }
    return dropped
  }

  /// Invalidates one key.
  mutating func invalidate(_ identity: OperationIdentity, at instant: LogicalInstant) -> Dropped {
    var dropped = Dropped(instant: instant)
    if requests.oldest != nil { invalidatedKeys[identity] = instant }
    if let slot = table[identity] { _ = drop(slot, into: &dropped) }
    return dropped
  }

  /// Invalidates every key.
  mutating func clear(at instant: LogicalInstant) -> Dropped {
    clearedAt = instant
    var dropped = Dropped(instant: instant)
    for slot in Array(table.values) { _ = drop(slot, into: &dropped) }
    return dropped
  }

  /// The types of fields became known: entries that waited for that are listed under them.
  mutating func learn(_ learned: [LearnedType]) {
    for item in learned {
      guard let field = index.knownID(of: item.field.description, isField: true) else { continue }
      let type = index.id(of: item.type)
      for slot in index.members(of: field) {
        var names = slots[slot].names.filter { $0 != field && $0 != type }
        if !names.contains(where: { index.isField($0) }) {
          names.removeAll { $0 == NameIndex.unknown }
        }
        relink(slot, to: (names + [type]).sorted())
      }
    }
  }

  /// The entry of a key goes. As long as somebody watches it, the key stays listed under its last
  /// known names; otherwise it is given back later, a few at a time, or used again before: one
  /// mutation may drop thousands.
  ///
  /// - Returns: whether it stays listed.
  private mutating func drop(_ slot: Int32, into dropped: inout Dropped) -> Bool {
    if let payload = slots.removeEntry(of: slot) { dropped.payloads.append(payload) }
    forgetFailure(of: slot, into: &dropped)
    guard slots.isWatched(slot) else {
      index.unlink(slot, from: slots[slot].names)
      slots[slot].names.removeAll(keepingCapacity: true)
      return false
    }
    dropped.sources.append(slots[slot].source)
    return true
  }
}
