import GraphQLValidation
import Testing
import WeirGeneration

@Suite("The order of modules")
struct ModuleOrderTests {
  private static let schema = """
    type Query { offers(filter: Filter): [Offer!]! }
    type Offer { id: ID! amount: Amount kind: Kind }
    input Filter { kind: Kind }
    enum Kind { NEW }
    scalar Amount
    """

  /// The text that is generated for a document, which must not depend on the order of the modules.
  private func text(_ document: String, _ modules: GenerationModule...) throws -> String {
    let texts = try [modules, modules.reversed()].map { modules in
      let generator = Generator(
        schema: [], documents: [try SourceFile(path: "a.graphql", parsing: document)],
        dependencies: modules)
      #expect(generator.findings == [])
      return generator.text("a.graphql.swift") ?? ""
    }
    #expect(texts[0] == texts[1])
    return texts[0]
  }

  @Test("A fragment that a scalar of the lowest module renames has that name everywhere (G7)")
  func scalars() throws {
    let base = try GenerationModule.named(
      "Base", schema: Self.schema,
      json: #"{"namespace": "Base", "access": "public", "scalars": {"Amount": "Price"}}"#)
    let text = try text(
      "query A { offers { ...Price } }", base,
      .named("Kit", "fragment Price on Offer { amount }"))
    #expect(text.contains("offers: [Price_]"))
  }

  @Test("A type that two modules list is the one of the lowest module (G7)")
  func types() throws {
    let base = try GenerationModule.named(
      "Base", schema: Self.schema,
      json: #"{"namespace": "BaseTypes", "access": "public", "schemaTypes": "all"}"#)
    let kit = try GenerationModule.named(
      "Kit",
      json: #"{"namespace": "KitTypes", "access": "public", "schemaTypes": ["Filter", "Kind"]}"#)
    let text = try text(
      "query A($filter: Filter) { offers(filter: $filter) { kind } }", base, kit)
    #expect(text.contains("Input<BaseTypes.Filter>") && text.contains("kind: BaseTypes.Kind?"))
    #expect(!text.contains("Kit"))
  }
}
