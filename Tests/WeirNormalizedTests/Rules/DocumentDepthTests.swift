import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Documents whose fragments spread one another (N3.6).
@Suite(.timeLimit(.minutes(10)))
struct DocumentDepthTests {
  /// The selections of the next fragment in each one, and the types of the fragments.
  private static let forms: [(selection: @Sendable (String) -> String, type: String)] = [
    ({ "...\($0) ...\($0)" }, "Todo"),
    ({ "...\($0) ... on Todo { ...\($0) } ... @include(if: true) { ...\($0) }" }, "Todo"),
    // Nothing is known about these types.
    ({ "...\($0) ... on Node { ...\($0) }" }, "Item"),
    ({ "... on Node\($0) { ...\($0) } ... on Item\($0) { ...\($0) }" }, "Todo"),
    ({ "next { id ...\($0) ...\($0) }" }, "Todo"),
  ]

  @Test(
    "Work grows with the document, however often fragments spread each other (N3.6)",
    arguments: forms.indices)
  func doubling(form: Int) async throws {
    let (selection, type) = Self.forms[form]
    let fragments = (1..<60).map { "fragment F\($0) on \(type) { \(selection("F\($0 + 1)")) }" }
    let operation = GraphQLOperation(
      GraphQLDocument(
        "{ todo { id ...F1 } } \(fragments.joined(separator: " ")) fragment F60 on \(type) { text }"
      ))
    let store = NormalizedStore()
    let client = GraphQLClient([
      .normalizedCache(store),
      ScriptedExchange.immediate { _ in
        .data(#"{"todo":{"__typename":"Todo","id":"1","text":"a","next":null}}"#)
      },
    ])
    let result = await client.query(operation)
    #expect(result.data?["todo"]?["id"]?.string == "1")
    #expect(store.read(operation) != nil)
  }
}
