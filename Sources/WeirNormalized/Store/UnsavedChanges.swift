import Weir

/// Changes that a storage does not have yet.
struct UnsavedChanges {
  /// Whether everything in the storage is to be removed, before the rest.
  var removesAll = false
  /// Removals and invalidations by name, in order, before the rest.
  private(set) var selections: [StorageChange] = []
  /// How many selections there may be before equal ones are searched.
  private var maximumWithEquals = 64
  /// Entities, each with everything that is embedded in it.
  var records: Set<RecordReference> = []
  /// Fields of the query's root.
  var fields: Set<FieldID> = []
  /// Fields that were removed from entities. The storage may have more of these than memory.
  var removedFields: [RecordReference: Set<FieldID>] = [:]
  /// Whether memory has evicted some of them while they were being committed: they are lost if that fails.
  var hasLost = false

  /// How many records, fields and selections there are.
  var count: Int { records.count + fields.count + selections.count }

  var isEmpty: Bool {
    !removesAll && selections.isEmpty && records.isEmpty && fields.isEmpty
  }

  /// Whether the storage has something that must not be read any more.
  var removesWhatIsStored: Bool { removesAll || !selections.isEmpty }

  /// Adds a selection. While a storage fails, they pile up, and the last of equal ones is enough.
  mutating func append(_ selection: StorageChange, replacesEqual: Bool) {
    selections.append(selection)
    guard replacesEqual, selections.count > maximumWithEquals else { return }
    var seen: Set<[ExactString]> = []
    selections = selections.reversed().filter { seen.insert($0.identity).inserted }.reversed()
    maximumWithEquals = max(64, selections.count * 2)
  }

  /// Takes back what could not be saved; later changes take precedence.
  mutating func addOlder(_ older: UnsavedChanges) {
    if removesAll { return }
    removesAll = older.removesAll
    selections = older.selections + selections
    records.formUnion(older.records)
    fields.formUnion(older.fields)
    removedFields.merge(older.removedFields) { $0.union($1) }
  }
}
