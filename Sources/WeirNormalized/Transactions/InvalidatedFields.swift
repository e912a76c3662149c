import Weir

/// The fields that a transaction marks as stale, each once, by record: a transaction may invalidate a
/// whole type, and then write its entities one by one.
struct InvalidatedFields {
  private var places: [RecordReference: Set<FieldPlace>] = [:]
  /// How often a field was added, those included that were there.
  private(set) var additions = 0

  var isEmpty: Bool { places.isEmpty }

  var all: [(record: RecordReference, place: FieldPlace)] {
    places.sorted { $0.key.bits < $1.key.bits }.flatMap { record, places in
      places.map { (record, $0) }
    }
  }

  mutating func append(_ field: (record: RecordReference, place: FieldPlace)) {
    additions += 1
    places[field.record, default: []].insert(field.place)
  }

  static func += (
    fields: inout InvalidatedFields, others: [(record: RecordReference, place: FieldPlace)]
  ) {
    for field in others { fields.append(field) }
  }

  /// Removes those of a record's fields that were written, and returns them.
  mutating func remove(_ written: WrittenFields, of record: RecordReference) -> [FieldPlace] {
    guard let all = places[record] else { return [] }
    let found = all.filter { written.contains($0) }
    let rest = all.subtracting(found)
    places[record] = rest.isEmpty ? nil : rest
    return Array(found)
  }

  /// Removes the fields of records that are not `kept`.
  mutating func removeAll(exceptOf kept: (RecordReference) -> Bool) {
    places = places.filter { kept($0.key) }
  }
}
