import Testing
import Weir
import WeirNormalized
import WeirTesting

/// The path of an error that does not fit what the store has by the time the response arrives (N2.4).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct MisleadingPathTests {
  private static let todo = Entity("Todo", id: "9")

  /// Sends a query whose response has a null with an error, and meanwhile another one for the same
  /// field, which has another todo then.
  private static func overtake(
    _ store: NormalizedStore, second: String, then change: () throws -> Void
  ) async throws -> GraphQLClient {
    let gate = Gate()
    let server = ScriptedExchange { operation in
      switch operation.name {
      case "First":
        await gate.pass()
        return .data(
          #"{"todo":{"__typename":"Todo","id":"1","note":null}}"#,
          errors: [GraphQLError(message: "no note", path: [.key("todo"), .key("note")])])
      case "Second": return .data(#"{"todo":{"__typename":"Todo","id":"9","note":"n"}}"#)
      case "Third": return .data(#"{"todo":{"__typename":"Todo","id":"9"}}"#)
      default: return .failure("asked")
      }
    }
    let client = GraphQLClient([.cache(store), server])
    async let first = client.query(GraphQLOperation("query First { todo { id note } }"))
    await server.received(1)
    _ = await client.query(GraphQLOperation(GraphQLDocument(second)))
    try change()
    gate.open()
    #expect(await first.error?.message == "no note")
    return client
  }

  @Test("An error below an entity that was removed meanwhile is not kept (N2.4)")
  func removed() async throws {
    let store = StoreKind.store()
    _ = try await Self.overtake(store, second: "query Second { todo { id note } }") {
      try store.update { $0.remove(.entity(Self.todo)) }
    }
    #expect(store.read(GraphQLOperation("{ todo { id } }")) == nil)
  }

  @Test("An error of one entity is not shown for another one in the same place (N2.4)")
  func other() async throws {
    let store = StoreKind.store()
    let client = try await Self.overtake(store, second: "query Third { todo { id } }") {}
    let again = GraphQLOperation("{ todo { id note } }").with { $0.showsKnownErrors = true }
    #expect(await client.query(again).error?.message == "asked")
  }
}
