import Foundation
import Testing
import Weir
import WeirTesting

@Suite("A local server fills with samples what no closure answers", .timeLimit(.minutes(10)))
struct SampleTests {
  private let schema = """
    type Query {
      book(id: ID!): Book
      books(genre: Genre): [Book!]!
      shelf: Shelf!
      node: Node
      found: [Result!]!
      scalars: Scalars!
      grid: [[Book!]!]!
      tree: [Tree!]!
      failing: Int
    }
    type Mutation { rename(id: ID!, title: String!): Book! }
    type Subscription { added: Book! }
    interface Node { id: ID! }
    type Book implements Node { id: ID! title: String! author: Author! genre: Genre! next: Book }
    type Author implements Node { id: ID! name: String! books: [Book!]! }
    type Shelf { label: String! rows: Int! sibling: Shelf! }
    type Tree { name: String! children: [Tree!]! }
    union Result = Book | Author
    enum Genre { FICTION POETRY }
    scalar DateTime
    scalar URL
    scalar UUID
    scalar Money
    scalar Code
    type Scalars {
      int: Int! float: Float! flag: Boolean! id: ID! text: String! date: DateTime! url: URL!
      uuid: UUID! money: Money! code: Code!
    }
    """

  private func data(
    _ text: String, seed: UInt64 = 1, nulls: Double = 0,
    _ build: (inout LocalResolvers) -> Void = { _ in }
  ) async throws -> JSONValue {
    let server = try LocalServer(
      schema: schema, filling: .samples(seed: seed, nulls: nulls, scalars: ["Money": ["9.5"]]),
      build)
    let response = await server.execute(text)
    #expect(response["errors"] == nil)
    return try #require(response["data"]?.value)
  }

  @Test("The values are the same in each request, and differ with the seed")
  func deterministic() async throws {
    let query = "{ books { id title author { name } genre } shelf { label rows } node { id } }"
    let first = try await data(query)
    #expect(try await data(query) == first)
    var all: Set<JSONValue> = []
    for seed in 1...8 { all.insert(try await data(query, seed: UInt64(seed))) }
    #expect(all.count == 8)
    // The same values on every platform, and in every version.
    let text = try JSON(await data("{ shelf { label rows } books { id genre } }")).description
    let expected =
      #"{"shelf":{"label":"label 936","rows":910},"books":[{"id":"37","genre":"FICTION"},"#
      + #"{"id":"38","genre":"POETRY"},{"id":"39","genre":"FICTION"}]}"#
    #expect(text == expected)
  }

  @Test("Scalars have values of their types")
  func scalars() async throws {
    struct Scalars: Decodable {
      var int: Int
      var float: Double
      var flag: Bool
      var id, text, money, code: String
      var date: Date
      var url: URL
      var uuid: UUID
    }
    for seed in 1...20 {
      let value = try await data(
        "{ scalars { int float flag id text date url uuid money code } }", seed: UInt64(seed))
      let scalars: Scalars = try #require(try JSON(value)["scalars"]).decode()
      #expect(scalars.money == "9.5" && scalars.text.hasPrefix("text "))
      #expect(scalars.code.hasPrefix("Code ") && Int(scalars.id) != nil)
    }
  }

  @Test("Objects have the ids that are given as samples, unless the request names one")
  func ids() async throws {
    let ids: [JSONValue] = [
      "8c9d1a3e-3b0e-4d8e-9f5e-0d6f1e3a7b11", "8c9d1a3e-3b0e-4d8e-9f5e-0d6f1e3a7b12",
    ]
    for seed in 1...8 {
      let server = try LocalServer(
        schema: schema, filling: .samples(seed: UInt64(seed), scalars: ["ID": ids]))
      let response = await server.execute(#"{ books { id author { id } } book(id: "7") { id } }"#)
      let data = try #require(response["data"])
      for book in try #require(data["books"]).elements {
        #expect(ids.contains { $0.string == book["id"]?.string })
        #expect(ids.contains { $0.string == book["author"]?["id"]?.string })
      }
      #expect(data["book"]?["id"]?.string == "7")
    }
  }

  @Test("An object with an id is the same wherever it is, whatever the keys in the response")
  func entities() async throws {
    let value = try await data(
      """
      { a: book(id: "7") { id t: title author { name } } b: book(id: "7") { title author { n: name } }
        c: book(id: "8") { id title } shelf { label l: label sibling { label } } }
      """)
    #expect(value["a"]?["id"] == "7" && value["c"]?["id"] == "8")
    #expect(value["a"]?["t"] == value["b"]?["title"] && value["a"]?["t"] != value["c"]?["title"])
    #expect(value["a"]?["author"]?["name"] == value["b"]?["author"]?["n"])
    #expect(value["shelf"]?["label"] == value["shelf"]?["l"])
    #expect(value["shelf"]?["label"] != value["shelf"]?["sibling"]?["label"])
  }

