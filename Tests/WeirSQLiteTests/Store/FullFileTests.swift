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
    var configuration = NormalizedCacheConfiguration()
    configuration.maximumStoredBytes = 400_000
    let store = NormalizedStore(configuration, storage: storage)
    let text = JSONValue.string(String(repeating: "x", count: 2_000))
    for number in 0..<400 {
      try store.write(
        ["todo": ["__typename": "Todo", "id": .string("\(number)"), "text": text]],
        for: todo(number))
      try await store.flush()
    }
    #expect(file.codes == [])
    let next = NormalizedStore(storage: file.storage())
    #expect(await next.load(todo(399)) != nil)
    #expect(await next.load(todo(0)) == nil)
  }

  @Test("A change that can never fit does not empty the file (N9.3, N9.4)")
  func tooLarge() async throws {
    let file = try TestFile(inMemory: true)
    let storage = file.storage { $0.maximumFileBytes = 1_000_000 }
    var configuration = NormalizedCacheConfiguration()
    configuration.maximumStoredBytes = 300_000
    let first = NormalizedStore(configuration, storage: storage)
    let text = JSONValue.string(String(repeating: "x", count: 2_000))
    for number in 0..<100 {
      try first.write(
        ["todo": ["__typename": "Todo", "id": .string("\(number)"), "text": text]],
        for: todo(number))
    }
    try await first.flush()
    let count = try storage.size().records
    let store = NormalizedStore(configuration, storage: storage)
    let long = JSONValue.string(String(repeating: "x", count: 2_000_000))
    for number in 1_000..<1_020 {
      try store.write(
        ["todo": ["__typename": "Todo", "id": .string("\(number)"), "text": long]],
        for: todo(number))
      let error = await #expect(throws: StorageError.self) { try await store.flush() }
      #expect(error?.code == .full)
    }
    #expect(try storage.size().records > count / 2)
  }

  private func todo(_ number: Int) -> GraphQLOperation {
    GraphQLOperation(
      "query Todo($id: ID!) { todo(id: $id) { id text } }",
      variables: ["id": .string("\(number)")])
  }
}
