import Testing
import Weir
import WeirNormalized

/// Connections of servers whose cursors are numbers.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct NumberCursorTests {
  private static let todos: GraphQLDocument = """
    query Todos($after: Float, $before: Float, $last: Int) {
      todos(first: 2, after: $after, last: $last, before: $before) {
        edges { cursor node { id } }
        pageInfo { startCursor endCursor hasNextPage }
      }
    }
    """

  private func data(_ cursors: [String]) -> JSON {
    let edges = cursors.map {
      #"{"__typename":"Edge","cursor":\#($0),"node":{"__typename":"Todo","id":"\#($0)"}}"#
    }
    return ConnectionTests.json(
      #"""
      {"todos":{"__typename":"Todos","edges":[\#(edges.joined(separator: ","))],
      "pageInfo":{"__typename":"PageInfo","startCursor":\#(cursors[0]),
      "endCursor":\#(cursors[cursors.count - 1]),"hasNextPage":true}}}
      """#)
  }

  @Test("Pages adjoin by cursors that are numbers, too (N7)", arguments: ["", ".5"])
  func numbers(_ fraction: String) throws {
    let store = ConnectionTests.store()
    let cursors = (1...6).map { "\($0)\(fraction)" }
    let numbers = try cursors.map { try JSON(parsing: $0).value }
    try store.write(data(Array(cursors[2...3])), for: GraphQLOperation(Self.todos))
    let after = GraphQLOperation(Self.todos, variables: ["after": numbers[3]])
    try store.write(data(Array(cursors[4...5])), for: after)
    let before = GraphQLOperation(Self.todos, variables: ["before": numbers[2], "last": 2])
    try store.write(data(Array(cursors[0...1])), for: before)
    for page in [GraphQLOperation(Self.todos), after, before] {
      let shown = store.read(page)?["todos"]?["edges"]?.elements.map { $0["node"]?["id"]?.string }
      #expect(shown == cursors)
    }
  }
}
