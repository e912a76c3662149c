package import Weir

/// Which records a read has visited, in the order of the result: what the result depends on.
package struct ReadTrace {
  package struct Entry {
    package let record: RecordReference
    /// The record's header as it was.
    package let header: UInt64
    /// The place of the object's shape in ``ReadTrace/shapes``.
    package let shape: UInt32
    /// The object's cell in the result.
    package let cell: UInt32
  }

  package var entries: ContiguousArray<Entry> = []
  package var shapes: ContiguousArray<Shape> = []
  /// Records that are referred to but not there, with their headers.
  package private(set) var dangling: [(record: RecordReference, header: UInt64)] = []

  /// Entities that were looked for in vain.
  package var absentEntities: [Entity] = []

  /// Records that decide over what is shown without being shown themselves, with their headers.
  package private(set) var unseen: [(record: RecordReference, header: UInt64)] = []

  /// Fields that computed ones were made from.
  package var computedFields: [(record: RecordReference, place: FieldPlace)] = []

  /// Lists of which the result shows several pages: it depends on those that come, too.
  package var lists: [(record: RecordReference, list: FieldID)] = []

  /// The cells of long lists of objects, by the number of the first object's entry.
  var longLists: [Int: Int] = [:]

  /// What was read of the first record, if that is a root; nil if it is more than its fields.
  private var rootFields: ContiguousArray<RootField>?

  /// Whether nothing but the entries decides over the result.
  var isPlain: Bool {
    dangling.isEmpty && absentEntities.isEmpty && unseen.isEmpty && computedFields.isEmpty
      && lists.isEmpty
  }

  /// Whether both depend on the same: the same fields of the same records.
  package func dependsOnTheSame(as other: ReadTrace) -> Bool {
    isPlain && other.isPlain && entries.count == other.entries.count
      && entries.indices.allSatisfy {
        entries[$0].record == other.entries[$0].record
          && shapes[Int(entries[$0].shape)] === other.shapes[Int(other.entries[$0].shape)]
      }
  }

  /// The result depends on all of a record that it perhaps does not show.
  mutating func noteUnseen(_ record: RecordReference, _ state: RecordState) {
    unseen.append((record, state.header(record).bits))
  }

  /// The result depends on a record that is not there.
  mutating func noteDangling(_ record: RecordReference, _ state: RecordState) {
    dangling.append((record, state.header(record).bits))
  }

  /// Gives back memory that a read has reserved for much more than it found.
  mutating func giveBackSpareRoom() {
    guard entries.capacity > entries.count * 2 + 16 else { return }
    entries = entries.withUnsafeBufferPointer { ContiguousArray($0) }
  }

  /// Whether none of the records has changed since.
  package func isCurrent(in state: RecordState, _ catalog: Catalog) -> Bool {
    var index = 0
    while index < entries.count {
      let entry = entries[index]
      if state.headerIfPresent(entry.record) != entry.header {
        guard index == 0, showsTheSameRoot(state) else { return false }
      }
      index += 1
    }
    for (record, header) in dangling where state.headerIfPresent(record) != header { return false }
    for (record, header) in unseen where state.headerIfPresent(record) != header { return false }
    return absentEntities.allSatisfy { state.liveRecord(of: $0, catalog) == nil }
  }
}

// MARK: - Roots

/// A field of a root as it was read.
///
/// A root has the fields of all operations, so its header changes with nearly every response: one
/// that changes shows nothing of who has read other fields.
private struct RootField: Equatable {
  let place: FieldPlace
  /// Of a list, which may come to lie elsewhere, only the kind.
  let cell: Cell
  let expiry: Int64
  /// The elements of a list.
  let elements: ContiguousArray<Cell>

  init(_ place: FieldPlace, of root: RecordReference, _ state: RecordState) {
    self.place = place
    expiry = state[root].ages.expiry(root.rowInChunk, place.field)
    let cell = state.cell(root, place)
    let isList = cell.kind == .list
    self.cell = isList ? Cell(.list) : cell
    elements = isList ? state[root].lists[cell.list] : []
  }

  /// Whether it says all that is shown: nothing of it lies elsewhere in the chunk, where something
  /// else may lie by now.
  var saysAll: Bool {
    !cell.isOutOfLine && !elements.contains { $0.kind == .list }
  }
}

extension ReadTrace {
  /// A root has been read.
  mutating func noteRoot(_ state: RecordState, _ bindings: inout Bindings) {
    guard isPlain, let root = entries.first?.record, let shape = shapes.first else { return }
    var noted: ContiguousArray<RootField> = []
    noted.reserveCapacity(shape.fields.count)
    for field in shape.fields {
      if case .typename = field.place { continue }
      guard let place = bindings.place(field.place, table: root.table) else { return }
      noted.append(RootField(place, of: root, state))
    }
    rootFields = noted
  }

  private func showsTheSameRoot(_ state: RecordState) -> Bool {
    guard let rootFields else { return false }
    return rootFields.allSatisfy {
      $0.saysAll && $0 == RootField($0.place, of: entries[0].record, state)
    }
  }
}

extension ReadSize {
  package init(_ document: JSONDocument, _ trace: ReadTrace) {
    bytes = document.bytes.count
    cells = document.tapeSize / MemoryLayout<UInt64>.stride
    records = trace.entries.count
  }
}

/// What a read has found.
package struct ReadResult {
  /// What the variables have come to; nil if nothing was read.
  package var bindings: Bindings?
  /// The data; nil if something is missing and partial data were not asked for.
  package var document: JSONDocument?
  package var trace = ReadTrace()
  /// The cells of the result that are null because nothing is known of them.
  package var missing: [Int] = []
  /// When the first part of it passes its time to live; the past, if it was invalidated.
  package var freshUntil = RowAges.never

  /// Why, for each of them.
  package var reasons: [MissingField.Reason] = []
  /// The cells of the result that are stale; only found for an explanation.
  package var expired: [Int] = []

  /// The arrays that have something in common with those of the read before, by their cells.
  var shared: [Int: DecodedElements.SharedArray] = [:]
  /// Whether the same records were read as before, and the same fields of each.
  package var hasSameDependencies = false

  package init() {}

  package var isComplete: Bool { document != nil && missing.isEmpty }
}

// MARK: - What need not be decoded again

extension ReadResult {
  /// What the document has in common with the one that was read before, or within itself.
  package func elements(after previous: DecodedElements?) -> DecodedElements {
    if !shared.isEmpty { return DecodedElements(sharing: shared, with: previous) }
    guard trace.entries.count >= DecodedElements.minimumCount else { return DecodedElements() }
    return DecodedElements(repeated: { [trace] in trace.repeatedObjects })
  }
}
