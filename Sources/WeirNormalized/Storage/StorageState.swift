import Weir

/// What a store knows of its storage.
struct StorageState {
  let thread: StorageThread
  /// What memory says that the storage does not yet.
  var unsaved = UnsavedChanges()
  /// What is being committed just now.
  var saving = UnsavedChanges()
  var lookedUp = LookedUp()
  /// Whether memory has all lists of the query's root.
  var hasLists = false
  /// Fields that are stale wherever only the storage has them.
  var staleFields: Set<ListFields.Field> = []
  /// Why the last commit failed, if it has.
  var failure: StorageError?
  /// Why something was given up, until somebody has been told.
  var loss: StorageError?
  /// Changes when everything is forgotten.
  var clearCount = 0
  /// Changes when rows are given to other records, too.
  var rowGeneration = 0

  /// Whether memory alone knows something of a record.
  func holds(_ record: RecordReference) -> Bool {
    unsaved.records.contains(record) || saving.records.contains(record)
  }

  /// Everything was forgotten, and is to be in the storage.
  mutating func clear() {
    unsaved = UnsavedChanges()
    unsaved.removesAll = true
    saving = UnsavedChanges()
    lookedUp = LookedUp()
    hasLists = false
    staleFields = []
    clearCount += 1
    rowGeneration += 1
  }

  /// A record, or a field of the root, was let go of to save memory. If it was not saved, that is
  /// because it cannot be.
  mutating func noteCollected(_ change: ChangeSet.Change, _ catalog: Catalog) {
    var isLost = false
    staleFields = []
    if change.record == RootType.query.reference {
      hasLists = false
      for field in change.places(in: change.record.table, catalog).map(\.field) {
        lookedUp.fields.remove(field)
        if unsaved.fields.remove(field) != nil { isLost = true }
        if saving.fields.remove(field) != nil { isLost = true }
      }
    } else {
      lookedUp.records.remove(change.record)
      if unsaved.records.remove(change.record) != nil { isLost = true }
      if saving.records.remove(change.record) != nil { isLost = true }
    }
    if isLost { loss = failure }
  }
}

/// Changes that a storage does not have yet.
struct UnsavedChanges {
  /// Whether everything goes that the storage has; before the rest.
  var removesAll = false
  /// What the storage is to remove or mark beyond what memory knows of, in order; before the rest.
  var selections: [StoredSelection] = []
  /// Entities, each with all that is embedded in it.
  var records: Set<RecordReference> = []
  /// Fields of the query's root.
  var fields: Set<FieldID> = []
  /// Fields that were removed from entities before the storage has said what it knows of those.
  var removedFields: [RecordReference: Set<FieldID>] = [:]

  /// How many records and fields there are.
  var count: Int { records.count + fields.count }

  var isEmpty: Bool {
    !removesAll && selections.isEmpty && records.isEmpty && fields.isEmpty
  }

  /// Whether the storage has something that it must not be asked for.
  var removesWhatIsStored: Bool { removesAll || !selections.isEmpty }

  /// Takes back what could not be saved; what was said since counts more.
  mutating func addOlder(_ older: UnsavedChanges) {
    if removesAll { return }
    removesAll = older.removesAll
    selections = older.selections + selections
    records.formUnion(older.records)
    fields.formUnion(older.fields)
    removedFields.merge(older.removedFields) { $0.union($1) }
  }
}

/// What a transaction does to records by their names, whether memory has them or not.
struct StoredSelection {
  let content: StoreSelection.Content
  /// Whether they are to be marked as stale, not removed.
  let isInvalidation: Bool

  init(_ content: StoreSelection.Content, isInvalidation: Bool) {
    self.content = content
    self.isInvalidation = isInvalidation
  }
}

/// What a storage need not be asked for: memory has what it knows, or newer.
struct LookedUp {
  var records = RecordFlags()
  /// Of the query's root.
  var fields: Set<FieldID> = []
  /// Lists of the query's root, of which all pages were looked for.
  var lists: Set<FieldID> = []
  /// Entities that memory has no row for.
  private(set) var entities: Set<Entity> = []

  private static let maximumCount = 20_000

  mutating func insert(_ field: FieldID) {
    if fields.count >= Self.maximumCount { fields = [] }
    fields.insert(field)
  }

  mutating func insert(_ entity: Entity) {
    if entities.count >= Self.maximumCount { entities = [] }
    entities.insert(entity)
  }

