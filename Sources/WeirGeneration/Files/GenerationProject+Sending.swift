package import GraphQLLanguage
import GraphQLValidation

extension GenerationProject.Parsed {
  /// The operations and fragments of the module, and the fragments of those below that they need, as
  /// generated code sends them.
  package func definitionsAsSent(_ configuration: GenerationConfiguration) -> [Definition] {
    let imported = ImportedModules(modules, below: schema, configuration)
    let types = TypeSystem(schema + imported.schema)
    let own = documents.flatMap(\.document.definitions).filter(\.isExecutable)
    let all = Documents(documents, configuration, imported: imported)
    let below = imported.fragments.flatMap { module, files in
      let compiled = imported.compiledSchema(of: module, in: types)
      return all.needed(files, of: module).flatMap(\.document.definitions)
        .map { $0.asSent(in: compiled) }
    }
    return own.map { $0.asSent(in: types) } + below
  }
}
