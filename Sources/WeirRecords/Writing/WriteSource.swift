package import Weir

/// Data to be written, with everything that must be determined before a lock is taken.
package struct WriteSource {
  package let bindings: Bindings
  private let skipped: Set<TapeIndex>
  private let skippedInOrder: [TapeIndex]
  private let keys: [TapeIndex: [UInt8]]

  /// The data is that of an object of a type: a root or an entity.
  package init(
    _ data: JSON, of type: TypeID, isRoot: Bool, bindings: Bindings, skipped: Set<TapeIndex>
  ) {
    self.bindings = bindings
    self.skipped = skipped
    skippedInOrder = skipped.sorted()
    keys = ComputedKeys.find(
      in: data, of: type, node: bindings.plan.root, isRoot: isRoot, bindings: bindings)
  }

  /// The caller holds the lock under which fields are forgotten, or compares the records afterwards.
  package func writer(_ tape: JSONTape, version: UInt64) -> RecordWriter {
    var bindings = bindings
    bindings.renew()
    return RecordWriter(
      catalog: bindings.catalog, bindings: bindings, tape: tape, skipped: skipped,
      skippedInOrder: skippedInOrder, computedKeys: keys, version: version)
  }
}