  mutating func remove(_ content: LookUp.Content) {
    switch content {
    case .record(let record): records.remove(record)
    case .field(let field): fields.remove(field)
    case .entity(let entity): entities.remove(entity)
    }
  }

  mutating func forgetAbsent() {
    entities = []
    lists = []
  }
}

/// A set of records that grows with the tables.
struct RecordFlags {
  private var flags: ContiguousArray<ContiguousArray<Bool>> = []

  @inline(__always)
  func contains(_ record: RecordReference) -> Bool {
    record.table < flags.count && record.row < flags[record.table].count
      && flags[record.table][record.row]
  }

  /// - Returns: whether it was not there.
  @discardableResult
  mutating func insert(_ record: RecordReference) -> Bool {
    while flags.count <= record.table { flags.append([]) }
    let count = flags[record.table].count
    if record.row >= count {
      let missing = max(record.row + 1 - count, min(count, 4096))
      flags[record.table] += repeatElement(false, count: missing)
    }
    if flags[record.table][record.row] { return false }
    flags[record.table][record.row] = true
    return true
  }

  mutating func remove(_ record: RecordReference) {
    if contains(record) { flags[record.table][record.row] = false }
  }
}

// MARK: - Noting changes

extension StoreState {
  /// The records have changed: the storage is to hear of it.
  mutating func noteUnsaved(
    _ changes: ChangeSet, catalog: Catalog, _ aftermath: inout Aftermath
  ) {
    guard storage != nil, !changes.isEmpty else { return }
    for change in changes.changes {
      guard let owner = records.owner(of: change.record) else { continue }
      if owner.record == RootType.query.reference {
        noteUnsaved(rootFields: change, embeddedIn: owner.field, catalog)
      } else if owner.record.table > RootType.subscription.rawValue {
        storage?.unsaved.records.insert(owner.record)
        noteRemovals(change, from: owner.record, catalog)
      }
    }
    aftermath.storage = storage?.thread
  }

  /// What is removed or invalidated by its name is so in the storage, too.
  mutating func noteUnsaved(
    _ selections: [StoredSelection], catalog: Catalog, _ aftermath: inout Aftermath
  ) {
    guard storage != nil, !selections.isEmpty else { return }
    for selection in selections {
      if case .field(_, let entity, _) = selection.content, entity != .query,
        let record = records.record(of: entity, catalog), records.header(record).type != .removed
      {
        // Memory has all of it, and has changed.
        if storage?.lookedUp.records.contains(record) == true { continue }
        storage?.unsaved.records.insert(record)
      }
      if case .stored(let field) = selection.content,
        storage?.staleFields.insert(field).inserted == false
      {
        continue
      }
      storage?.unsaved.selections.append(selection)
    }
    aftermath.storage = storage?.thread
  }

  private mutating func noteUnsaved(
    rootFields change: ChangeSet.Change, embeddedIn field: FieldID?, _ catalog: Catalog
  ) {
    let root = RootType.query.reference
    let changed =
      field.map { [FieldPlace(field: $0, slot: -1)] }
      ?? (change.slots == .max
        ? records.places(of: root, catalog) : change.places(in: root.table, catalog))
    let isRemoval = change.places(in: change.record.table, catalog)
      .contains { records.cell(change.record, $0).isAbsent }
    for place in changed {
      storage?.unsaved.fields.insert(place.field)
      if isRemoval { storage?.lookedUp.insert(place.field) }
    }
  }

  /// What was removed must not come back with what the storage knows.
  private mutating func noteRemovals(
    _ change: ChangeSet.Change, from owner: RecordReference, _ catalog: Catalog
  ) {
    guard storage?.lookedUp.records.contains(owner) == false else { return }
    if records.header(owner).type == .removed {
      storage?.lookedUp.records.insert(owner)
      storage?.unsaved.removedFields[owner] = nil
      return
    }
    if change.isNew || change.slots == .max { return }
    let removed = change.places(in: change.record.table, catalog)
      .filter { records.cell(change.record, $0).isAbsent }
    if removed.isEmpty { return }
    if owner == change.record {
      storage?.unsaved.removedFields[owner, default: []].formUnion(removed.map(\.field))
    } else {
      // Of an embedded object: rather all that only the storage has of its owner is lost.
      storage?.lookedUp.records.insert(owner)
    }
  }
}
