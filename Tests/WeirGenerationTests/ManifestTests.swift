import GraphQLLanguage
import GraphQLValidation
import Testing
import Weir
import WeirGeneration

@testable import WeirTool

@Suite("Manifests of generated operations")
struct ManifestTests {
  @Test("A manifest of the documents contains the texts that generated operations send (T7)")
  func texts() throws {
    let documents = try Fixture.documents()
    let schema = try SourceFile(path: "schema.graphqls", parsing: Fixture.schemaText())
    let manifest = try PersistedManifest(
      GenerationProject.Parsed(schema: [schema], documents: documents), Fixture.configuration)
    #expect(manifest.entries.count == documents.flatMap(\.document.operations).count)
    let sent = [
      Abstract().operation(), Conditions(a: true, b: false).operation(), Fields().operation(),
      Merging(a: true).operation(), Partial(full: true).operation(),
      Posts(withAuthor: true).operation(),
      Rename(id: "1", title: "A").operation(), RootFragment().operation(),
      Search(text: "A").operation(), PostChanged().operation(), Unmask().operation(),
    ]
    for operation in sent {
      #expect(manifest.id(of: operation) != nil, "\(operation.name ?? "")")
    }
  }

  @Test("Each directive that every schema has in documents is either sent or removed (T7)")
  func directives() throws {
    let places: [DirectiveLocation: String] = [
      .query: "query Q % { a }", .mutation: "mutation Q % { a }",
      .subscription: "subscription Q % { a }", .variableDefinition: "query Q($v: Int %) { a }",
      .field: "query Q { a % }", .inlineFragment: "query Q { ... % { a } }",
      .fragmentSpread: "query Q { ...F % } fragment F on Query { a }",
      .fragmentDefinition: "query Q { ...F } fragment F on Query % { a }",
    ]
    let schema = try SourceFile(path: "s.graphqls", parsing: "type Query { a: Int }")
    var sent: Set<String> = []
    for directive in TypeSystem([schema]).directives.values {
      let name = "@\(directive.name)"
      // Only `@connection` has other required arguments than `if`.
      let use = directive.name == "connection" ? #"\#(name)(key: "k")"# : "\(name)(if: true)"
      for place in directive.locations.compactMap({ places[$0] }) {
        let document = try SourceFile(path: "a.graphql", parsing: place.replacing("%", with: use))
        let manifest = try PersistedManifest(
          GenerationProject.Parsed(schema: [schema], documents: [document]),
          GenerationConfiguration())
        if manifest.entries[0].text.contains(name) { sent.insert(name) }
      }
    }
    #expect(sent == ["@skip", "@include", "@defer", "@stream"])
  }

  @Test("A manifest without an operation that cannot be sent is not made (T7)")
  func incomplete() throws {
    let kit = try GenerationModule.named(
      "Kit", "fragment Row on Query { a ...Missing }", schema: "type Query { a: Int }")
    let document = "query One { a } query Two { ...Row }"
    let parsed = GenerationProject.Parsed(
      schema: [], documents: [try SourceFile(path: "a.graphql", parsing: document)], modules: [kit])
    let failure = #expect(throws: ToolFailure.self) {
      try PersistedManifest(parsed, GenerationConfiguration())
    }
    #expect(
      failure?.findings.map(\.message) == [
        "The manifest cannot be written, because an operation cannot be sent: The fragment Missing is "
          + "not defined."
      ])
  }
}
