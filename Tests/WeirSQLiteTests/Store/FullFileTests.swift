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

  private func todo(_ number: Int) -> GraphQLOperation {
    GraphQLOperation(
      "query Todo($id: ID!) { todo(id: $id) { id text } }",
      variables: ["id": .string("\(number)")])
  }
}
