extension NameIndex {
  /// Notes that names were invalidated and, with `includingUnknown`, all fields of unknown type.
  ///
  /// - Returns: the awaited slots that this concerns.
  mutating func invalidate(
    _ ids: [ID], includingUnknown: Bool, at instant: LogicalInstant
  ) -> [Int32] {
    version &+= 1
    var concerned: [Int32] = []
    for id in ids {
      note(id, at: instant, into: &concerned)
      for field in names[Int(id)].fields { note(field, at: instant, into: &concerned) }
    }
    guard includingUnknown else { return concerned }
    unknownInvalidatedAt = instant
    for field in fieldIDs.values where names[Int(field)].types.isEmpty {
      note(field, at: instant, into: &concerned)
    }
    return concerned
  }

  private mutating func note(_ id: ID, at instant: LogicalInstant, into concerned: inout [Int32]) {
    names[Int(id)].lastInvalidation = instant
    for list in names[Int(id)].awaited where lists[Int(list)].version != version {
      lists[Int(list)].version = version
      lists[Int(list)].lastInvalidation = instant
      concerned += lists[Int(list)].awaited
    }
  }

  /// Returns the last invalidation of any of these names.
  func lastInvalidation(of ids: [ID]) -> LogicalInstant {
    ids.reduce(.distantPast) { max($0, names[Int($1)].lastInvalidation) }
  }

  /// Returns when a slot became outdated; nil if it is not.
  @inline(__always)
  mutating func outdated(_ slot: Int32) -> LogicalInstant? {
    guard Int(slot) < memberships.count else { return nil }
    let membership = memberships[Int(slot)]
    let list = Int(membership.list)
    if lists[list].version != version {
      lists[list].lastInvalidation = lastInvalidation(of: lists[list].names)
      lists[list].version = version
    }
    return lists[list].lastInvalidation > membership.since ? lists[list].lastInvalidation : nil
  }

  /// Whether a watch waits for a slot, or has just woken to refetch it.
  func isAwaited(_ slot: Int32) -> Bool {
    Int(slot) < memberships.count && memberships[Int(slot)].position >= 0
  }

  /// Lists a slot under its names, because a watch is about to wait for it.
  mutating func startAwaiting(_ slot: Int32) {
    guard Int(slot) < memberships.count, !isAwaited(slot) else { return }
    let list = memberships[Int(slot)].list
    if lists[Int(list)].awaited.isEmpty { addToNames(list) }
    memberships[Int(slot)].position = Int32(lists[Int(list)].awaited.count)
    lists[Int(list)].awaited.append(slot)
  }

  mutating func stopAwaiting(_ slot: Int32) {
    guard memberships[Int(slot)].position >= 0 else { return }
    let (list, position) = (memberships[Int(slot)].list, memberships[Int(slot)].position)
    memberships[Int(slot)].position = -1
    let last = lists[Int(list)].awaited.removeLast()
    if last != slot {
      lists[Int(list)].awaited[Int(position)] = last
      memberships[Int(last)].position = position
    }
    if lists[Int(list)].awaited.isEmpty { removeFromNames(list) }
  }

  private mutating func addToNames(_ list: ID) {
    lists[Int(list)].positions.removeAll(keepingCapacity: true)
    for name in lists[Int(list)].names {
      lists[Int(list)].positions.append(Int32(names[Int(name)].awaited.count))
      names[Int(name)].awaited.append(list)
    }
  }

  private mutating func removeFromNames(_ list: ID) {
    for (name, position) in zip(lists[Int(list)].names, lists[Int(list)].positions) {
      let last = names[Int(name)].awaited.removeLast()
      guard last != list else { continue }
      names[Int(name)].awaited[Int(position)] = last
      if let index = lists[Int(last)].names.firstIndex(of: name) {
        lists[Int(last)].positions[index] = position
      }
    }
  }
}
