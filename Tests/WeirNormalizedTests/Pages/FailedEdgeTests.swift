import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Edges of joined pages that are not objects.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct FailedEdgeTests {
  @Test("An edge that an error made null is missing in joined pages, too (N2.4, N3.1, N7)")
  func failed() async {
    let server = ScriptedExchange.immediate { operation in
      guard operation.identity.variables.string.contains("after") else {
        return OperationResult(data: ConnectionTests.data([1, 2], next: true))
      }
      let data = String(
        decoding: ConnectionTests.data([3, 4], previous: true).bytes, as: UTF8.self
      ).replacing(
        #"{"__typename":"TodoEdge","cursor":"c4","# + "\n"
          + #""node":{"__typename":"Todo","id":"4"}}"#, with: "null")
      let path: [GraphQLError.PathElement] = [.key("todos"), .key("edges"), .index(1)]
      return .data(data, errors: [GraphQLError(message: "No edge.", path: path)])
    }
    let store = ConnectionTests.store()
    let client = GraphQLClient([.cache(store), server])
    let pages = [["first": 2], ["first": 2, "after": "c2"]].map(ConnectionTests.page)
    for page in pages { _ = await client.query(page) }
    // The first page is complete by itself.
    #expect(store.read(pages[0]).flatMap(ConnectionTests.summary) == "1 2> c1…c2")
    #expect(store.read(pages[1]) == nil)
    #expect(await client.query(pages[1]).outcome == .miss)
  }

  @Test("Lists in the place of edges are read from their own page (N7)")
  func lists() throws {
    let store = ConnectionTests.store(.connection())
    func data(_ numbers: [Int]) -> JSON {
      let text = String(decoding: ConnectionTests.data(numbers).bytes, as: UTF8.self)
      return ConnectionTests.json(
        text.replacing(#""edges":["#, with: #""edges":[["#).replacing("],", with: "]],"))
    }
    // Each page is in a chunk of its own.
    try store.write(data([1, 2]), for: ConnectionTests.page(["first": 2]))
    for number in 0..<300 {
      try store.write(
        data([100, 101]), for: ConnectionTests.page(["first": 2, "sort": .string("\(number)")]))
    }
    let second = ConnectionTests.page(["first": 2, "after": "c2"])
    try store.write(data([3, 4]), for: second)
    let shown = store.read(second)?["todos"]?["edges"]?.elements.flatMap {
      $0.elements.map { $0["node"]?["id"]?.string }
    }
    #expect(shown == ["3", "4"])
  }
}
