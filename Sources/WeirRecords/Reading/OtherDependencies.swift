/// The dependencies of a result beside the records that it shows.
package struct OtherDependencies: Sendable {
  /// Entities that were looked up but do not exist.
  package fileprivate(set) var absentEntities: [Entity] = []
  /// Records that affect the result without being shown, with their headers.
  package fileprivate(set) var unseen: [(record: RecordReference, header: UInt64)] = []
  /// The fields that computed fields were made from.
  package fileprivate(set) var computedFields: [(record: RecordReference, place: FieldPlace)] = []
  /// Lists of which the result shows several pages. The result also depends on pages that arrive
  /// later.
  package fileprivate(set) var lists: [(record: RecordReference, list: FieldID)] = []

  var isEmpty: Bool {
    absentEntities.isEmpty && unseen.isEmpty && computedFields.isEmpty && lists.isEmpty
  }

  /// Whether the same fields of the same records are meant, whatever is in them.
  func areTheSame(as other: OtherDependencies) -> Bool {
    absentEntities == other.absentEntities
      && unseen.elementsEqual(other.unseen) { $0.record == $1.record }
      && computedFields.elementsEqual(other.computedFields, by: ==)
      && lists.elementsEqual(other.lists, by: ==)
  }

  /// Whether none of the records has changed.
  func areCurrent(in state: RecordState, _ catalog: Catalog) -> Bool {
    areUnseenCurrent(in: state)
      && absentEntities.allSatisfy { state.liveRecord(of: $0, catalog) == nil }
  }

  func areUnseenCurrent(in state: RecordState) -> Bool {
    unseen.allSatisfy { state.headerIfPresent($0.record) == $0.header }
  }

  mutating func noteUnseen(_ record: RecordReference, _ state: RecordState) {
    unseen.append((record, state.header(record).bits))
  }

  mutating func noteSource(_ record: RecordReference, _ place: FieldPlace) {
    computedFields.append((record, place))
  }
}

extension ReadTrace {
  /// About how many bytes the dependencies beside the entries take. An element of joined pages has a cell, and
  /// an edge is noted twice.
  package var footprintOfOthers: Int {
    let elements = joined.values.reduce(0) { count, connection in
      connection.lists.values.reduce(count + connection.others.unseen.count) {
        $0 + $1.elements.count
      }
    }
    return (others.unseen.count + elements) * MemoryLayout<(RecordReference, UInt64)>.stride
  }

  /// Notes a record that the result depends on entirely, although it may not show it.
  mutating func noteUnseen(_ record: RecordReference, _ state: RecordState) {
    others.noteUnseen(record, state)
    noteDependence()
  }

  /// Notes a missing record that the result depends on.
  mutating func noteDangling(_ record: RecordReference, _ state: RecordState) {
    noteUnseen(record, state)
    hasDangling = true
  }

  /// Notes an entity that does not exist.
  package mutating func noteAbsent(_ entity: Entity) {
    others.absentEntities.append(entity)
    noteDependence()
  }

  /// Notes a field from which a computed one is made.
  mutating func noteSource(_ record: RecordReference, _ place: FieldPlace) {
    others.noteSource(record, place)
    noteDependence()
  }

  mutating func noteList(_ record: RecordReference, _ list: FieldID) {
    others.lists.append((record, list))
    noteDependence()
  }

  /// Notes what a part depends on that the result leaves out because it is incomplete. A storage may have
  /// the rest of it.
  mutating func noteLeftOut(_ part: borrowing ReadTrace, _ state: RecordState) {
    for entry in part.entries { noteDangling(entry.record, state) }
    if !part.others.unseen.isEmpty { hasDangling = true }
    note(part.others)
  }

  /// Notes what a part of the result depends on.
  mutating func note(_ part: OtherDependencies) {
    others.absentEntities += part.absentEntities
    others.unseen += part.unseen
    others.computedFields += part.computedFields
    others.lists += part.lists
    noteDependence()
  }
}
