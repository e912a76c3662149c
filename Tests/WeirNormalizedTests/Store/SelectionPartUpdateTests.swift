import Testing
import Weir
import WeirNormalized

/// Two parts of a generated type that show the same objects with other fields, as the fragments of two
/// components do (G5).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct SelectionPartUpdateTests {
  struct Named: SelectionData, Equatable {
    var id: String
    var name: String

    init(id: String, name: String) { (self.id, self.name) = (id, name) }
    init(reading fields: inout FieldReader) throws {
      (id, name) = (try fields.read("id"), try fields.read("name"))
    }
    func write(to fields: inout FieldWriter) {
      fields.typename("Author")
      fields.write("id", id)
      fields.write("name", name)
    }
  }

  struct Mailed: SelectionData, Equatable {
    var id: String
    var email: String

    init(reading fields: inout FieldReader) throws {
      (id, email) = (try fields.read("id"), try fields.read("email"))
    }
    func write(to fields: inout FieldWriter) {
      fields.typename("Author")
      fields.write("id", id)
      fields.write("email", email)
    }
  }

  /// What one of the fragments selects.
  struct Part<Author: SelectionData & Equatable>: SelectionData {
    var author: Author?
    var authors: [Author]

    init(reading fields: inout FieldReader) throws {
      (author, authors) = (try fields.read("author"), try fields.read("authors"))
    }
    func write(to fields: inout FieldWriter) {
      fields.write("author", author)
      fields.write("authors", authors)
    }
  }

  struct Card: FragmentData {
    static let document = GraphQLDocument(
      """
      fragment Card on Post { ...Names ...Mails }
      fragment Names on Post { author { id name } authors { id name } }
      fragment Mails on Post { author { id email } authors { id email } }
      """)
    var names: Part<Named>
    var mails: Part<Mailed>

    init(reading fields: inout FieldReader) throws {
      (names, mails) = (try fields.part(), try fields.part())
    }
    func write(to fields: inout FieldWriter) {
      fields.part(names)
      fields.part(mails)
    }
  }

  private let post = Entity("Post", id: "1")

  private func store() throws -> NormalizedStore {
    func author(_ id: String) -> JSONValue {
      [
        "__typename": "Author", "id": .string(id), "name": .string("n\(id)"),
        "email": .string("e\(id)"),
      ]
    }
    let store = StoreKind.store()
    let all = GraphQLOperation(
      "{ post { id author { id name email } authors { id name email } } other { id name email } }")
    try store.write(
      [
        "post": [
          "__typename": "Post", "id": "1", "author": author("1"),
          "authors": [author("1"), author("2")],
        ], "other": author("3"),
      ], for: all)
    return store
  }

  @Test("Another object in one part keeps the other part's fields as the store has them (G5)")
  func replaced() throws {
    let store = try store()
    try store.update(Card.self, of: post) { $0.names.author = Named(id: "3", name: "new") }
    let card = try #require(try store.read(Card.self, of: post))
    #expect(card.names.author == Named(id: "3", name: "new"))
    #expect(card.mails.author?.id == "3" && card.mails.author?.email == "e3")
    #expect(card.mails.authors.map(\.email) == ["e1", "e2"])
  }

  @Test("A list that one part brings into another order has the other part's fields with it (G5)")
  func reordered() throws {
    let store = try store()
    try store.update(Card.self, of: post) {
      $0.names.authors.swapAt(0, 1)
      $0.names.authors[1].name = "first"
    }
    let card = try #require(try store.read(Card.self, of: post))
    #expect(card.names.authors == [Named(id: "2", name: "n2"), Named(id: "1", name: "first")])
    #expect(card.mails.authors.map(\.email) == ["e2", "e1"])
  }

  @Test("It is enough to remove an object or an element in one part (G5)")
  func removed() throws {
    let store = try store()
    try store.update(Card.self, of: post) {
      $0.mails.author = nil
      $0.names.authors.removeFirst()
    }
    let card = try #require(try store.read(Card.self, of: post))
    #expect(card.names.author == nil && card.mails.author == nil)
    #expect(card.names.authors == [Named(id: "2", name: "n2")])
    #expect(card.mails.authors.map(\.email) == ["e2"])
  }

  @Test("A new object in one part is an error that names the fields of the other part (G5)")
  func new() throws {
    let store = try store()
    let error = #expect(throws: StoreError.self) {
      try store.update(Card.self, of: post) {
        $0.names.authors.append(Named(id: "9", name: "new"))
      }
    }
    #expect(error?.code == .incompleteType && error?.message.contains("email") == true)
    #expect(try store.read(Card.self, of: post)?.names.authors.count == 2)
  }

  @Test("Different changes of two parts are both made, unless they contradict each other (G5)")
  func both() throws {
    let store = try store()
    try store.update(Card.self, of: post) {
      $0.names.author?.name = "N"
      $0.mails.author?.email = "E"
    }
    let card = try #require(try store.read(Card.self, of: post))
    #expect(card.names.author?.name == "N" && card.mails.author?.email == "E")
    let error = #expect(throws: StoreError.self) {
      try store.update(Card.self, of: post) {
        $0.names.author?.id = "2"
        $0.mails.author?.id = "3"
      }
    }
    #expect(error?.code == .conflictingParts)
    // The new name would be that of another author.
    let other = #expect(throws: StoreError.self) {
      try store.update(Card.self, of: post) {
        $0.names.author?.name = "M"
        $0.mails.author?.id = "3"
      }
    }
    #expect(other?.code == .conflictingParts)
  }
}
