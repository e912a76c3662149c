import Testing
import Weir
import WeirNormalized
import WeirSQLite
import WeirTesting

@Suite("A store over a file that is full", .timeLimit(.minutes(10)))
struct FullFileTests {
  @Test("A store with a budget makes room, and saves what is new (N9.3, N9.4)")
  func makesRoom() async throws {
    let file = try TestFile(inMemory: true)
    let storage = file.storage { $0.maximumFileBytes = 400_000 }
    let store = store(storage, maximumBytes: 400_000)
    // Twice as much as the file holds.
    for number in 0..<100 {
      try write(number, length: 8_000, to: store)
      try await store.flush()
    }
    #expect(file.codes == [])
    let next = NormalizedStore(storage: file.storage())
    #expect(await next.load(todo(99)) != nil)
    #expect(await next.load(todo(0)) == nil)
  }

  @Test("A change that can never fit does not empty the file (N9.3, N9.4)")
  func tooLarge() async throws {
    let file = try TestFile(inMemory: true)
    let storage = file.storage { $0.maximumFileBytes = 1_000_000 }
    let first = store(storage, maximumBytes: 300_000)
    for number in 0..<100 { try write(number, length: 2_000, to: first) }
    try await first.flush()
    let count = try storage.size().records
    let second = store(storage, maximumBytes: 300_000)
    for number in 1_000..<1_020 {
      try write(number, length: 2_000_000, to: second)
      let error = await #expect(throws: StorageError.self) { try await second.flush() }
      #expect(error?.code == .full)
    }
    #expect(try storage.size().records > count / 2)
  }

  @Test("What was committed counts as saved if the collection after it fails (N9.3, N9.4)")
  func failedCollection() async throws {
    let storage = ScriptedStorage()
    let told = Locked<[StorageError.Code]>([])
    var configuration = NormalizedCacheConfiguration()
    configuration.maximumStoredBytes = 5_000
    configuration.onStorageError = { error in told.withLock { $0.append(error.code) } }
    let store = NormalizedStore(configuration, storage: storage)
    storage.fail(.collect, with: .busy)
    for number in 0..<4 {
      try write(number, length: 4_000, to: store)
      try await store.flush()
    }
    #expect(told.withLock(\.self) == [.busy])
    let client = GraphQLClient([.normalizedCache(store)], configuration: .silent)
    #expect(client.peek(todo(3))?.isDegraded == false)
    storage.fail(.collect, with: nil)
    try write(4, length: 4_000, to: store)
    try await store.flush()
    #expect(try storage.size().bytes <= 5_000)
  }

  private func store(_ storage: SQLiteStorage, maximumBytes: Int) -> NormalizedStore {
    var configuration = NormalizedCacheConfiguration()
    configuration.maximumStoredBytes = maximumBytes
    return NormalizedStore(configuration, storage: storage)
  }

  private func write(_ number: Int, length: Int, to store: NormalizedStore) throws {
    let text = JSONValue.string(String(repeating: "x", count: length))
    try store.write(
      ["todo": ["__typename": "Todo", "id": .string("\(number)"), "text": text]],
      for: todo(number))
  }

  private func todo(_ number: Int) -> GraphQLOperation {
    GraphQLOperation(
      "query Todo($id: ID!) { todo(id: $id) { id text } }",
      variables: ["id": .string("\(number)")])
  }
}
