package import Weir

/// The previous result of a selection. A new read copies unchanged parts from it.
///
/// An object is unchanged if its shape, its record's header, and those of all objects within it are
/// the same, wherever it stands now. The reader walks the entries of the old trace side by side
/// with the records, so the entry it needs is nearly always the next one.
///
/// An instance serves one read.
package final class PreviousReading {
  let document: JSONDocument
  let entries: ContiguousArray<ReadTrace.Entry>
  private let oldShapes: ContiguousArray<Shape>
  let longLists: [Int: TapeIndex]
  private let others: OtherDependencies
  private let dependentEntries: ContiguousArray<Int>
  private let joined: [Int: JoinedConnection]
  /// The next expected entry.
  private(set) var next = 0
  /// Whether the same objects have been read so far, in the same order.
  private var isInOrder = true
  /// For each old shape, its number in the new read. It becomes known when an object of that shape
  /// has been read as a whole, because that gives the new document its key list.
  private var shapes: ContiguousArray<UInt32>
  /// The new document's key lists, by those of the old document.
  var keyLists: ContiguousArray<Int>

  private static let unknown = UInt32.max
  /// How many objects may have been removed before the one that is searched.
  private static let reach = 8

  /// Returns nil if the result shows so few records that reading them costs less.
  package static func of(
    _ trace: borrowing ReadTrace, _ document: JSONDocument
  ) -> PreviousReading? {
    trace.entries.count >= DecodedElements.minimumCount ? PreviousReading(trace, document) : nil
  }

  private init(_ trace: borrowing ReadTrace, _ document: JSONDocument) {
    self.document = document
    entries = trace.entries
    oldShapes = trace.shapes
    longLists = trace.longLists
    others = trace.others
    dependentEntries = trace.dependentEntries
    joined = trace.joined
    shapes = ContiguousArray(repeating: Self.unknown, count: trace.shapes.count)
    keyLists = document.unknownKeyLists
  }

  /// Whether a trace shows exactly the objects of the old one, in the same order, and depends on the same beside
  /// them.
  func dependsOnTheSame(as trace: borrowing ReadTrace) -> Bool {
    isInOrder && next == entries.count && others.areTheSame(as: trace.others)
  }

  /// Notes that an object of a shape has been read as a whole.
  func note(_ shape: Shape, index: UInt32, keyList: Int) {
    guard let old = oldShapes.firstIndex(where: { $0 === shape }),
      let entry = entries.first(where: { $0.shape == old })
    else { return }
    shapes[old] = index
    document.withTape { keyLists[$0.keyList(entry.cell)] = keyList }
  }

  /// Whether all known shapes have the same numbers as before.
  var keepsShapes: Bool {
    shapes.indices.allSatisfy { shapes[$0] == Self.unknown || Int(shapes[$0]) == $0 }
  }

  /// The number of an entry's shape in the new read.
  func shape(of entry: ReadTrace.Entry) -> UInt32 { shapes[Int(entry.shape)] }
}

// MARK: - Going along

extension PreviousReading {
  /// Enters an object.
  ///
  /// - Returns: the entry after the object and everything within it; nil if it is not the
  ///   expected object.
  func enter(_ record: RecordReference, _ shape: Shape) -> Int? {
    guard next < entries.count, entries[next].record == record else {
      isInOrder = false
      return nil
    }
    if oldShapes[Int(entries[next].shape)] !== shape { isInOrder = false }
    let end = document.withTape { endOfObject(next, $0) }
    next += 1
    return end
  }

  /// Enters an object that shows several records.
  ///
  /// - Returns: the entry after the object and everything within it; nil if it is not the
  ///   expected object.
  func enter(_ records: [RecordReference], _ shape: Shape) -> Int? {
    guard next < entries.count, records.contains(entries[next].record) else {
      isInOrder = false
      return nil
    }
    let (first, cell) = (next, entries[next].cell)
    if oldShapes[Int(entries[first].shape)] !== shape { isInOrder = false }
    let end = document.withTape { endOfObject(first, $0) }
    while next < end, entries[next].cell == cell { next += 1 }
    if !entries[first..<next].lazy.map(\.record).elementsEqual(records) { isInOrder = false }
    return end
  }

