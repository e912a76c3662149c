import Testing
import Weir
import WeirNormalized

/// Places and results share decoded values, but no elements that are instances of classes, which may
/// change. Instances within values are shared with the values.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct InstanceTests {
  final class Author: Decodable, @unchecked Sendable {
    let id: String
    var name: String
  }
  struct Post: Decodable, Sendable {
    let id: String
    let author: Author
    let editor: Author?
  }
  struct Data: Decodable, Sendable {
    let posts: [Post]
    let authors: [Author?]
  }

  static let query = Query<Data, NoVariables>(
    "{ posts { id author { id name } editor { id name } } authors { id name } }")

  private static func author(_ number: Int) -> JSONValue {
    ["__typename": "Author", "id": .string("\(number)"), "name": "a"]
  }

  @Test("Each place has an instance of its own, and so has each result's list of instances")
  func instances() throws {
    let store = StoreKind.store()
    let posts = (0..<40).map { number -> JSONValue in
      [
        "__typename": "Post", "id": .string("\(number)"), "author": Self.author(number % 3),
        "editor": Self.author(number % 2),
      ]
    }
    let data: JSONValue = ["posts": .array(posts), "authors": .array((0..<40).map(Self.author))]
    try store.write(data, for: Self.query.operation(NoVariables()))
    let first = try #require(try store.read(Self.query))
    try store.update {
      try $0.write(
        ["name": "b"], for: GraphQLFragment("fragment F on Author { name }"),
        of: Entity("Author", id: "39"))
    }
    let second = try #require(try store.read(Self.query))
    for data in [first, second] {
      let all = data.posts.flatMap { [$0.author, $0.editor] } + data.authors
      #expect(Set(all.compactMap { $0.map(ObjectIdentifier.init) }).count == 3 * 40)
    }
    #expect(zip(first.authors, second.authors).allSatisfy { $0 !== $1 })
    #expect(second.authors.last??.name == "b" && first.authors.last??.name == "a")
  }
}
