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
}
