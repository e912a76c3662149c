import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Pages that only a storage has when another one arrives.
@Suite(.timeLimit(.minutes(10)))
struct StoredPageTests {
  private static func page(after cursor: String?, _ directive: String) -> GraphQLOperation {
    let document = GraphQLDocument(
      """
      query Page($first: Int, $after: String) {
        todos(first: $first, after: $after) \(directive) {
          totalCount edges { cursor node { id } }
          pageInfo { startCursor endCursor hasPreviousPage hasNextPage }
        }
      }
      """)
    var variables: JSONValue = ["first": 2]
    variables["after"] = cursor.map { .string($0) }
    return GraphQLOperation(document, variables: variables)
  }

  @Test(
    "A page that arrives is shown with those that only the storage has (N7, N9.1)",
    arguments: ["", #"@connection(key: "all")"#])
  func arrival(_ directive: String) async throws {
    var configuration = NormalizedCacheConfiguration()
    if directive.isEmpty { configuration.fields["Query.todos"] = .connection() }
    let storage = TemporaryStorage()
    let server = ScriptedExchange.immediate { operation in
      let isFirst = !operation.identity.variables.string.contains("after")
      return OperationResult(
        data: isFirst
          ? ConnectionTests.data([1, 2], next: true) : ConnectionTests.data([3, 4], previous: true))
    }
    let (first, second) = (Self.page(after: nil, directive), Self.page(after: "c2", directive))
    let former = NormalizedStore(configuration, storage: storage)
    for page in [first, second] {
      _ = await GraphQLClient([.dedup, .cache(former), server]).query(page)
    }
    try await former.flush()
    let client = GraphQLClient(
      [.dedup, .cache(NormalizedStore(configuration, storage: storage)), server])
    let result = await client.query(first.with { $0.requestPolicy = .networkOnly })
    #expect(result.data.flatMap(ConnectionTests.summary) == "1 2 3 4 c1…c4")
  }

  @Test(
    "A page of a list within an object is shown with those that only the storage has (N7, N9.1)",
    arguments: ["1", "null"])
  func nested(_ id: String) async throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["User.todos"] = .offsetPages()
    let storage = TemporaryStorage()
    let server = ScriptedExchange.immediate { operation in
      let ids = operation.identity.variables.string.contains("2") ? [3, 4] : [1, 2]
      let todos = ids.map { #"{"__typename":"Todo","id":"\#($0)"}"# }.joined(separator: ",")
      return .data(#"{"user":{"__typename":"User","id":\#(id),"todos":[\#(todos)]}}"#)
    }
    let document: GraphQLDocument = """
      query ($offset: Int) { user { id todos(offset: $offset, limit: 2) { id } } }
      """
    let first = GraphQLOperation(document, variables: ["offset": 0])
    let former = NormalizedStore(configuration, storage: storage)
    for page in [first, GraphQLOperation(document, variables: ["offset": 2])] {
      _ = await GraphQLClient([.dedup, .cache(former), server]).query(page)
    }
    try await former.flush()
    let client = GraphQLClient(
      [.dedup, .cache(NormalizedStore(configuration, storage: storage)), server])
    let result = await client.query(first.with { $0.requestPolicy = .networkOnly })
    let todos = result.data?["user"]?["todos"]?.elements.map { $0["id"]?.string }
    #expect(todos == ["1", "2", "3", "4"])
  }
}
