package import Weir

/// The records that a read has visited, in the order of the result: what the result depends on.
package struct ReadTrace: ~Copyable, Sendable {
  package struct Entry: Sendable {
    package let record: RecordReference
    /// The record's header when it was read.
    let header: UInt64
    /// The index of the object's shape in ``ReadTrace/shapes``.
    package let shape: UInt32
    /// The object's cell in the result.
    let cell: TapeIndex
  }

  package var entries: ContiguousArray<Entry> = []
  package var shapes: ContiguousArray<Shape> = []
  package internal(set) var others = OtherDependencies()
  /// Whether an unseen record is missing, or an entity is absent that would change the result: a storage may
  /// have them.
  package internal(set) var hasDangling = false

  /// Entries whose objects depend on more than the records that they show, and so do all objects around
  /// these. In order.
  private(set) var dependentEntries: ContiguousArray<Int> = []

  /// How the connections that the result shows were joined, by the index of their first entry.
  var joined: [Int: JoinedConnection] = [:]

  /// The cells of long lists of objects, by the index of the first object's entry.
  var longLists: [Int: TapeIndex] = [:]

  /// The fields that were read of the root, if the first record is one; nil if the result shows
  /// more than plain fields of it.
  private var rootFields: ContiguousArray<RootField>?

  /// Whether the result depends only on the entries.
  package var isPlain: Bool { others.isEmpty }

  package func hasSameShapes(as other: borrowing ReadTrace) -> Bool {
    shapes.elementsEqual(other.shapes, by: ===)
  }

  /// Whether both traces depend on the same fields of the same records.
  package func dependsOnTheSame(as other: borrowing ReadTrace) -> Bool {
    guard isPlain, other.isPlain, entries.count == other.entries.count else { return false }
    for index in entries.indices {
      let (mine, others) = (entries[index], other.entries[index])
      guard mine.record == others.record,
        shapes[Int(mine.shape)] === other.shapes[Int(others.shape)]
      else { return false }
    }
    return true
  }

  /// Notes that the objects that are being read depend on more than the records that they show.
  mutating func noteDependence() {
    let last = entries.count - 1
    if dependentEntries.last != last { dependentEntries.append(last) }
  }

  /// Releases memory that was reserved for a much larger result.
  mutating func releaseSpareCapacity() {
    guard entries.capacity > entries.count * 2 + 16 else { return }
    // Proof: the pointer is only used to copy the elements.
    entries = entries.withUnsafeBufferPointer { ContiguousArray($0) }
  }

  /// Whether more is known by now of a type condition that the read had to assume something about.
  package func isOutdated(_ catalog: Catalog) -> Bool {
    let version = catalog.conditionsVersion
    return shapes.contains { $0.assumedVersion.map { $0 != version } ?? false }
  }

  /// Whether none of the records has changed.
  package func isCurrent(in state: RecordState, _ catalog: Catalog) -> Bool {
    var index = 0
    while index < entries.count {
      let entry = entries[index]
      if state.headerIfPresent(entry.record) != entry.header {
        guard index == 0, showsTheSameRoot(state) else { return false }
      }
      index += 1
    }
    return others.areCurrent(in: state, catalog)
  }
}

// MARK: - Ages

extension ReadTrace {
  /// When the first of the fields becomes stale that the result shows, as their ages are by now; nil if one is
  /// stale already, or if the result depends on more than plain fields. The records must not have changed.
  package func expiry(
    in state: RecordState, _ bindings: inout Bindings, after now: Int64
  ) -> Int64? {
    guard isPlain else { return nil }
    var first = RowAges.never
    for entry in entries {
      let ages = state[entry.record].ages
      if ages.isEmpty { continue }
      for field in shapes[Int(entry.shape)].fields {
        switch field.place {
        case .typename: continue
        case .computed: return nil
        case .fixed, .variable:
          guard let place = bindings.place(field.place, table: entry.record.table) else {
            return nil
          }
          let expiry = ages.expiry(entry.record.rowInChunk, place.field)
          guard expiry > now else { return nil }
          first = min(first, expiry)
        }
      }
    }
    return first
  }
}

