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
