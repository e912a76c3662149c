import Testing
import WeirGeneration

@Suite("Types of the schema that a module extends")
struct ExtendedTypeTests {
  private let kit = Kit(
    json: """
      {"namespace": "Library", "access": "public", "schemaTypes": "all", "normalizedCache": true}
      """,
    schema: """
      type Query { item: Item genres(filter: Filter, outer: Outer): [Genre!]! name: String }
      interface Node { id: ID! }
      interface Named { name: String! }
      type Book implements Node { id: ID! genre: Genre! }
      type Author implements Named { id: ID! name: String! }
      union Item = Book | Author
      enum Genre { FICTION }
      input Filter { genre: Genre }
      input Outer { filter: Filter }
      input Page { first: Int }
      """, fragments: "fragment Row on Book { id }")

  @Test("An interface that more objects implement is generated with them (G7)")
  func interface() throws {
    let query = "query A { item { ...on Node { id } ...on Named { name } } }"
    let generator = try kit.feature(query, extensions: "extend type Author implements Node")
    #expect(generator.errors == [])
    let text = try #require(generator.text("a.graphql.swift"))
    #expect(text.contains("on: Own.Types.Node, of: Library.Types.Item"))
    #expect(text.contains("on: Library.Types.Named, of: Library.Types.Item"))
    let schema = try #require(generator.text("WeirSchema.swift"))
    #expect(schema.contains("static let Node = TypeSet(\"Author Book\")"))
    #expect(!schema.contains("static let Named"))
    let usual = try #require(try kit.feature(query).text("a.graphql.swift"))
    #expect(usual.contains("on: Library.Types.Node"))
  }

  @Test("An enumeration or an input object with more members is generated with them (G7)")
  func members() throws {
    let query = "query A($filter: Filter) { genres(filter: $filter) }"
    let enumeration = try kit.feature(query, extensions: "extend enum Genre { NEW }")
    #expect(enumeration.errors == [])
    #expect(enumeration.text("WeirEnums.swift")?.contains("case new\n") == true)
    #expect(enumeration.text("a.graphql.swift")?.contains("genres: [Own.Genre]") == true)
    // An input object whose fields have an extended type has to take its values.
    #expect(enumeration.text("WeirInputs.swift")?.contains("Input<Own.Genre>") == true)
    let input = try kit.feature(
      "query A($outer: Outer) { genres(outer: $outer) }",
      extensions: "extend input Filter { page: Page }")
    #expect(input.errors == [])
    let inputs = try #require(input.text("WeirInputs.swift"))
    #expect(inputs.contains("struct Filter: InputObject"))
    #expect(inputs.contains("var page: Input<Library.Page>"))
    #expect(inputs.contains("struct Outer: InputObject") && !inputs.contains("struct Page"))
    #expect(inputs.contains("Input<Library.Genre>"))
  }

  @Test("The new fields of an object have names for caches (G9)")
  func fields() throws {
    let json = #"{"namespace": "Own", "normalizedCache": true}"#
    let generator = try kit.feature(
      "query A { item { ...on Book { pages } ...on Author { name } } }", json: json,
      extensions: "extend type Book { pages: Int }")
    #expect(generator.errors == [])
    let cache = try #require(generator.text("WeirCache.swift"))
    #expect(cache.contains("var pages: FieldName<Own.Book, Int?>"))
    #expect(!cache.contains("enum Author") && !cache.contains("enum Query"))
  }

  @Test("A type that shared types reach only by an extension is not shared (G7)")
  func reached() throws {
    var kit = kit
    kit.json = #"{"namespace": "Library", "access": "public", "schemaTypes": ["Page"]}"#
    let generator = try kit.feature(
      "query A($filter: Filter) { genres(filter: $filter) }",
      extensions: "extend input Page { genre: Genre }")
    #expect(generator.errors == [])
    #expect(generator.text("a.graphql.swift")?.contains("genres: [Own.Genre]") == true)
  }
}