// MARK: - Roots

/// A field of a root, as it was read.
///
/// A root holds the fields of all operations, so its header changes with nearly every response. A
/// changed header therefore does not mean that a result that shows other fields is out of date.
private struct RootField: Equatable, Sendable {
  let place: FieldPlace
  /// The value; of a list only the kind, because the list may move.
  let cell: Cell
  let expiry: Int64
  /// The elements, if the value is a list.
  let elements: ContiguousArray<Cell>

  init(_ place: FieldPlace, of root: RecordReference, _ state: RecordState) {
    self.place = place
    expiry = state[root].ages.expiry(root.rowInChunk, place.field)
    let cell = state.cell(root, place)
    let isList = cell.kind == .list
    self.cell = isList ? Cell(.list) : cell
    elements = isList ? state[root][cell.list] : []
  }

  /// Whether the noted cells contain the entire value. Otherwise part of it lies elsewhere in the
  /// chunk, where another value may lie by now.
  var isSelfContained: Bool {
    !cell.isOutOfLine && !elements.contains { $0.kind == .list }
  }
}

extension ReadTrace {
  /// Notes the fields of a root that has been read.
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
    let root = entries[0].record
    return rootFields.allSatisfy {
      $0.isSelfContained && $0 == RootField($0.place, of: root, state)
    }
  }
}

extension ReadSize {
  package init(_ document: JSONDocument, _ trace: borrowing ReadTrace) {
    bytes = document.bytes.count
    cells = document.tapeSize / MemoryLayout<UInt64>.stride
    records = trace.entries.count
  }
}

/// The pages of a list that a result shows as one.
package struct JoinedPages {
  package let record: RecordReference
  /// The requested page.
  package let own: FieldID
  package let pages: [FieldID]
  /// The cells that show them; nil unless they are the pages of a connection.
  package var cells: ConnectionCells?
}

/// The cells of a result that show the pages of a connection as one.
package struct ConnectionCells {
  package let object: TapeIndex
  package var information: TapeIndex?
  /// The lists, with the elements of all pages.
  package var lists: [(cell: TapeIndex, elements: ContiguousArray<Cell>)] = []
}

/// The outcome of a read.
package struct ReadResult: ~Copyable {
  /// The resolved variables; nil if nothing was read.
  package var bindings: Bindings?
  /// The data; nil if something is missing and partial data was not requested.
  package var document: JSONDocument?
  package var trace = ReadTrace()
  /// The cells of the result that are null because their values are missing.
  package var missing: [TapeIndex] = []
  /// When the first part of the result becomes stale. A time in the past if a part was invalidated.
  package var freshUntil = RowAges.never

  /// The reason for each missing cell.
  package var reasons: [MissingField.Reason] = []
  /// The cells of the result that are stale. Only noted for an explanation.
  package var expired: [TapeIndex] = []

  /// The arrays that share elements with the previous result, by their cells.
  var shared: [TapeIndex: DecodedElements.SharedArray] = [:]
  /// Whether the same fields of the same records were read as before.
  package var hasSameDependencies = false

  /// The lists that were joined from pages without a closure.
  package var joined: [JoinedPages] = []

  package init() {}

  package var isComplete: Bool { document != nil && missing.isEmpty }

  package consuming func takeTrace() -> ReadTrace { trace }
}

// MARK: - What need not be decoded again

extension ReadResult {
  /// The parts that the document shares with the previous one, so that they are not decoded again;
  /// nil if it has too few objects for that.
  package func elements(after previous: DecodedElements?) -> DecodedElements? {
    if !shared.isEmpty { return DecodedElements(sharing: shared, with: previous) }
    guard trace.entries.count >= DecodedElements.minimumCount else { return nil }
    let (entries, shapes) = (trace.entries, trace.shapes)
    return DecodedElements(repeated: { RepeatedObjects(in: entries, of: shapes.count) })
  }
}
