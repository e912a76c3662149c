import GraphQLLanguage
import GraphQLValidation
import Testing

@Suite struct TypeSystemTests {
  @Test func `Extensions are merged in any order, with their own files (V9)`() throws {
    let schema = TypeSystem([
      try SourceFile(path: "b.graphqls", parsing: "extend type Query { b: Node } union U = A"),
      try SourceFile(
        path: "a.graphqls",
        parsing: """
          type Query { a(first: Int = 1): [A!]! @deprecated(reason: "old") }
          interface Node { id: ID! } type A implements Node { id: ID! }
          extend union U = Query
          """),
    ])
    let query = try #require(schema.rootType(.query))
    #expect(query.fields.map(\.name) == ["b", "a"])
    #expect(query.field("b")?.file.path == "b.graphqls")
    #expect(query.place.file.path == "a.graphqls")
    #expect(query.field("a")?.deprecationReason == "old")
    #expect(query.field("a")?.argument("first")?.defaultValue == .int("1"))
    #expect(schema.possibleTypes(of: "Node") == ["A"])
    #expect(schema.possibleTypes(of: "U") == ["A", "Query"])
    #expect(schema.typeNames == ["Query", "U", "Node", "A"])
  }

  @Test func `Built-in scalars, directives and introspection belong to every schema (V9)`() throws {
    let schema = TypeSystem([
      try SourceFile(path: "s", parsing: "schema { query: Q } type Q { a: Int } scalar ID @a")
    ])
    let query = try #require(schema.rootType(.query))
    #expect(schema.types["String"]?.isBuiltIn == true)
    #expect(schema.types["ID"]?.isBuiltIn == false)
    #expect(schema.types["__Type"]?.field("kind") != nil)
    #expect(schema.directives["oneOf"]?.locations == [.inputObject])
    #expect(schema.field("__typename", of: query)?.type == .nonNull(.named("String")))
    #expect(schema.field("__type", of: query)?.argument("name")?.isRequired == true)
    #expect(schema.field("__schema", of: try #require(schema.types["__Type"])) == nil)
    #expect(schema.rootTypes == [.query: "Q"])
  }

  @Test func `Directives that clients and servers know need no definition (V9)`() throws {
    let schema = TypeSystem([
      try SourceFile(
        path: "s",
        parsing: """
          extend schema @link(url: "https://specs.apollo.dev/federation/v2.0", import: ["@key", { name: "@a" }])
          type Query @typePolicy(keyFields: "id") @fieldPolicy(forField: "a") { a: [Int] }
          """)
    ])
    #expect(schema.validate().isEmpty)
    let document = try SourceFile(
      path: "d",
      parsing: """
        query @apollo_client_ios_localCacheMutation {
          ... @defer(label: "l") { a @stream } ...F @unmask
        }
        fragment F on Query @apollo_client_ios_localCacheMutation { a }
        """)
    #expect(schema.validate([document]).isEmpty)
    #expect(schema.directives["defer"]?.isBuiltIn == true)
  }

  @Test func `The document of a schema without root types can be parsed (V9)`() throws {
    let product = "type Product {\n  id: ID!\n}"
    for schema in ["", "extend schema @link(url: \"x\")\n\n"] {
      let file = try SourceFile(path: "s", parsing: schema + product)
      let document = TypeSystem([file]).document
      #expect(document.canonicalText == schema + product)
      #expect(try Document(parsing: document.canonicalText) == document)
    }
  }

  @Test func `The purpose of a link is a value of an enumeration (V9)`() throws {
    let text = "type Query { a: Int } extend schema @link(url: \"u\", for: SECURITY)"
    #expect(TypeSystem([try SourceFile(path: "s", parsing: text)]).validate().isEmpty)
    let purposes = " enum link__Purpose { EXECUTION }"
    let found = TypeSystem([try SourceFile(path: "s", parsing: text + purposes)]).validate()
    #expect(found.map(\.rule) == ["values-of-correct-type"])
  }
}
