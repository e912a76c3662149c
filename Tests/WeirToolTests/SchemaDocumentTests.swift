import Testing

@Suite("weir schema diff with documents", .timeLimit(.minutes(10)))
struct SchemaDocumentTests {
  private static let old = """
    type Query { books(by: Filter): [Book!]! node: Node old: Int }
    interface Node { id: ID! }
    type Book implements Node { id: ID! title: String pages: Int }
    type Film implements Node { id: ID! length: Int }
    input Filter { title: String inner: Deep }
    input Deep { year: Int }
    """

  @Test(
    "With documents, only changes that concern them fail (T5)",
    arguments: [
      ("query A { books { id title } }", "pages: Int", "", false),
      ("query A { books { id pages } }", "pages: Int", "", true),
      ("query A { node { id } }", "old: Int", "", false),
      // Selected by the interface, read from the object.
      (
        "query A { node { id } }", "type Film implements Node { id: ID!",
        "type Film implements Node { id: Int!", true
      ),
      ("query A { node { ... on Film { length } } }", "length: Int", "", true),
      (
        "fragment F on Film { length } query A { node { ...F } }", "type Film implements Node",
        "type Film", true
      ),
      // A variable can have every field of its type.
      ("query A($by: Filter) { books(by: $by) { id } }", "year: Int", "year: Int must: Int!", true),
      ("query A { books { id } }", "year: Int", "year: Int must: Int!", false),
      ("query A { books { id } }", "books(by: Filter)", "books(by: Filter, now: Int!)", true),
      ("query A { books { id } }", "books(by: Filter)", "books", false),
      ("query A { books(by: {title: \"\"}) { id } }", "books(by: Filter)", "books", true),
    ])
  func documents(document: String, part: String, change: String, isBroken: Bool) async throws {
    let workspace = try Workspace([
      "a.graphqls": Self.old, "b.graphqls": Self.old.replacing(part, with: change),
      "Documents/A.graphql": document,
    ])
    #expect(await workspace.run("schema", "diff", "a.graphqls", "b.graphqls").code == 1)
    let run = await workspace.run(
      "schema", "diff", "a.graphqls", "b.graphqls", "--documents", "Documents")
    #expect(run.code == (isBroken ? 1 : 0))
    #expect(run.output.contains { $0.contains("not used by the documents") } != isBroken)
  }

  @Test(
    "A change that makes documents invalid fails, whatever place it concerns (T5)",
    arguments: [
      (
        "query A { item { ... on Named { name } } }", "| Person", "",
        "A.graphql:1:18: error: Fragment cannot be spread here"
      ),
      (
        "query A { item { ... on Book { text } ... on Film { text } } }",
        "type Film { text: String", "type Film { text: String!",
        "A.graphql:1:32: error: Fields \"text\" conflict"
      ),
    ])
  func invalidByNew(document: String, part: String, change: String, error: String) async throws {
    let schema = """
      type Query { item: Item }
      interface Named { name: String }
      union Item = Book | Film | Person
      type Book { text: String }
      type Film { text: String }
      type Person implements Named { name: String }
      """
    let workspace = try Workspace([
      "a.graphqls": schema, "b.graphqls": schema.replacing(part, with: change),
      "Documents/A.graphql": document,
    ])
    let run = await workspace.run(
      "schema", "diff", "a.graphqls", "b.graphqls", "--documents", "Documents")
    #expect(run.code == 1)
    #expect(run.diagnostics.contains { $0.contains(error) }, "\(run.diagnostics)")
    #expect(run.diagnostics.last == "error: The documents are not valid by the newer schema.")
  }

  @Test("A fragment that no given document has hides what it selects, and is an error (T5)")
  func missingFragment() async throws {
    let workspace = try Workspace([
      "a.graphqls": Self.old, "b.graphqls": Self.old.replacing("pages: Int", with: ""),
      "App/A.graphql": "query A { books { id ...Row } }",
      "Kit/Row.graphql": "fragment Row on Book { pages }",
    ])
    let arguments = ["schema", "diff", "a.graphqls", "b.graphqls", "--documents", "App"]
    let run = await workspace.run(arguments)
    #expect(run.code == 1)
    #expect(run.diagnostics.count == 1)
    #expect(run.diagnostics.first?.hasPrefix("App/A.graphql:1:25: error: Unknown fragment") == true)
    let both = await workspace.run(arguments + ["--documents", "Kit"])
    #expect(both.code == 1)
    #expect(both.diagnostics.last == "error: 1 of 1 changes can break the documents.")
  }

  @Test("Changes can be JSON (T5)")
  func json() async throws {
    let workspace = try Workspace([
      "a.graphqls": "type Query { a: Int b: Int }", "b.graphqls": "type Query { a: Int }",
    ])
    let run = await workspace.run(
      "schema", "diff", "a.graphqls", "b.graphqls", "--diagnostics", "json")
    #expect(
      run.output == [
        #"{"level":"breaking","kind":"field-removed","coordinate":"Query.b","#
          + #""message":"The field was removed.","concernsDocuments":null}"#
      ])
    #expect(run.diagnostics[0].contains("1 of 1 changes can break clients."))
  }

  @Test(
    "A folder without documents is an error, because it would allow every change (T5)",
    arguments: ["note.txt", "A.gql"])
  func noDocuments(name: String) async throws {
    let workspace = try Workspace([
      "a.graphqls": Self.old, "b.graphqls": "type Query { a: Int }",
      "Documents/\(name)": "query A { books { id } }",
    ])
    let run = await workspace.run(
      "schema", "diff", "a.graphqls", "b.graphqls", "--documents", "Documents")
    #expect(run.code == 1)
    #expect(
      run.diagnostics == ["Documents: error: The folder has no files of the kind *.graphql."])
  }

  @Test("Documents must be valid by the older schema (T5)")
  func invalidDocuments() async throws {
    let workspace = try Workspace([
      "Documents/a.graphqls": Self.old, "b.graphqls": Self.old,
      "Documents/A.graphql": "query A { books { id } }",
      // A part of the schema, and a fragment for another module.
      "Documents/More.graphql": "extend type Query { more: Int } fragment F on Query { old }",
    ])
    let arguments = [
      "schema", "diff", "Documents/a.graphqls", "b.graphqls", "--documents", "Documents",
    ]
    #expect(await workspace.run(arguments).code == 0)
    try workspace.write("query B { books { titel } }", to: "Documents/B.graphql")
    let run = await workspace.run(arguments)
    #expect(run.code == 1)
    #expect(run.diagnostics.count == 1)
    #expect(run.diagnostics[0].contains("Documents/B.graphql:1:19: error: "))
  }
}
