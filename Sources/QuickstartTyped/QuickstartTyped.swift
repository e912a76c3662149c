import Foundation
import Weir
import WeirLocalServer
import WeirNormalized

/// Shows queries whose types are generated from `Posts.graphql` when this program is built.
@main
struct QuickstartTyped {
  static func main() async throws {
    let store = NormalizedStore(Blog.cacheConfiguration)
    let client = GraphQLClient([
      .dedup, .normalizedCache(store), .fetch(from: try blogServer()),
    ])

    step("A query. Its type, that of a row, and the enumeration come from the document.")
    for row in try await client.query(Posts()).get().posts { show(row) }

    step("A watched query, and a mutation with the result that it will probably have.")
    var titles: [String] = []
    for await result in client.watch(Posts()) {
      guard let row = result.data?.posts.first else { break }
      show(row)
      titles.append(row.title)
      if titles.count == 1 {
        Task {
          let soon = PostRow(id: row.id, title: "Hello, soon", kind: row.kind)
          _ = await client.mutate(
            Rename(id: row.id, title: "Hello, Weir"), optimistic: .init(rename: soon))
        }
      }
      if titles.count == 3 { break }  // Leaving the loop ends the watch.
    }

    step("A fragment changes one entity of the store.")
    try store.update(PostRow.self, of: Blog.Post.entity("2")) { $0.title = "Chains" }
    let last = client.peek(Posts())?.data?.posts.last
    if let last { show(last) }

    guard titles == ["Hello", "Hello, soon", "Hello, Weir"], last?.title == "Chains" else {
      print("\nThese titles were not expected.")
      exit(1)
    }
    print("\nDone.")
  }

  private static func step(_ text: String) { print("\n\(text)") }

  private static func show(_ row: PostRow) {
    let kind =
      switch row.kind {
      case .essay: "an essay"
      case .releaseNote: "a release note"
      case .unrecognized(let value): "a \(value)"
      }
    print("  \(row.id)  \(row.title), \(kind)")
  }
}
