import Foundation
import Testing
import Weir
import WeirTesting

@Suite("Generated operations", .timeLimit(.minutes(10)))
struct OperationTests {
  @Test("A query with fragments decodes each part of an object (G1)")
  func query() async throws {
    let client = GraphQLClient([.dedup, .documentCache, .fetch(from: try blogServer())])
    let all = Posts(first: 20, withAuthor: true)
    let posts = try await client.query(all).get().posts
    #expect(posts.map(\.postRow.title) == ["Hello", "Exchanges"])
    #expect(posts.map(\.postRow.genre) == [.selfHelp, .fiction])
    #expect(posts.map(\.tags) == [["a", "b"], []])
    #expect(posts[0].byline?.author?.name == "Ann")
    #expect(posts[1].byline?.author == nil && posts[1].byline?.title == "Exchanges")
    #expect(posts[0].postRow.published == Date(timeIntervalSince1970: 1_769_850_000))
    #expect(client.peek(all)?.data?.posts == posts)

    let without = try await client.query(Posts(withAuthor: false)).get().posts
    #expect(without.map(\.byline) == [nil, nil])
    #expect(try await client.query(Posts(first: 1, withAuthor: false)).get().posts.count == 1)
    client.invalidate(all)
    #expect(client.peek(all) == nil)
  }

  @Test(
    "Conditions on object types are an enumeration, those on interfaces are optional parts (G2)")
  func conditions() async throws {
    let client = GraphQLClient([.fetch(from: try blogServer())])
    let found = try await client.query(Search(text: "a")).get().search
    #expect(found.map(\.__typename) == ["Post", "Author", "Tag"])
    #expect(found.map { $0.asPost?.title } == ["Hello", nil, nil])
    #expect(found.map { $0.asAuthor?.id } == [nil, "a1", nil])
    #expect(found.map { $0.asNamed?.name } == [nil, "Ann", "swift"])
    #expect(found[2].on == .other)
  }

  @Test("A type that the schema did not have has a part if it has the part's keys (G2)")
  func unknownType() throws {
    typealias Found = Search.Data.Search
    let group: Found = try JSON(parsing: #"{"__typename":"Group","name":"All"}"#).decode()
    #expect(group.asNamed?.name == "All" && group.on == .other)
    let place: Found = try JSON(parsing: #"{"__typename":"Place"}"#).decode()
    #expect(place.asNamed == nil)
    // A post is known to be without a name, even if another part of the operation selects one.
    let post: Found = try JSON(parsing: #"{"__typename":"Post","name":"x","title":"T"}"#).decode()
    #expect(post.asNamed == nil && post.asPost?.title == "T")
  }

  @Test("Values of other types and missing fields are errors with their paths (G3)")
  func mismatches() throws {
    #expect(throws: JSONDecodingError.self) {
      try JSON(parsing: #"{"search":[{"__typename":"Post"}]}"#).decode(Search.Data.self)
    }
    let error = #expect(throws: JSONDecodingError.self) {
      try JSON(parsing: #"{"search":[{"__typename":"Post","title":1}]}"#).decode(Search.Data.self)
    }
    #expect(error?.path.map(\.description) == ["search", "[0]", "title"])
  }

  @Test("Unknown values of an enumeration are kept (G4)")
  func unrecognized() throws {
    let row: PostRow = try JSON(parsing: #"{"id":"1","title":"T","genre":"POETRY"}"#).decode()
    #expect(row.genre == .unrecognized("POETRY") && row.genre.rawValue == "POETRY")
    #expect(
      Blog.Genre.allCases.map(\.rawValue)
        == ["FICTION", "SELF_HELP", "BEFORE1940", "self", "default", "OLD"])
  }

  @Test("Generated types are Codable with any encoder and decoder (G5)")
  func codable() throws {
    let data = Posts.Data(posts: [
      .init(
        postRow: .init(
          id: "1", title: "T", genre: .fiction, published: Date(timeIntervalSince1970: 0)),
        tags: ["a"], byline: .init(title: "T", author: .init(name: "Ann"))),
      .init(postRow: .init(id: "2", title: "U", genre: .unrecognized("X")), tags: []),
    ])
    let foundation = try JSONEncoder().encode(data)
    #expect(try JSONDecoder().decode(Posts.Data.self, from: foundation) == data)
    let own = try JSON.encode(data)
    #expect(try JSON(parsing: own).decode(Posts.Data.self) == data)
    #expect(try JSON(parsing: Array(foundation)).canonicalBytes == own)
    #expect(
      try JSON(parsing: own)["posts"]?[0]?.description
        == #"{"__typename":"Post","author":{"__typename":"Author","name":"Ann"},"genre":"FICTION","#
        + #""id":"1","published":"1970-01-01T00:00:00Z","tags":["a"],"title":"T"}"#)
  }

  @Test("Parts that contradict each other are not encoded (G5)")
  func contradiction() {
    let post = Posts.Data.Posts(
      postRow: .init(id: "1", title: "T", genre: .fiction), tags: [], byline: .init(title: "U"))
    #expect(throws: JSONEncodingError.self) {
      try JSON.encode(Posts.Data(posts: [post]))
    }
  }
}