  /// How the expected connection was joined, if that is still right.
  func joined(like pages: JoinedConnection.Sources, in state: RecordState) -> JoinedConnection? {
    guard let found = joined[next], found.isCurrent(for: pages, in: state) else { return nil }
    return found
  }

  /// Leaves an object.
  func leave(_ end: Int) {
    if next != end { isInOrder = false }
    next = end
  }

  /// The entry after an object and everything within it.
  private func endOfObject(_ entry: Int, _ tape: JSONTape) -> Int {
    let end = tape.next(entries[entry].cell)
    var entry = entry + 1
    while entry < entries.count, entries[entry].cell < end { entry += 1 }
    return entry
  }

  /// Advances to a list's element that stands at most a few elements further on.
  func seek(_ record: RecordReference) {
    guard next < entries.count, entries[next].record != record else { return }
    document.withTape { tape in
      var entry = next
      for _ in 0..<Self.reach {
        let sibling = endOfObject(entry, tape)
        guard isNextElement(sibling, after: entry, tape) else { return }
        entry = sibling
        if entries[entry].record == record {
          next = entry
          isInOrder = false
          return
        }
      }
    }
  }

  /// Whether only a comma stands between two objects.
  private func isNextElement(_ sibling: Int, after entry: Int, _ tape: JSONTape) -> Bool {
    guard sibling < entries.count else { return false }
    let cell = tape[entries[entry].cell]
    return tape[entries[sibling].cell].offset == cell.offset + cell.length + 1
  }
}

// MARK: - What has not changed

/// Consecutive objects that are unchanged.
struct UnchangedObjects {
  /// The number of objects, not counting those within them.
  var count = 0
  /// Their entries in the old trace.
  var entries = 0..<0
  /// Their cells in the old document.
  var cells = TapeIndex.root..<TapeIndex.root
  var text = 0..<0
}

extension PreviousReading {
  /// The longest run of expected objects that are unchanged and are the requested ones.
  ///
  /// `shape` returns the shape that objects of a type have in the new read.
  func unchanged(
    _ range: Range<Int>, _ state: borrowing RecordState, object: (Int) -> Cell,
    shape: (TypeID) -> UInt32
  ) -> UnchangedObjects {
    document.withTape { tape in
      var found = UnchangedObjects()
      let limit = firstDependentEntry(from: next)
      var entry = next
      for index in range {
        guard entry < min(entries.count, limit) else { break }
        let old = entries[entry]
        let cell = tape[old.cell]
        guard object(index).isReference, object(index).record == old.record,
          found.count == 0 || cell.offset == found.text.upperBound + 1,
          isUnchanged(old, state), self.shape(of: old) == shape(RowHeader(bits: old.header).type)
        else { break }
        let end = tape.next(old.cell)
        var inner = entry + 1
        while inner < entries.count, entries[inner].cell < end {
          guard inner < limit, isUnchanged(entries[inner], state) else { return found }
          inner += 1
        }
        entry = inner
        let isFirst = found.count == 0
        found.count += 1
        found.entries = next..<entry
        found.cells = (isFirst ? old.cell : found.cells.lowerBound)..<end
        found.text =
          (isFirst ? cell.offset : found.text.lowerBound)..<(cell.offset + cell.length)
      }
      return found
    }
  }

  /// The first entry of an object that cannot be copied because it depends on more than its record.
  private func firstDependentEntry(from entry: Int) -> Int {
    let place = dependentEntries.partitioningIndex { $0 >= entry }
    return place < dependentEntries.count ? dependentEntries[place] : .max
  }

  /// Whether an object itself is unchanged. An object that may become stale is read again.
  private func isUnchanged(_ entry: ReadTrace.Entry, _ state: borrowing RecordState) -> Bool {
    shape(of: entry) != Self.unknown && state.hasRow(of: entry.record)
      && state[entry.record].isUnchanged(entry.record.rowInChunk, entry.header)
  }

  /// Notes that the entries have been copied.
  func pass(_ objects: UnchangedObjects) { next = objects.entries.upperBound }
}
