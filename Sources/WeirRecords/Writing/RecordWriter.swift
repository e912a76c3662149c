package import Weir

/// Merges one response, or data written by hand, into the records.
///
/// It passes over the tape once. Each object is looked at twice: first its leaves are written to
/// its row together, then its objects and lists. A write adds and replaces fields and removes none,
/// except that keyless elements of lists are replaced entirely: the server may have reordered them.
package struct RecordWriter {
  let catalog: Catalog
  package var bindings: Bindings
  let tape: JSONTape
  /// The cells that an error made null. They contain no data.
  let skipped: Set<TapeIndex>
  let skippedInOrder: [TapeIndex]
  /// The keys that closures have computed, by the objects' cells.
  let computedKeys: [TapeIndex: [UInt8]]
  package let version: UInt64
  package let rules: WriteRules
  /// Whether a field that a later request has written is nevertheless stale, for example a list that was changed after
  /// its invalidation, or is missing because it was evicted.
  package var hasLeftStale = false
  /// Whether fields keep the values of later requests.
  package internal(set) var hasLeftNewer = false
  /// In an update, the records before it; otherwise nil.
  package var before: RecordState?
  /// In an update, the lists that show several pages, with the elements that they had before.
  package var shownLists = [TapeIndex: ContiguousArray<Cell>]()
  /// Those of them that have the same elements. They are not written.
  package var keptLists: Set<TapeIndex> = []
  package var writes: ContiguousArray<(record: RecordReference, fields: WrittenFields)> = []
  package var changes = ChangeSet()
  package var refreshed = ChangeSet()
  /// The fields of older records that become stale earlier than before. Their values may be the same.
  package var shortened = ChangeSet()
  package var diagnostics: [StoreDiagnostic] = []

  /// The lists that were written.
  package var listFields = ListFields()
  /// The lists among them for which the schema's declaration was noted.
  var declaredLists: Set<ListFields.Field> = []

  var layouts = KnownLayouts()
  /// Keyless elements of lists that this batch has written. Written again, they are merged.
  var written: Set<RecordReference> = []
  /// Fields of keyless elements that existed before and have not been written again.
  var leftovers = [RecordReference: Set<FieldPlace>]()
  /// Embedded records without references. They are removed at the end: a write further out may
  /// still use them.
  var dropped: Set<RecordReference> = []
  /// Whether only the data itself has to be considered, which is nearly always the case.
  @inline(__always)
  var isPlain: Bool {
    rules.newer.isEmpty && skipped.isEmpty && !limitsAge && before == nil && !rules.mayLackItems
  }

  /// The fields whose values are being written, of those that may be found again within them.
  var openFields: Set<OpenField> = []
  /// The objects in these fields whose members are still to be written, innermost field last.
  var postponed: [PostponedObject] = []
  /// The values without keys that are written last, because the same objects may be shown with their keys.
  var lateValues: [LateValue] = []
  /// The values without keys that have been written into their fields.
  var keyless = [OpenField: [LateValue]]()
  /// The entities that such fields have by their keys.
  var keyed = [OpenField: Set<RecordReference>]()

  /// Writes an object's members into a known record: a root or an entity.
  package mutating func write(
    _ object: TapeIndex, node: SelectionNode, into record: RecordReference, type: TypeID,
    isRoot: Bool,
    _ state: inout RecordState
  ) {
    let layout = rootLayout(of: object, node, record.table, type, isRoot: isRoot)
    write(object, layout, into: record, isNew: false, WriteContext(), &state)
    if !lateValues.isEmpty || !keyed.isEmpty { writeLateValues(&state) }
    removeLeftovers(&state)
  }

  private mutating func rootLayout(
    of object: TapeIndex, _ node: SelectionNode, _ table: TableID, _ type: TypeID, isRoot: Bool
  ) -> WriteLayout {
    if isRoot, let usual = node.usualLayout(of: object, tape, bindings.conditions),
      usual.shape.type == type
    {
      return usual
    }
    let layout = WriteLayout(
      shape: bindings.shape(node, type, isRoot: isRoot), table: table, tape: tape,
      keyList: tape.keyList(object))
    layout.shape.assumptions?.learn(
      from: object, of: type, tape, bindings, mayLackMembers: rules.mayLackMembers)
    noteUnknownMembers(layout)
    if isRoot { node.keepUsual(layout) }
    return layout
  }
}

/// How a value that is being written belongs to the objects around it.
struct WriteContext {
  /// Whether it belongs to an element of a list, not to an entity.
  var isBelowElement = false
  /// Whether it is itself an element of a list.
  var isElement = false
  /// Whether the members of the field's objects are written when the field has its value.
  var postpones = false
}

/// A field whose value is being written.
struct OpenField: Hashable {
  let record: RecordReference
  let field: FieldID
}

/// An object whose record is known, and whose members are still to be written.
struct PostponedObject {
  let object: TapeIndex
  let layout: WriteLayout
  let record: RecordReference
  let isNew: Bool
  let context: WriteContext
}
