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
  @Test(
    "A note by an update of an optimistic result goes with that (N6.1)", arguments: [true, false])
  func sending(_ succeeds: Bool) async throws {
    let sending = try GraphQLFragment("fragment Sending on Message { isSending }")
    var configuration = NormalizedCacheConfiguration()
    configuration.mutations["send"] = MutationPolicy { field, transaction in
      guard field.isOptimistic, let id = field.value?["id"]?.string else { return }
      try transaction.write(["isSending": true], for: sending, of: Entity("Message", id: id))
    }
    let store = StoreKind.store(configuration)
    let gate = Gate()
    let server = ScriptedExchange { _ in
      await gate.pass()
      return succeeds
        ? .data(#"{"send":{"__typename":"Message","id":"1","text":"a"}}"#) : .failure("no")
    }
    let client = GraphQLClient([.cache(store), server])
    let message = Entity("Message", id: "1")
    async let result = client.mutate(
      GraphQLOperation("mutation { send { id text } }").with {
        $0.optimisticData = ["send": ["__typename": "Message", "id": "1", "text": "a"]]
      })
    await server.received(1)
    #expect(store.read(sending, of: message)?["isSending"]?.bool == true)
    gate.open()
    #expect(await (result.error == nil) == succeeds)
    #expect(store.read(sending, of: message) == nil)
    let text = try GraphQLFragment("fragment Text on Message { text }")
    #expect(store.read(text, of: message)?["text"]?.string == (succeeds ? "a" : nil))
  }
}
