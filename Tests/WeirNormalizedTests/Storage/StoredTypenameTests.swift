import Testing
import Weir
import WeirNormalized
import WeirTesting

/// A storage whose table of names has another name than the one that was registered.
private final class RenamingStorage: RecordStorage {
  private let storage: MemoryRecordStorage
  private let renamed: [String: String]

  init(_ storage: MemoryRecordStorage, _ renamed: [String: String]) {
    self.storage = MemoryRecordStorage(sharing: storage)
    self.renamed = renamed
  }

  func names() throws(StorageError) -> [UInt32: String] {
    try storage.names().mapValues { renamed[$0] ?? $0 }
  }

  func register(_ names: [String]) throws(StorageError) -> [UInt32] { try storage.register(names) }
  func load(_ keys: [String]) throws(StorageError) -> [StoredRecord?] { try storage.load(keys) }
  func commit(_ batch: RecordBatch) throws(StorageError) { try storage.commit(batch) }
  func keys(in selection: RecordSelection) throws(StorageError) -> [String] {
    try storage.keys(in: selection)
  }
  func removeAll() throws(StorageError) { try storage.removeAll() }
  func size() throws(StorageError) -> StorageSize { try storage.size() }
  func collect(
    toBytes bytes: Int, keeping: Set<String>, atMost limit: Int
  ) throws(StorageError) -> [String] {
    try storage.collect(toBytes: bytes, keeping: keeping, atMost: limit)
  }
  func externalChanges() -> AsyncStream<Set<String>?> { storage.externalChanges() }
  func close() { storage.close() }
}

@Suite("Names of types in a storage", .timeLimit(.minutes(10)))
struct StoredTypenameTests {
  private static let query = GraphQLOperation("{ box { __typename x } todo { __typename id x } }")

  @Test("An object whose stored type has no possible name is missing (N1.6, N9.6)")
  func names() async throws {
    let storage = MemoryRecordStorage()
    let store = NormalizedStore(storage: MemoryRecordStorage(sharing: storage))
    let data: JSONValue = [
      "box": ["__typename": "Box", "x": 1], "todo": ["__typename": "Todo", "id": "1", "x": 2],
    ]
    try store.write(data, for: Self.query)
    try await store.flush()
    func load(_ names: [String: String]) async -> JSON? {
      await NormalizedStore(storage: RenamingStorage(storage, names)).load(Self.query)
    }
    #expect(await load([:])?.value == data)
    #expect(await load(["Box": "Crate"])?["box"]?["__typename"]?.string == "Crate")
    for name in ["Box", "Todo"] {
      #expect(await load([name: #"A","admin":true,"x":"y"#]) == nil)
    }
  }
}
