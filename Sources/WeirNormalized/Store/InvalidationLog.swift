import Weir

/// The invalidations since the oldest request in flight was sent: its response may be older.
struct InvalidationLog {
  private var types: [TypeID: LogicalInstant] = [:]
  private var fields: [RecordReference: [FieldID: LogicalInstant]] = [:]
  /// Oldest first.
  private var named: [(data: SupersededData, instant: LogicalInstant)] = []

  var isEmpty: Bool { types.isEmpty && fields.isEmpty && named.isEmpty }

  mutating func note(_ data: SupersededData, at instant: LogicalInstant) {
    for type in data.types { note(type, at: instant) }
    if !data.isEmpty { named.append((data, instant)) }
  }

  /// The names that were noted after a request had been sent.
  func named(after sentAt: LogicalInstant) -> SupersededData {
    var all = SupersededData()
    for (data, _) in named.reversed().prefix(while: { $0.instant > sentAt }) {
      all.entities.formUnion(data.entities)
      all.listsOf.formUnion(data.listsOf)
      all.fields.formUnion(data.fields)
    }
    return all
  }

  mutating func note(_ type: TypeID, at instant: LogicalInstant) {
    types[type] = instant
  }

  mutating func note(_ record: RecordReference, _ field: FieldID, at instant: LogicalInstant) {
    fields[record, default: [:]][field] = instant
  }

  func isInvalidated(_ type: TypeID, after sentAt: LogicalInstant) -> Bool {
    types[type].map { $0 > sentAt } ?? false
  }

  func fields(of record: RecordReference, after sentAt: LogicalInstant) -> [FieldID] {
    (fields[record] ?? [:]).filter { $0.value > sentAt }.map(\.key)
  }

  /// Forgets invalidations that every request in flight is newer than.
  mutating func prune(oldest: LogicalInstant?) {
    guard !isEmpty else { return }
    guard let oldest else { return self = InvalidationLog() }
    types = types.filter { $0.value >= oldest }
    named.removeAll { $0.instant < oldest }
    fields = fields.compactMapValues { fields in
      let kept = fields.filter { $0.value >= oldest }
      return kept.isEmpty ? nil : kept
    }
  }
}
