import Weir

/// How memory and the storage differ.
struct StorageSync {
  /// Whether the storage may remove what has not been used for long.
  let hasBudget: Bool
  /// How many changes wait for a storage that refuses them only for a while.
  let maximumUnsaved: Int
  /// Asks the storage's thread to save.
  let requestSave: @Sendable () -> Void
  /// Changes that the storage does not have yet.
  var unsaved = UnsavedChanges()
  /// Changes that are being committed.
  var saving = UnsavedChanges()
  var loaded = LoadedRecords()
  /// Whether memory has all lists of the query's root.
  var hasLists = false
  /// Fields that are stale wherever only the storage has them.
  var staleFields: Set<ListFields.Field> = []
  /// The error of the last commit, if it has failed.
  var failure: StorageError?
  /// Whether the last read has failed.
  var isUnreadable = false
  /// Why changes were lost, until a flush has thrown it.
  var loss: StorageError?
  /// Changes when everything is removed.
  private(set) var clearCount = 0
  /// Whether another store has removed everything from the storage since the thread has last looked.
  private(set) var wasEmptied = false
  /// Changes when rows are given to other records, too.
  var rowGeneration = 0

  var hasUnsavedChanges: Bool { !unsaved.isEmpty || !saving.isEmpty }

  /// Whether memory keeps what is unsaved. An app that works on while its storage is suspended must not lose
  /// that, nor take up more and more memory.
  var keepsUnsaved: Bool {
    guard let failure else { return true }
    return failure.isPassing && unsavedCount <= maximumUnsaved
  }

  var unsavedCount: Int { unsaved.count + saving.count }

  /// Whether only memory has the newest state of a record.
  func holds(_ record: RecordReference) -> Bool {
    unsaved.records.contains(record) || saving.records.contains(record)
  }

  /// Everything was removed from memory, and is to be removed from the storage.
  mutating func clear() {
    unsaved = UnsavedChanges()
    unsaved.removesAll = true
    loaded = LoadedRecords()
    hasLists = false
    staleFields = []
    loss = nil
    dropWorkUnderWay()
  }

  /// Another store has removed everything from the storage.
  mutating func noteEmptied() {
    wasEmptied = true
    dropWorkUnderWay()
  }

  /// What is being committed or loaded is from before everything was removed.
  private mutating func dropWorkUnderWay() {
    saving = UnsavedChanges()
    clearCount += 1
    rowGeneration += 1
  }

  /// Returns whether another store has removed everything since the last call.
  mutating func takeEmptied() -> Bool {
    defer { wasEmptied = false }
    return wasEmptied
  }

  /// A record, or a field of the root, was evicted. If it was not saved, it cannot be saved, and is lost.
  mutating func noteEvicted(_ change: ChangeSet.Change, _ catalog: Catalog) {
    var isLost = false
    staleFields = []
    loaded.coverage = .some
    if change.record == RootType.query.reference {
      hasLists = false
      for field in change.places(in: change.record.table, catalog).map(\.field) {
        loaded.fields.remove(field)
        if let list = catalog.info(field).list { loaded.noteEvicted(list: list) }
        if unsaved.fields.remove(field) != nil { isLost = true }
        if saving.fields.remove(field) != nil { saving.hasLost = true }
      }
    } else {
      loaded.records.remove(change.record)
      if unsaved.records.remove(change.record) != nil { isLost = true }
      if saving.records.remove(change.record) != nil { saving.hasLost = true }
      // Another record may get the row.
      unsaved.removedFields[change.record] = nil
      saving.removedFields[change.record] = nil
    }
    if isLost { loss = failure }
  }
}

extension StorageError {
  /// Whether the storage takes the same changes a little later.
  fileprivate var isPassing: Bool {
    // A file, or the key of its values, cannot be read while the device is locked.
    code == .suspended || code == .busy || code == .notPermitted
  }
}

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

