import Weir
import WeirNormalized

/// A view shows a connection whose pages the store joins, as a feed after much scrolling.
enum ConnectionCases {
  static var all: [BenchmarkCase] { [400, 2_000, 10_000].map(change) }

  private static let pageSize = 20

  /// One mutation changes an item of a connection, until a view that shows all of it has looked at every
  /// field.
  private static func change(_ count: Int) -> BenchmarkCase {
    BenchmarkCase(
      name: "connection/one changes/\(count)", yardstick: .jsonSerialization(count),
      scaling: Scaling(
        line: "one of a watched connection changes", axis: "items of a list", size: count),
      isSlow: count > 2_000
    ) {
      let server = TodoUpdates()
      let store = try filled(count)
      let client = GraphQLClient([.dedup, .normalizedCache(store), server])
      let view = await LiveViews(
        [client.watch(Queries.todoPages, PageVariables(first: pageSize))], on: .pool,
        text: { $0.todoPages.edges.first?.node.text })
      let stopwatch = Stopwatch()
      let mutations = ListMutations(client, view: view)
      return Workload(
        run: { operations in
          for _ in 0..<operations {
            try await mutations.next(server, stopwatch, isolation: nil)
          }
        },
        stopwatch: stopwatch,
        check: {
          try expect(server.queryCount == 0, "The view has sent a query.")
          let shown = client.peek(Queries.todoPages, PageVariables(first: pageSize))?.data
          try expect(shown?.todoPages.edges.count == count, "Items are missing.")
        },
        tearDown: { await mutations.end() })
    }
  }

  private static func filled(_ count: Int) throws -> NormalizedStore {
    let store = try TodoStore.filled(0) { $0.fields["Query.todoPages"] = .connection() }
    for start in stride(from: 0, to: count, by: pageSize) {
      let after = start == 0 ? nil : "cursor \(start - 1)"
      try store.write(
        JSON(parsing: page(start, of: count)),
        for: Queries.todoPages.operation(PageVariables(first: pageSize, after: after)))
    }
    return store
  }

  private static func page(_ start: Int, of count: Int) -> String {
    let items = start..<min(count, start + pageSize)
    let edges = items.map {
      #"{"cursor":"cursor \#($0)","node":\#(Payloads.todo($0, of: count)),"__typename":"TodoEdge"}"#
    }
    return #"{"todoPages":{"edges":[\#(edges.joined(separator: ","))],"#
      + #""pageInfo":{"hasNextPage":\#(items.upperBound < count),"#
      + #""endCursor":"cursor \#(items.upperBound - 1)","__typename":"PageInfo"},"#
      + #""__typename":"TodoConnection"}}"#
  }
}

/// The data of `Documents.todoPages`.
struct TodoPagesData: Decodable, Sendable, Inspectable {
  struct Connection: Decodable, Sendable {
    let edges: [Edge]
    let pageInfo: PageInfo
  }

  struct Edge: Decodable, Sendable {
    let cursor: String
    let node: Todo
  }

  struct PageInfo: Decodable, Sendable {
    let hasNextPage: Bool
    let endCursor: String?
  }

  let todoPages: Connection

  var checksum: Int {
    todoPages.edges.reduce(todoPages.pageInfo.hasNextPage ? 1 : 0) {
      $0 &+ $1.cursor.utf8.count &+ $1.node.checksum
    }
  }
}

/// Variables of `Documents.todoPages`.
struct PageVariables: Encodable, Sendable {
  let first: Int
  var after: String?
}
