import Weir

/// The entities that have come while mutations are under way. To a mutation's result they are new, even
/// if a query that was faster has brought them first: the lists that they belong into are out of date.
struct Newcomers {
  /// When those were sent that are under way.
  private var mutations: Set<LogicalInstant> = []
  private var arrivals: [RecordReference: LogicalInstant] = [:]

  mutating func beginMutation(_ sentAt: LogicalInstant) {
    mutations.insert(sentAt)
  }

  mutating func endMutation(_ sentAt: LogicalInstant) {
    if mutations.remove(sentAt) != nil, mutations.isEmpty { forgetAll() }
  }

  mutating func note(_ changes: ChangeSet) {
    guard !mutations.isEmpty else { return }
    let instant = LogicalInstant.next()
    for change in changes.changes where change.isNew { arrivals[change.record] = instant }
  }

  func records(since sentAt: LogicalInstant) -> Set<RecordReference> {
    Set(arrivals.filter { $0.value > sentAt }.keys)
  }

  mutating func forgetAll() {
    arrivals = [:]
  }
}
