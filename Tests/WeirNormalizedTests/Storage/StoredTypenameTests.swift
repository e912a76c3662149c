import Testing
import Weir
import WeirNormalized
import WeirTesting

/// A storage whose table of names has another name than the one that was registered.
private final class RenamingStorage: ForwardingStorage {
  let base: any RecordStorage
  private let renamed: [String: String]

  init(_ storage: MemoryRecordStorage, _ renamed: [String: String]) {
    base = MemoryRecordStorage(sharing: storage)
    self.renamed = renamed
  }

  func names() throws(StorageError) -> [UInt32: String] {
    try base.names().mapValues { renamed[$0] ?? $0 }
  }
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
