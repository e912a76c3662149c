import GraphQLValidation
import WeirGeneration

extension Generator {
  /// Makes a generator for the files `s.graphqls` and `a.graphql` with these texts.
  init(_ schema: String, _ document: String) throws {
    self.init(
      schema: [try SourceFile(path: "s.graphqls", parsing: schema)],
      documents: [try SourceFile(path: "a.graphql", parsing: document)])
  }
}
