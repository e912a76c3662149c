import Testing
import Weir
import WeirNormalized
import WeirSQLite

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
