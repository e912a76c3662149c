import Weir

/// The entities that have arrived while mutations are in flight.
///
/// To a mutation's result they are new even if a faster query has brought them first: the lists that
/// have to hold them are out of date.
struct NewEntities {
  /// The instants at which the mutations in flight were sent.
  private var mutations: Set<LogicalInstant> = []
  private var instants: [RecordReference: LogicalInstant] = [:]
  private var last = LogicalInstant.distantPast

  mutating func beginMutation(_ sentAt: LogicalInstant) {
    mutations.insert(sentAt)
  }

  mutating func endMutation(_ sentAt: LogicalInstant) {
    if mutations.remove(sentAt) != nil, mutations.isEmpty { removeAll() }
  }

  mutating func note(_ changes: ChangeSet) {
    guard !mutations.isEmpty else { return }
    let instant = LogicalInstant.next()
    for change in changes.changes where change.isNew {
      instants[change.record] = instant
      last = instant
    }
  }

  func records(since sentAt: LogicalInstant) -> Set<RecordReference> {
    last > sentAt ? Set(instants.filter { $0.value > sentAt }.keys) : []
  }

  mutating func removeAll() {
    instants = [:]
  }
}
