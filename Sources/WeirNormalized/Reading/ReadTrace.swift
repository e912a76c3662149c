import Weir

/// Which records a read has visited, in the order of the result: what the result depends on.
struct ReadTrace {
  struct Entry {
    let record: RecordReference
    /// The record's header as it was.
    let header: UInt64
    /// The place of the object's shape in ``ReadTrace/shapes``.
    let shape: UInt32
    /// The object's cell in the result.
    let cell: UInt32
  }

  var entries: ContiguousArray<Entry> = []
  var shapes: ContiguousArray<Shape> = []
  /// Records that are referred to but not there, with their headers.
  private(set) var dangling: [(record: RecordReference, header: UInt64)] = []

  /// Entities that were looked for in vain.
  var absentEntities: [Entity] = []

  /// Records that decide over what is shown without being shown themselves, with their headers.
  private(set) var unseen: [(record: RecordReference, header: UInt64)] = []

  /// Fields that computed ones were made from.
  var computedFields: [(record: RecordReference, place: FieldPlace)] = []

  /// Lists of which the result shows several pages: it depends on those that come, too.
  var lists: [(record: RecordReference, list: FieldID)] = []

  /// The cells of long lists of objects, by the number of the first object's entry.
  var longLists: [Int: Int] = [:]

  /// Whether nothing but the entries decides over the result.
  var isPlain: Bool {
    dangling.isEmpty && absentEntities.isEmpty && unseen.isEmpty && computedFields.isEmpty
      && lists.isEmpty
  }

  /// The result depends on all of a record that it perhaps does not show.
  mutating func noteUnseen(_ record: RecordReference, _ state: RecordState) {
    unseen.append((record, state.header(record).bits))
  }

  /// The result depends on a record that is not there.
  mutating func noteDangling(_ record: RecordReference, _ state: RecordState) {
    dangling.append((record, state.header(record).bits))
  }

  /// Whether none of the records has changed since.
  func isCurrent(in state: RecordState, _ catalog: Catalog) -> Bool {
    var index = 0
    while index < entries.count {
      let entry = entries[index]
      if state.headerIfPresent(entry.record) != entry.header { return false }
      index += 1
    }
    for (record, header) in dangling where state.headerIfPresent(record) != header { return false }
    for (record, header) in unseen where state.headerIfPresent(record) != header { return false }
    return absentEntities.allSatisfy { state.record(at: .entity($0), catalog) == nil }
  }
}

/// What a read has found.
struct ReadResult {
  /// The data; nil if something is missing and partial data were not asked for.
  var document: JSONDocument?
  var trace = ReadTrace()
  /// The cells of the result that are null because nothing is known of them.
  var missing: [Int] = []
  /// When the first part of it passes its time to live; the past, if it was invalidated.
  var freshUntil = RowAges.never

  /// Why, for each of them.
  var reasons: [MissingField.Reason] = []
  /// The cells of the result that are stale; only found for an explanation.
  var expired: [Int] = []

  /// The arrays that have something in common with those of the read before, by their cells.
  var shared: [Int: DecodedElements.SharedArray] = [:]
  /// Whether the same records were read as before, and the same fields of each.
  var hasSameDependencies = false

  var isComplete: Bool { document != nil && missing.isEmpty }
}
