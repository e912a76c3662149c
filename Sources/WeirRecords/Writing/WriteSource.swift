package import Weir

/// Data to be written, with everything that must be determined before a lock is taken.
package struct WriteSource {
  package let bindings: Bindings
  private let skipped: Set<TapeIndex>
  private let skippedInOrder: [TapeIndex]
  private let keys: [TapeIndex: [UInt8]]

  /// The data is that of an object of a type: a root or an entity. `isWhole` says whether a server has
  /// sent it, and no members are lacking, so that a member shows its type condition to hold.
  package init(
    _ data: JSON, of type: TypeID, isRoot: Bool, bindings: Bindings, skipped: Set<TapeIndex>,
    isWhole: Bool
  ) {
    self.bindings = bindings
    self.skipped = skipped
    skippedInOrder = skipped.isEmpty ? [] : skipped.sorted()
    keys = ComputedKeys.find(
      in: data, of: type, isRoot: isRoot, isWhole: isWhole, bindings: bindings)
  }

  /// The caller holds the lock under which fields are forgotten, or compares the records afterwards.
  /// `unchanged` has further cells that are not to be written.
  package func writer(
    _ tape: JSONTape, version: UInt64, _ rules: WriteRules, unchanged: Set<TapeIndex> = []
  ) -> RecordWriter {
    var bindings = bindings
    bindings.renew()
    let all = unchanged.isEmpty ? skipped : skipped.union(unchanged)
    return RecordWriter(
      catalog: bindings.catalog, bindings: bindings, tape: tape, skipped: all,
      skippedInOrder: unchanged.isEmpty ? skippedInOrder : all.sorted(), computedKeys: keys,
      version: version, rules: rules)
  }
}