/// The records that memory need not request from the storage: it has the same, or something newer.
struct LoadedRecords {
  var records = RecordSet()
  /// Fields of the query's root.
  var fields: Set<FieldID> = []
  /// Lists of the query's root of which all pages were requested.
  private(set) var lists: Set<FieldID> = []
  /// Lists of the query's root of which memory has evicted pages since.
  private(set) var evictedLists: Set<FieldID> = []
  /// Entities that the storage does not have, and memory has no row for.
  private(set) var absentEntities: Set<Entity> = []
  var coverage = Coverage.some

  /// How much of the storage memory has.
  enum Coverage {
    case some
    /// Everything is being loaded, and nothing of it has become incomplete meanwhile.
    case growing
    /// Everything.
    case all
  }

  /// Whether results that are watched may lack something that is not noted here as missing. Nobody would tell
  /// their watches when others add it.
  var mayLackNotes = true

  /// The same for optimistic results: their rows may be other records in memory.
  var withoutRecords: LoadedRecords {
    var copy = self
    copy.records = RecordSet()
    return copy
  }

  private static let maximumCount = 20_000

  mutating func insert(_ field: FieldID) {
    if fields.count >= Self.maximumCount { (fields, mayLackNotes) = ([], true) }
    fields.insert(field)
  }

  mutating func insert(absent entity: Entity) {
    if absentEntities.count >= Self.maximumCount { (absentEntities, mayLackNotes) = ([], true) }
    absentEntities.insert(entity)
  }

  mutating func insert(list: FieldID) {
    lists.insert(list)
    evictedLists.remove(list)
  }

  mutating func noteEvicted(list: FieldID) {
    lists.remove(list)
    if evictedLists.count >= Self.maximumCount { evictedLists = [] }
    evictedLists.insert(list)
  }

  mutating func remove(_ content: RecordRequest.Content) {
    switch content {
    case .record(let record): records.remove(record)
    case .field(let field): fields.remove(field)
    case .entity(let entity): absentEntities.remove(entity)
    }
  }

  /// Others may have added anything.
  mutating func forgetAbsent() {
    absentEntities = []
    lists = []
    coverage = .some
    mayLackNotes = true
  }
}

/// A record, or a field of the query's root, to be requested from a storage.
struct RecordRequest {
  let key: String
  let content: Content

  enum Content {
    case record(RecordReference)
    /// An entity that memory has no row for.
    indirect case entity(Entity)
    case field(FieldID)
  }
}

extension RecordRequest {
  init(_ entity: Entity) {
    self.init(key: StoredKey.text(of: entity), content: .entity(entity))
  }

  /// A request for a key of the storage; nil for a key that is neither an entity's nor a root field's.
  init?(key: String, _ catalog: Catalog) {
    switch StoredKey.meaning(of: key) {
    case .rootField(let storageKey):
      let name = StoredKey.fieldName(of: storageKey)
      self.init(key: key, content: .field(catalog.field(storageKey, name: name)))
    case .entity(let entity): self.init(key: key, content: .entity(entity))
    case nil: return nil
    }
  }

  init(_ field: FieldID, _ catalog: Catalog) {
    self.init(
      key: StoredKey.text(ofRootField: catalog.info(field).storageKey), content: .field(field))
  }

  /// A request for an entity to which an optimistic result leads; nil if it was requested already.
  init?(
    _ entity: Entity, beside records: RecordState, _ loaded: LoadedRecords, _ catalog: Catalog
  ) {
    if let record = records.record(of: entity, catalog) {
      guard !loaded.records.contains(record) else { return nil }
      self.init(record, records, catalog)
    } else {
      guard !loaded.absentEntities.contains(entity) else { return nil }
      self.init(entity)
    }
  }

  init(_ record: RecordReference, _ records: RecordState, _ catalog: Catalog) {
    self.init(
      key: records.storedKey(of: record, catalog),
      content: .record(record))
  }
}
