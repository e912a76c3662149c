import GraphQLValidation
import WeirGeneration

/// The module Kit, which has a schema and fragments that others use.
struct Kit {
  var json = #"{"namespace": "Library", "access": "public"}"#
  var schema = """
    type Query { books: [Book!]! item: Item }
    type Subscription { added: Book removed: Book }
    interface Node { id: ID! }
    type Book implements Node { id: ID! title: String! genre: Genre! cover(size: Int): String }
    type Author { id: ID! name: String! }
    union Item = Book | Author
    enum Genre { FICTION }
    """
  var fragments = "fragment Row on Book { id genre }"

  /// Generates code for a module above this one, whose schema consists of extensions.
  func feature(
    _ document: String, json: String = #"{"namespace": "Own"}"#, extensions: String? = nil
  ) throws -> Generator {
    Generator(
      schema: try extensions.map { [try SourceFile(path: "more.graphqls", parsing: $0)] } ?? [],
      documents: [try SourceFile(path: "a.graphql", parsing: document)],
      configuration: try GenerationConfiguration(parsing: json, path: "weir.json"),
      dependencies: [
        GenerationModule(
          name: "Kit", schema: [try SourceFile(path: "/Kit/schema.graphqls", parsing: schema)],
          documents: [try SourceFile(path: "/Kit/Row.graphql", parsing: fragments)],
          configuration: try GenerationConfiguration(parsing: self.json, path: "/Kit/weir.json"))
      ])
  }
}

extension GenerationModule {
  /// Makes a module with one document and one file of a schema at most. Its namespace is its name, and
  /// its types are public, unless it has another configuration.
  static func named(
    _ name: String, _ document: String? = nil, schema: String? = nil, json: String? = nil
  ) throws -> GenerationModule {
    GenerationModule(
      name: name,
      schema: try schema.map { [try SourceFile(path: "/\(name)/s.graphqls", parsing: $0)] } ?? [],
      documents: try document.map { [try SourceFile(path: "/\(name)/a.graphql", parsing: $0)] }
        ?? [],
      configuration: try GenerationConfiguration(
        parsing: json ?? #"{"namespace": "\#(name)", "access": "public"}"#,
        path: "/\(name)/weir.json"))
  }
}

extension Generator {
  /// The descriptions of the errors.
  var errors: [String] { findings.filter { $0.severity == .error }.map(\.description) }

  /// The text of a file; nil if there is none.
  func text(_ name: String) -> String? { files.first { $0.name == name }?.text }
}
