import Weir

/// The state and the work of the storage's thread; it never leaves that thread.
struct StorageWorker {
  unowned let link: StorageLink
  /// The names that the storage has; nil if they have to be read because another store may have
  /// registered names.
  var knownNames: RecordNames?
  /// The knowledge about the API that the storage has; nil until it is read.
  var learned: LearnedNames?
  /// The keys of records that others have changed and memory has not reloaded, because the storage has
  /// failed since; nil stands for all records.
  var outdated: Set<ExactString>? = []
  /// Whether something was removed from a full storage since the last commit. What does not fit even then
  /// may never fit.
  var hasMadeRoom = false
  /// The size at which the next collection is tried: above the budget if the last one has removed too little,
  /// because most of what is stored is watched or pinned.
  var nextCollection = 0
  /// See `RecordDecoder`; as of the last look at the names, because the clock may be the app's code, and
  /// decoders are made under the store's lock.
  private var latestExpiry = RowAges.never
  private var isListening = false
  /// The main store's count of removals when the names were read.
  private var removalCount = 0

  init(_ link: StorageLink) {
    self.link = link
  }

  var storage: any RecordStorage { link.storage }
  var state: GuardedState { link.state }
  var catalog: Catalog { link.state.catalog }

  mutating func names() throws(StorageError) -> RecordNames {
    latestExpiry = link.latestExpiry
    if let parent = link.parent {
      try parent.finishRemovals()
      if parent.removalCount != removalCount { knownNames = nil }
      removalCount = parent.removalCount
    }
    if let knownNames { return knownNames }
    let texts = try storage.names()
    catalog.prepareKeySpaces(of: texts.values)
    let names = RecordNames(texts)
    knownNames = names
    return names
  }

  func decoder(version: UInt64, names: RecordNames) -> RecordDecoder {
    var decoder = RecordDecoder(catalog: catalog, version: version, names: names)
    decoder.latestExpiry = latestExpiry
    return decoder
  }

  /// Gets ready to read: follows what others do to the storage, and removes from it what is not to be
  /// found any more.
  mutating func prepareRead() throws(StorageError) {
    listen()
    try catchUp()
    try learn()
    try saveRemovals()
  }

  /// Follows what another store or process does to the storage. From the first use on, because before that
  /// there is nothing in memory that could be out of date.
  mutating func listen() {
    guard !isListening else { return }
    isListening = true
    let changes = storage.externalChanges()
    let task = Task { [weak link] in
      for await keys in changes {
        guard let link else { return }
        await link.carryOut { worker throws(StorageError) in
          if keys?.isEmpty == true { try worker.save() }
          try worker.reload(keys.map { Set($0.map(ExactString.init)) })
        }
      }
    }
    let hasEnded = link.listening.withLock { listening in
      if !listening.hasEnded { listening.task = task }
      return listening.hasEnded
    }
    if hasEnded { task.cancel() }
  }
}
