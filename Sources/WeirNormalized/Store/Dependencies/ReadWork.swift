import Weir

/// A read that is to be carried out without the lock.
///
/// An object, because its many references would be counted for each copy.
final class ReadWork: Sendable {
  let target: ReadTarget
  /// Whether something may be missing, because that is allowed now, or was in the reading that watches may
  /// show: they depend on all of it.
  let allowsPartial: Bool
  let records: RecordState
  let version: UInt64
  let writeCount: UInt64
  let clearedAt: LogicalInstant
  let bindings: Bindings
  let previous: OperationEntry.Reading?

  init(
    _ entry: OperationEntry, _ target: ReadTarget, _ state: borrowing StoreState
  ) {
    self.target = target
    allowsPartial = target.allowsPartial || entry.reading?.allowsPartial == true
    records = state.visible
    version = state.lastVersion
    writeCount = state.writeCount
    clearedAt = state.clearedAt
    bindings =
      entry.bindings.plan.isOutdated(state.catalog)
      ? target.bindings(state.catalog) : entry.bindings
    previous = entry.reading
  }

  func read(catalog: Catalog) -> ReadResult {
    guard let record = records.record(at: target.origin, catalog) else {
      var result = ReadResult()
      if case .entity(let entity) = target.origin { result.trace.noteAbsent(entity) }
      return result
    }
    let strict = read(record, allowsPartial: false, catalog)
    guard strict.document == nil, allowsPartial else { return strict }
    return read(record, allowsPartial: true, catalog)
  }

  private func read(
    _ record: RecordReference, allowsPartial: Bool, _ catalog: Catalog
  ) -> ReadResult {
    let shown = previous?.payload?.data?.document
    var expected: ReadSize?
    var copied: PreviousReading?
    if let previous, let shown {
      expected = ReadSize(shown, previous.trace)
      if previous.missing.isEmpty { copied = PreviousReading.of(previous.trace, shown) }
    }
    var found = RecordReader(
      catalog: catalog, state: records, bindings: bindings, allowsPartial: allowsPartial,
      previous: copied,
      expected: expected ?? bindings.plan.lastSize.withLock { $0 }
    ).read(record, bindings.plan.root, isRoot: target.isRoot)
    if copied == nil, let previous {
      found.hasSameDependencies = found.trace.dependsOnTheSame(as: previous.trace)
    }
    if let document = found.document {
      bindings.plan.lastSize.withLock { $0 = ReadSize(document, found.trace) }
    }
    return found
  }
}