  @Test("Lists have one to three elements that differ, and arguments change them")
  func lists() async throws {
    var counts: Set<Int> = []
    var depend = false
    for seed in 1...20 {
      let value = try await data(
        "{ books { id } poetry: books(genre: POETRY) { id } grid { id } }", seed: UInt64(seed))
      let books = try #require(value["books"]?.array)
      counts.insert(books.count)
      #expect(Set(books).count == books.count)
      let cells = try #require(value["grid"]?.array).flatMap { $0.array ?? [] }
      #expect(Set(cells).count == cells.count)
      depend = depend || value["poetry"] != value["books"]
    }
    #expect(counts == [1, 2, 3] && depend)
  }

  @Test("The size of a response is limited, however deep its lists are")
  func depth() async throws {
    let levels = String(repeating: "{ name children ", count: 20)
    let query = "{ tree \(levels) { name } \(String(repeating: "}", count: 20)) }"
    let text = try JSON(await data(query)).description
    #expect(text.utf8.count < 100_000)
    #expect(text.contains("name"))
  }

  @Test("Values of interfaces and unions have one of the possible types")
  func abstract() async throws {
    var typenames: Set<JSONValue> = []
    for seed in 1...20 {
      let value = try await data(
        "{ node { __typename id } found { __typename ... on Book { title } ... on Author { name } } }",
        seed: UInt64(seed))
      for object in [value["node"]] + (value["found"]?.array ?? []) {
        typenames.insert(try #require(object?["__typename"]))
      }
      for object in value["found"]?.array ?? [] {
        #expect((object["title"] != nil) == (object["__typename"] == "Book"))
      }
    }
    #expect(typenames == ["Book", "Author"])
  }

  @Test("A share of nulls makes nullable values null and lists empty, and no others null")
  func nulls() async throws {
    let query = "{ node { id } books { next { id } title } }"
    let all = try await data(query, nulls: 1)
    #expect(all == ["node": nil, "books": []])
    var (null, present) = (0, 0)
    for seed in 1...40 {
      let value = try await data(
        "{ node { id } book(id: 1) { title } }", seed: UInt64(seed), nulls: 0.5)
      for member in try #require(value.object).values {
        if member.isNull { null += 1 } else { present += 1 }
      }
    }
    #expect(null > 20 && present > 20)
  }

  @Test("Closures come first, and what their objects lack is filled")
  func closures() async throws {
    let value = try await data(
      """
      { book(id: 7) { id title author { name } next { id } } other: book(id: 7) { genre }
        books { id } }
      """
    ) {
      $0.query("book") { ["id": $0["id"], "title": "Mine", "next": nil] as JSONValue }
      $0.field("Author", "name") { _ in "Ann" }
    }
    let book = try #require(value["book"])
    #expect(book["title"] == "Mine" && book["next"]?.isNull == true)
    #expect(book["author"]?["name"] == "Ann" && value["books"]?.array?.isEmpty == false)
    // Both have the id 7, so both are the same book.
    #expect(
      try await data("{ book(id: 7) { genre } }")["book"]?["genre"] == value["other"]?["genre"])
  }

  @Test("A mutation returns the object that it names, and a subscription sends three events")
  func otherOperations() async throws {
    let renamed = try await data(#"mutation { rename(id: "3", title: "X") { id } }"#)
    #expect(renamed == ["rename": ["id": "3"]])
    let server = try LocalServer(schema: schema, filling: .samples(seed: 1))
    let client = GraphQLClient([.fetch(from: server)])
    let document: GraphQLDocument = "subscription { added { id title } }"
    var ids: [JSONValue] = []
    for await result in client.results(of: GraphQLOperation(document)) {
      ids.append(try #require(result.data?["added"]?["id"]?.value))
    }
    #expect(ids.count == 3 && Set(ids).count == 3)
  }

  @Test(
    "Samples that do not fit the schema are refused",
    arguments: [
      (0, ["Book": ["x"]], #"The schema has no scalar "Book", for which there are samples."#),
      (0, ["Code": []], #"The list of samples for the scalar "Code" is empty."#),
      (1.5, [:], "The share of nulls in samples must be between 0 and 1."),
    ] as [(Double, [String: [JSONValue]], String)])
  func refused(nulls: Double, scalars: [String: [JSONValue]], message: String) {
    let error = #expect(throws: LocalServerError.self) {
      try LocalServer(
        schema: schema, filling: .samples(seed: 1, nulls: nulls, scalars: scalars))
    }
    #expect(error?.message == message)
  }

  @Test("What the introspection of a type lacks is null, not a sample")
  func introspection() async throws {
    let server = try LocalServer(schema: "type Query { a: Int }", filling: .samples(seed: 1))
    let type = await server.execute(
      GraphQLOperation(
        #"{ __type(name: "Query") { name enumValues { name } inputFields { name } isOneOf } }"#))
    let found = type["data"]?["__type"]
    #expect(found?["name"]?.string == "Query")
    for member in ["enumValues", "inputFields", "isOneOf"] {
      #expect(found?[member]?.isNull == true, "\(member)")
    }
  }
}
