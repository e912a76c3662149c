import Weir

/// The entities that have arrived while mutations are in flight.
///
/// To a mutation's result they are new even if a faster query has brought them first: the lists that
/// have to hold them are out of date.
struct NewEntities {
  /// The instants at which the mutations in flight were sent.
  private var mutations: Set<LogicalInstant> = []
  /// In the order of arrival.
  private var arrivals: ContiguousArray<(record: RecordReference, instant: LogicalInstant)> = []

  mutating func beginMutation(_ sentAt: LogicalInstant) {
    mutations.insert(sentAt)
  }

  mutating func endMutation(_ sentAt: LogicalInstant) {
    guard mutations.remove(sentAt) != nil, !arrivals.isEmpty else { return }
    guard let oldest = mutations.min() else { return removeAll() }
    // Not for each mutation, because the rest moves.
    let count = place(after: oldest)
    if count > arrivals.count / 2 { arrivals.removeFirst(count) }
  }

  mutating func note(_ changes: ChangeSet) {
    guard !mutations.isEmpty else { return }
    let instant = LogicalInstant.next()
    for change in changes.changes where change.isNew {
      arrivals.append((change.record, instant))
    }
  }

  func records(since sentAt: LogicalInstant) -> Set<RecordReference> {
    Set(arrivals[place(after: sentAt)...].lazy.map(\.record))
  }

  mutating func removeAll() {
    arrivals = []
  }

  private func place(after instant: LogicalInstant) -> Int {
    arrivals.partitioningIndex { $0.instant > instant }
  }
}
