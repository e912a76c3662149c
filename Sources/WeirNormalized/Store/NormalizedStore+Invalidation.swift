import Weir

extension NormalizedStore {
  /// Marks records as stale and wakes the watches that show them; the data stays. An invalidation within
  /// a transaction waits for its end. What an operation shows is in its own partition; everything else
  /// is in all of them.
  func invalidate(_ invalidation: Invalidation) {
    if case .operation(let operation) = invalidation {
      return partition(of: operation.context).invalidateAlone(invalidation)
    }
    for store in withPartitions { store.invalidateAlone(invalidation) }
  }

  private func invalidateAlone(_ invalidation: Invalidation) {
    if let running = RunningTransaction.calling(state) { return running.postpone(invalidation) }
    // The app's closures for key spaces must not be called within the lock.
    if case .types(let names) = invalidation { catalog.prepareKeySpaces(of: names) }
    state.withLock { state in
      switch invalidation {
      case .types(let names):
        // A response in flight may be the first to bring a type.
        let types = names.filter { !$0.contains("(") }.compactMap(catalog.type)
        state.invalidate(types: Set(types))
        state.noteUnsaved(
          names.map { StorageChange(content: .selection(.type($0)), isInvalidation: true) })
      case .operation(let operation):
        let entry = state.entry(for: ReadTarget(executing: operation))
        let fields = entry.rootFields
        state.invalidate(fields: fields)
        if entry.isUnanswered { state.fire(entry, at: .next()) }
        state.noteUnsaved(
          fields.map { _, place, _ in
            let info = catalog.info(place.field)
            let arguments = FieldArguments.arguments(in: info.storageKey, name: info.name)
            return StorageChange(
              content: .selection(.field(info.name, .query, arguments: arguments)),
              isInvalidation: true)
          })
      case .all: state.clear()
      }
    }
  }

  /// A subscription was interrupted and runs again. The missed events could have changed anything, so
  /// every query becomes stale; the data stays.
  func eventsWereMissed(in session: Session) {
    guard state.withLock({ session >= $0.session }) else { return }
    missedEvents.note { [weak self] in
      self?.state.withLock { state in
        guard session >= state.session else { return }
        let root = RootType.query.reference
        // Those without a value may be in flight, or be answered by a redirect.
        let known = state.results.entries.values.flatMap(\.rootFields)
        state.invalidate(
          fields: state.records.places(of: root, state.catalog).map { (root, $0, false) }
            + known)
        state.fireUnanswered()
        // A storage may have queries that memory has not read yet.
        state.noteUnsaved([
          StorageChange(content: .selection(.entity(.query)), isInvalidation: true)
        ])
      }
    }
  }

  func switchSession(to session: Session) {
    // The main store first: it removes everything from the storage.
    state.withLock { $0.switchSession(to: session) }
    guard isMain else { return }
    for store in partitions.switchSession(to: session) { store.switchSession(to: session) }
  }
}
