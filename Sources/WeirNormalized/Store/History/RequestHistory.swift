import Weir

/// The requests in flight, and what has happened since they were sent.
struct RequestHistory {
  private var requests = RequestLog()
  var journal = WriteJournal()
  var newEntities = NewEntities()
  var invalidations = InvalidationLog()

  /// When the oldest request in flight was sent; nil if there is none.
  var oldest: LogicalInstant? { requests.oldest }

  /// Whether any request is in flight beside the one that was sent at an instant.
  func hasRequests(exceptOf sentAt: LogicalInstant?) -> Bool {
    requests.hasRequests(exceptOf: sentAt)
  }

  mutating func begin(isMutation: Bool) -> LogicalInstant {
    let sentAt = requests.begin()
    if isMutation { newEntities.beginMutation(sentAt) }
    return sentAt
  }

  mutating func note(
    _ written: ContiguousArray<(record: RecordReference, fields: WrittenFields)>,
    sentAt: LogicalInstant?, completedAt: LogicalInstant?
  ) {
    journal.note(written, sentAt: sentAt, completedAt: completedAt, requests)
  }

  mutating func note(_ superseded: SupersededData) {
    invalidations.note(superseded, at: .next(), requests)
  }

  mutating func end(_ sentAt: LogicalInstant) {
    let before = oldest
    requests.end(sentAt)
    newEntities.endMutation(sentAt)
    // While one request takes long, nothing is to be forgotten.
    guard oldest != before else { return }
    journal.prune(oldest: oldest)
    invalidations.prune(oldest: oldest)
  }

  /// Forgets what concerns records; the requests remain in flight.
  mutating func removeAll() {
    journal = WriteJournal()
    newEntities.removeAll()
    invalidations = InvalidationLog()
  }
}
