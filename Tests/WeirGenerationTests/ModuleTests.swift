import GraphQLValidation
import Testing
import WeirGeneration

@Suite("Modules that share a schema")
struct ModuleTests {
  private static let schema = """
    type Query { books(filter: Filter): [Book!]! node: Node }
    interface Node { id: ID! }
    type Book implements Node { id: ID! title: String! genre: Genre! author: Author price: Money }
    type Author { id: ID! name: String! item: Item }
    union Item = Book | Author
    enum Genre { FICTION }
    input Filter { genre: Genre inner: Inner }
    input Inner { text: String }
    scalar Money
    """

  private func kit(
    _ json: String =
      "{\"access\": \"public\", \"namespace\": \"Library\", \"schemaTypes\": \"all\"}",
    name: String = "Kit", document: String = "fragment Row on Book { title author { name } }"
  ) throws -> GenerationModule {
    GenerationModule(
      name: name,
      schema: name == "Kit"
        ? [try SourceFile(path: "/Kit/schema.graphqls", parsing: Self.schema)] : [],
      documents: [try SourceFile(path: "/\(name)/Row.graphql", parsing: document)],
      configuration: try GenerationConfiguration(parsing: json, path: "/\(name)/weir.json"))
  }

  private func feature(
    _ document: String, on modules: GenerationModule..., schema: [SourceFile] = [],
    json: String = "{\"namespace\": \"Own\"}"
  ) throws -> Generator {
    Generator(
      schema: schema, documents: [try SourceFile(path: "a.graphql", parsing: document)],
      configuration: try GenerationConfiguration(parsing: json, path: "weir.json"),
      dependencies: modules)
  }

  private func text(_ generator: Generator, _ name: String) throws -> String {
    #expect(generator.findings.map(\.description) == [])
    return try #require(generator.files.first { $0.name == name }).text
  }

  @Test("A fragment of another module is imported, and not generated again (G7)")
  func fragment() throws {
    let generator = try feature("query A { books { id ...Row } }", on: kit())
    let text = try text(generator, "a.graphql.swift")
    #expect(text.contains("\nimport Kit\n"))
    #expect(text.contains("fragments: [Row.document]") && text.contains("var row: Row"))
    #expect(!generator.files.contains { $0.text.contains("struct Row") })
    // Caches know the types that the fragment selects.
    let schema = try self.text(generator, "WeirSchema.swift")
    #expect(schema.contains("type Author{id:ID!name:String!item:Item}"))
    let shared = try feature(
      "query A { books { ...Row } }", on: kit(),
      json: "{\"namespace\": \"Own\", \"access\": \"public\"}")
    #expect(try self.text(shared, "a.graphql.swift").contains("\npublic import Kit\n"))
  }

