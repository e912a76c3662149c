package import WeirNormalized

/// A storage that passes each call on to another one, except those that the conforming type implements itself.
package protocol ForwardingStorage: RecordStorage {
  var base: any RecordStorage { get }
}

extension ForwardingStorage {
  package func names() throws(StorageError) -> [UInt32: String] { try base.names() }

  package func register(_ names: [String]) throws(StorageError) -> [UInt32] {
    try base.register(names)
  }

  package func load(_ keys: [String]) throws(StorageError) -> [StoredRecord?] {
    try base.load(keys)
  }

  package func commit(_ batch: RecordBatch) throws(StorageError) { try base.commit(batch) }

  package func keys(in selection: RecordSelection) throws(StorageError) -> [String] {
    try base.keys(in: selection)
  }

  package func removeAll() throws(StorageError) { try base.removeAll() }

  package func size() throws(StorageError) -> StorageSize { try base.size() }

  package func collect(
    toBytes bytes: Int, keeping: Set<String>, atMost limit: Int
  ) throws(StorageError) -> [String] {
    try base.collect(toBytes: bytes, keeping: keeping, atMost: limit)
  }

  package func externalChanges() -> AsyncStream<Set<String>?> { base.externalChanges() }

  package func close() { base.close() }
}
