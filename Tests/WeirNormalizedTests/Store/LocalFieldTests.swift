import TestSupport
import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Fields that only the app knows, beside those of the server.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct LocalFieldTests {
  @Test("A field that the schema does not have stays with its entity, and is never sent (N4.3)")
  func localField() async throws {
    let sdl = "type Query { todos: [Todo!]! } type Todo { id: ID! text: String! }"
    let server = try LocalServer(schema: sdl) {
      $0.query("todos") { _ in [["id": "1", "text": "a"]] }
    }
    let told = Told()
    var configuration = NormalizedCacheConfiguration()
    configuration.schema = try GraphQLSchema(sdl: sdl)
    configuration.onDiagnostic = told.add
    let store = StoreKind.store(configuration)
    let client = GraphQLClient([.dedup, .cache(store), .fetch(from: server)])
    let todos = GraphQLOperation("{ todos { id text } }")
    _ = await client.query(todos)

    let local = try GraphQLFragment("fragment Local on Todo { isSelected }")
    let todo = Entity("Todo", id: "1")
    var watch = store.watch(local, of: todo).makeAsyncIterator()
    let nothing = await watch.next()
    #expect(nothing == .some(nil))
    async let next = watch.next()
    try store.update { try $0.write(["isSelected": true], for: local, of: todo) }
    #expect(await next??["isSelected"]?.bool == true)

    try server.update { $0.query("todos") { _ in [["id": "1", "text": "b"]] } }
    let newer = await client.query(todos.with(.networkOnly))
    #expect(newer.data?["todos"]?[0]?["text"]?.string == "b")
    #expect(store.read(local, of: todo)?["isSelected"]?.bool == true)
    #expect(server.requests.map { $0.text.contains("isSelected") } == [false, false])
    #expect(told.messages == [])
    client.clear()
    #expect(store.read(local, of: todo) == nil)
  }
}
