import Weir

extension WriteRules {
  /// A response, or data that the app writes as one. `isRepair` says whether it is that of a refetch for data
  /// that a change has taken away.
  static func response(
    _ origin: WriteOrigin, isRepair: Bool, now: Int64, _ state: StoreState
  ) -> WriteRules {
    var newer: [RecordReference: WrittenFields] = [:]
    if let sentAt = origin.sentAt, !state.history.journal.isEmpty {
      newer = state.history.journal.newer(than: sentAt, isMutation: origin.isMutation)
    }
    let expiry = origin.maximumAge.flatMap { RowAges.expiry($0.milliseconds, now: now) }
    return WriteRules(
      now: now, expiry: expiry ?? RowAges.never, latestExpiry: origin.latestExpiry(now: now),
      newer: newer, mayLackMembers: origin.mayLackMembers, mayLackItems: origin.mayLackItems,
      isByHand: origin.sentAt == nil, keepsMistakenFields: origin.sentAt == nil,
      // Two watches whose pages are stale on arrival would otherwise refetch each other for ever.
      renewsPages: !isRepair, notesWrites: state.notesWrites(of: origin),
      notesAges: state.storage != nil)
  }

  /// A transaction, whose single writes say what is newer, and whether the app has made the data.
  static func transaction(_ origin: WriteOrigin, now: Int64) -> WriteRules {
    WriteRules(
      now: now, expiry: RowAges.never, latestExpiry: origin.latestExpiry(now: now), newer: [:],
      mayLackMembers: origin.mayLackMembers, mayLackItems: origin.mayLackItems, isByHand: true,
      keepsMistakenFields: false, renewsPages: true, notesWrites: true, notesAges: true)
  }

  /// An optimistic result, which does not age.
  static var layer: WriteRules {
    WriteRules(
      now: RowAges.never, expiry: RowAges.never, latestExpiry: RowAges.never, newer: [:],
      mayLackMembers: true, mayLackItems: false, isByHand: true, keepsMistakenFields: false,
      // It is applied again at each change, which must not wake the watches of its pages each time.
      renewsPages: false, notesWrites: true, notesAges: true)
  }

  /// Data that is written to no store.
  static var apart: WriteRules {
    WriteRules(
      now: RowAges.never, expiry: RowAges.never, latestExpiry: RowAges.never, newer: [:],
      mayLackMembers: false, mayLackItems: false, isByHand: false, keepsMistakenFields: false,
      renewsPages: false, notesWrites: false, notesAges: false)
  }
}
