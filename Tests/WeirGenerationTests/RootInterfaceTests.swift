import GraphQLValidation
import Testing
import WeirGeneration

@Suite("Fragments on interfaces of root types")
struct RootInterfaceTests {
  @Test("Only an interface of the query or the mutation type needs the name of the type (G5)")
  func roots() throws {
    let document = "query Q { a } fragment N on Node { id }"
    let roots = [("Query", " __typename"), ("Mutation", " __typename"), ("Subscription", "")]
    for (root, name) in roots {
      let schema = """
        interface Node { id: ID }
        type Query { a: Int }
        type Mutation { a: Int }
        type Subscription { a: Int }
        extend type \(root) implements Node { id: ID }
        """
      let text = try #require(try Generator(schema, document).text("a.graphql.swift"))
      #expect(text.contains("\"fragment N on Node{id\(name)}\""), "\(root)")
    }
  }

  private let schema = """
    interface Node { id: ID }
    type Query { id: ID }
    type Subscription implements Node { id: ID added: Post }
    type Post implements Node { id: ID }
    """

  @Test(
    "A subscription that would need the name of its root's type is an error at the spread (G7)",
    arguments: [
      ("subscription S { ...N } fragment N on Node { id }", 18),
      ("subscription S { ... on Node { ...N } } fragment N on Node { id }", 32),
      ("subscription S { ...M @unmask } fragment M on Node { ...N } fragment N on Node { id }", 18),
      ("subscription S { ...M } fragment M on Subscription { ...N } fragment N on Node { id }", 54),
      ("subscription S { ...N @unmask ...N } fragment N on Node { id }", 31),
    ])
  func subscription(document: String, column: Int) throws {
    #expect(
      try Generator(schema, document).errors == [
        "a.graphql:1:\(column): error: The fragment \"N\" needs the name of the object's type, but a "
          + "subscription selects one field only. Spread it with @unmask, or write it on "
          + "\"Subscription\"."
      ])
  }

  @Test(
    "A fragment that queries can spread is sent with that name, also unmasked (G7)",
    arguments: [
      ("subscription S { ...N @unmask } fragment N on Node { id }", 18),
      ("subscription S { ...N } fragment N on Node { id }", 18),
      ("subscription S { ... on Node { ...N @unmask } } fragment N on Node { id }", 32),
      (
        "subscription S { ...M @unmask } fragment M on Subscription { ...N @unmask } "
          + "fragment N on Node { id }", 18
      ),
    ])
  func sharedWithQueries(document: String, column: Int) throws {
    let schema = schema.replacing("type Query", with: "type Query implements Node")
    let error =
      ": error: The fragment \"N\" needs the name of the object's type, but a subscription selects "
      + "one field only. Write it on \"Subscription\"."
    let errors = try Generator(schema, document).errors
    #expect(errors.contains("a.graphql:1:\(column)\(error)"))
  }

  @Test(
    "A subscription may spread its fields, and any fragment below them (G7)",
    arguments: [
      "subscription S { ...N @unmask } fragment N on Node { id }",
      "subscription S { ...M } fragment M on Subscription { id }",
      "subscription S { added { ...N } } fragment N on Node { id }",
    ])
  func other(document: String) throws {
    #expect(try Generator(schema, document).errors == [])
  }
}
