import Weir

/// The invalidations since the oldest request in flight was sent: its response may be older.
struct InvalidationLog {
  private var types: [TypeID: LogicalInstant] = [:]
  private var fields: [RecordReference: [FieldID: LogicalInstant]] = [:]
  /// Oldest first.
  private(set) var named: [(data: SupersededData, instant: LogicalInstant)] = []
  /// How many of these there may be before they are merged.
  private var limit = Self.minimumLimit
  private static let minimumLimit = 16

  var isEmpty: Bool { types.isEmpty && fields.isEmpty && named.isEmpty }

  mutating func note(
    _ data: SupersededData, at instant: LogicalInstant, _ requests: RequestLog
  ) {
    for type in data.types { note(type, at: instant) }
    guard !data.isEmpty else { return }
    named.append((data, instant))
    if named.count > limit { merge(requests.inFlight) }
  }

  /// Merges the names that no request in flight can tell apart. So they do not pile up while one request
  /// takes long.
  private mutating func merge(_ requests: [LogicalInstant]) {
    var merged: [(data: SupersededData, instant: LogicalInstant)] = []
    var last = 0
    for (data, instant) in named {
      let older = requests.partitioningIndex { $0 >= instant }
      // Every request in flight is newer.
      if older == 0 { continue }
      if older == last {
        merged[merged.count - 1].data.formUnion(data)
        merged[merged.count - 1].instant = instant
      } else {
        merged.append((data, instant))
      }
      last = older
    }
    named = merged
    limit = max(Self.minimumLimit, 2 * merged.count)
  }

  /// The names that were noted after a request had been sent.
  func named(after sentAt: LogicalInstant) -> SupersededData {
    var all = SupersededData()
    for (data, _) in named[named.partitioningIndex { $0.instant > sentAt }...] {
      all.formUnion(data)
    }
    return all
  }

  mutating func note(_ type: TypeID, at instant: LogicalInstant) {
    types[type] = instant
  }

  mutating func note(_ record: RecordReference, _ field: FieldID, at instant: LogicalInstant) {
    fields[record, default: [:]][field] = instant
  }

  /// The types that were named after a request had been sent.
  func types(after sentAt: LogicalInstant) -> [TypeID] {
    types.filter { $0.value > sentAt }.map(\.key)
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
