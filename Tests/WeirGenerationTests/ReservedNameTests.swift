import GraphQLValidation
import Testing
import Weir
import WeirGeneration

@Suite("Names that generated code needs")
struct ReservedNameTests {
  private func text(
    _ schema: String, _ document: String, _ json: String = "{}"
  ) throws -> String {
    let generator = Generator(
      schema: [try SourceFile(path: "s.graphqls", parsing: schema)],
      documents: [try SourceFile(path: "a.graphql", parsing: document)],
      configuration: try GenerationConfiguration(parsing: json, path: "weir.json"))
    #expect(!generator.findings.contains { $0.severity == .error }, "\(generator.findings)")
    return generator.files.map(\.text).joined()
  }

  @Test(
    "Operations and fragments cannot hide what the files for the schema and for caches name (G7)",
    arguments: [
      "ArgumentName", "FieldName", "GeneratedNames", "GeneratedObject", "GeneratedType",
      "GraphQLSchema", "MutationName", "NormalizedCacheConfiguration",
    ])
  func definitions(name: String) throws {
    let schema = "type Query { a: Int }"
    #expect(try text(schema, "query \(name) { a }").contains("struct \(name)_: GeneratedQuery"))
    let configuration = try GenerationConfiguration(
      parsing: "{\"namespace\": \"\(name)\"}", path: "weir.json")
    let generator = Generator(
      schema: [try SourceFile(path: "s.graphqls", parsing: schema)], documents: [],
      configuration: configuration)
    #expect(generator.findings.map(\.line) == [1])
  }

  @Test("Fields and arguments cannot hide the initializers of names for caches (G7)")
  func cacheNames() throws {
    let schema = """
      type Query { FieldName(ArgumentName: Int): Int MutationName: Int }
      type Mutation { MutationName(ArgumentName: Int FieldName: Int): Int FieldName: Int }
      """
    let cache = try text(
      schema, "query Q { FieldName MutationName } mutation M { MutationName FieldName }",
      "{\"normalizedCache\": true}")
    for line in [
      "var FieldName_: FieldName<Schema.Query, Int?> { FieldName(\"FieldName\") }",
      "var MutationName: FieldName<Schema.Query, Int?>",
      "var MutationName_: MutationName<Schema.Mutation.MutationNameArguments>",
      "var FieldName: MutationName<", "var ArgumentName_: ArgumentName { ArgumentName(",
      "var FieldName: ArgumentName ",
    ] { #expect(cache.contains(line), "\(line)") }
  }

  @Test("A nested type cannot hide the type of ID (G10)")
  func ids() throws {
    let schema = "type Query { bookID: Book } type Book { id: ID! }"
    let document = "query Q { bookID { id } }"
    let own = try text(schema, document, "{\"ids\": \"BookID\"}")
    #expect(own.contains("var bookID: BookID_?") && own.contains("var id: BookID\n"))
    #expect(try text(schema, document).contains("var bookID: BookID?"))
  }
}