  @Test("What the code names of another module is imported by its name, too (G7)")
  func declarations() throws {
    // Weir, Foundation and other modules may have types of these names, too.
    let fragments = "fragment Subscription on Book { id } fragment Unit on Book { id }"
    let other = try kit(document: fragments)
    let generator = try feature(
      "query A { books { ...Subscription ...Unit @unmask genre } }", on: other,
      json: "{\"namespace\": \"Own\", \"access\": \"public\"}")
    #expect(
      try text(generator, "a.graphql.swift").contains(
        """

        public import Kit
        public import Weir
        public import enum Kit.Library
        public import struct Kit.Subscription
        public import struct Kit.Unit
        """))
    let unused = try feature("query A { node { id } }", on: other)
    #expect(try !text(unused, "a.graphql.swift").contains("Kit"))
  }

  @Test("The module of a fragment that an unmasked one spreads is imported (G7)")
  func unmasked() throws {
    let other = try kit(
      "{\"access\": \"public\", \"namespace\": \"Other\"}", name: "Other",
      document: "fragment F on Book { id ...Row }")
    let generator = try feature("query A { books { ...F @unmask } }", on: kit(), other)
    let text = try text(generator, "a.graphql.swift")
    #expect(text.contains("\nimport Kit\nimport Other\n"))
    #expect(text.contains("row: Row") && text.contains("fragments: [F.document]"))
  }

  @Test("Types of the schema that another module shares are imported (G7)")
  func types() throws {
    let document =
      "query A($filter: Filter) { books(filter: $filter) { genre } node { ...on Node @skip(if: true) { id } } }"
    let all = try feature(document, on: kit())
    let text = try text(all, "a.graphql.swift")
    #expect(text.contains("genre: Library.Genre") && text.contains("Input<Library.Filter>"))
    #expect(text.contains("\nimport Kit\n"))
    #expect(
      !all.files.contains { $0.text.contains("enum Genre") || $0.text.contains("struct Filter") })
    // An input object in a list brings those that it contains.
    let list = try kit(
      "{\"access\": \"public\", \"namespace\": \"Library\", \"schemaTypes\": [\"Filter\"]}")
    #expect(
      try self.text(feature(document, on: list), "a.graphql.swift").contains("Library.Genre"))
    let genres = try kit(
      "{\"access\": \"public\", \"namespace\": \"Library\", \"schemaTypes\": [\"Genre\"]}")
    let some = try feature(document, on: genres)
    let inputs = try self.text(some, "WeirInputs.swift")
    #expect(inputs.contains("struct Filter") && inputs.contains("Input<Library.Genre>"))
    #expect(inputs.contains("struct Inner") && inputs.contains("\nimport Kit\n"))
    // A type that is not shared is generated in each module that uses it.
    let used = try feature(
      document, on: kit("{\"access\": \"public\", \"namespace\": \"Library\"}"))
    #expect(try self.text(used, "WeirEnums.swift").contains("enum Genre"))
  }

  @Test("A scalar's type that the module below names without a module is found there (G7)")
  func unqualified() throws {
    let json = { (type: String) in
      """
      {"access": "public", "namespace": "Library", "scalars": {"Money": "\(type)"},
       "imports": ["Coins"]}
      """
    }
    let document = "query A { books { title price } }"
    let own = "{\"namespace\": \"Own\", \"access\": \"public\"}"
    let money = try feature(document, on: kit(json("Money")), json: own)
    let text = try text(money, "a.graphql.swift")
    #expect(text.contains("price: Money?"))
    #expect(text.contains("\npublic import Coins\npublic import Kit\npublic import Weir\n"))
    #expect(try self.text(money, "WeirSchema.swift").contains("\ninternal import Kit\n"))
    let number = try feature(document, on: kit(json("Int64")), json: own)
    #expect(try !self.text(number, "a.graphql.swift").contains("import Kit"))
  }

  @Test("Scalars and keys are those of the module below, unless a module has its own (G7)")
  func inherited() throws {
    let json = """
      {"access": "public", "namespace": "Library", "scalars": {"Money": "Kit.Money"},
       "keys": {"Book": "title"}}
      """
    let generator = try feature("query A { books { title price } }", on: kit(json))
    let text = try text(generator, "a.graphql.swift")
    #expect(text.contains("price: Kit.Money?") && text.contains("\nimport Kit\n"))
    let own = try feature(
      "query A { books { title price } }", on: kit(json),
      json: "{\"namespace\": \"Own\", \"scalars\": {\"Money\": \"Swift.Int\"}}")
    #expect(try self.text(own, "a.graphql.swift").contains("price: Swift.Int?"))
    #expect(
      try feature("query A { books { price } }", on: kit(json)).findings.map(\.message) == [
        "\"Book\" is selected without its key \"title\", so a normalized cache cannot store it as an "
          + "entity. [require-key]"
      ])
  }

  @Test("Names for caches are imported if the other module has them (G7)")
  func markers() throws {
    let json = "{\"namespace\": \"Own\", \"normalizedCache\": true}"
    let document = "query A { books { id title } }"
    let without = try text(feature(document, on: kit(), json: json), "WeirCache.swift")
    #expect(without.contains("enum Book") && without.contains("FieldName<Own.Query, [Own.Book]>"))
    let other = try kit(
      "{\"access\": \"public\", \"schemaTypes\": [\"Book\"], \"normalizedCache\": true}")
    let with = try text(feature(document, on: other, json: json), "WeirCache.swift")
    #expect(!with.contains("enum Book") && with.contains("FieldName<Own.Query, [Schema.Book]>"))
    #expect(with.contains("\nimport Kit\n"))
  }

  @Test("A type that another module mentions without sharing it is generated again (G7)")
  func mentioned() throws {
    let other = try kit(
      "{\"access\": \"public\", \"schemaTypes\": [\"Author\"], \"normalizedCache\": true}")
    let generator = try feature(
      "query A { books { id author { id item { ...on Node { id } ...on Author { id name } } } } }",
      on: other, json: "{\"namespace\": \"Own\", \"normalizedCache\": true}")
    let cache = try text(generator, "WeirCache.swift")
    #expect(cache.contains("enum Book") && !cache.contains("enum Author"))
    #expect(cache.contains("FieldName<Own.Book, Schema.Author?>"))
    #expect(try text(generator, "a.graphql.swift").contains("Own.Types.Item"))
    #expect(try text(generator, "WeirSchema.swift").contains("let Item = TypeSet"))
  }

  @Test("A module with a schema of its own takes nothing from others (G7)")
  func ownSchema() throws {
    let schema = [try SourceFile(path: "s.graphqls", parsing: "type Query { books: [Int!]! }")]
    let own = try feature("query A { books }", on: kit(), schema: schema)
    #expect(try text(own, "a.graphql.swift").contains("books: [Int]"))
    // Extensions belong to the schema of the module below.
    let more = [
      try SourceFile(path: "s.graphqls", parsing: "extend type Book { pages: Int }")
    ]
    let extended = try feature("query A { books { pages } }", on: kit(), schema: more)
    #expect(try text(extended, "a.graphql.swift").contains("pages: Int?"))
  }

  private func errors(_ generator: Generator) -> [String] {
    generator.findings.filter { $0.severity == .error }.map(\.description)
  }

  @Test("A fragment or type that a module cannot import is an error with its place (G7)")
  func mistakes() throws {
    let library = "\"namespace\": \"Library\""
    let spread = "query A { books { ...Row } }"
    #expect(
      errors(try feature(spread, on: kit("{\(library)}"))) == [
        "a.graphql:1:19: error: The fragment \"Row\" is in the module Kit, whose generated code is "
          + "internal. Add \"access\": \"public\" to its weir.json."
      ])
    #expect(
      errors(
        try feature("query A { books { id } }", on: kit("{\(library), \"schemaTypes\": \"all\"}")))
        == [
          "/Kit/weir.json: error: Another module uses the types that Kit shares by "
            + "\"schemaTypes\", but they are internal. Add \"access\": \"public\"."
        ])
    #expect(
      errors(try feature("query A { books { id } }", on: kit(), json: "{\(library)}")) == [
        "weir.json:1:15: error: The module Kit has the namespace \"Library\", too. Choose another "
          + "one: \"namespace\": \"…\"."
      ])
    #expect(
      errors(try feature("fragment Row on Book { id } \(spread)", on: kit())) == [
        """
        a.graphql:1:1: error: The module Kit has a fragment "Row", too. Rename one of them.
        /Kit/Row.graphql:1:1: note: The other one is here.
        """
      ])
    #expect(
      errors(
        try feature(
          spread, on: kit(),
          kit("{\"access\": \"public\", \"namespace\": \"Other\"}", name: "Other"))) == [
          "a.graphql:1:19: error: The modules Kit and Other have a fragment \"Row\". Rename one of "
            + "them."
        ])
  }

  @Test("Names that hide what the code uses of another module are an error with both places (G7)")
  func hidden() throws {
    let spread = "books { ...Row }"
    let fragment = "/Kit/Row.graphql:1:1: note: The other one is here."
    #expect(
      errors(try feature("query Row { \(spread) }", on: kit())) == [
        "a.graphql:1:1: error: The Swift type \"Row\" has two definitions. Rename one of them.\n"
          + fragment
      ])
    #expect(
      errors(try feature("query Library { \(spread) }", on: kit())) == [
        """
        a.graphql:1:1: error: The Swift type "Library" has two definitions. Rename one of them.
        /Kit/weir.json:1:35: note: The other one is here.
        """
      ])
    #expect(
      errors(try feature("query A { \(spread) }", on: kit(), json: "{\"namespace\": \"Row\"}")) == [
        "weir.json:1:15: error: \"Row\" is also a fragment that is used here. Choose another "
          + "namespace: \"namespace\": \"…\".\n\(fragment)"
      ])
    let other = try kit(
      "{\"access\": \"public\", \"namespace\": \"Other\"}", name: "Other",
      document: "fragment row on Book { id }")
    #expect(
      errors(try feature("query A { books { ...Row ...row } }", on: kit(), other)).contains(
        """
        a.graphql:1:19: error: The Swift type "Row" has two definitions. Rename one of them.
        /Other/Row.graphql:1:1: note: The other one is here.
        """))
    // What the code does not use cannot be hidden.
    #expect(errors(try feature("query Row { books { id } }", on: kit())) == [])
  }

  @Test(
    "A module below with another schema is an error; one with mistakes reports them itself (G7)")
  func severalSchemas() throws {
    let other = GenerationModule(
      name: "Other",
      schema: [try SourceFile(path: "/Other/s.graphqls", parsing: "type Query { other: Int }")],
      documents: [], configuration: GenerationConfiguration())
    #expect(
      errors(try feature("query A { books { id } }", on: kit(), other)) == [
        "weir.json: error: The modules Kit and Other have schemas of their own, and it is not clear "
          + "which one this module uses. Add the schema to its folder."
      ])
    // A mistake in the other module is reported when that is built.
    let broken = try kit(document: "fragment Row on Book { titel }")
    #expect(errors(try feature("query A { books { id } }", on: broken)) == [])
  }
}
