import GraphQLLanguage
package import GraphQLValidation

/// A module that the one that code is generated for depends on, with generated code of its own.
package struct GenerationModule: Sendable {
  /// The name of the module.
  package let name: String
  /// The schema in its folder.
  package let schema: [SourceFile]
  /// The documents in its folder.
  package let documents: [SourceFile]
  /// Its `weir.json`.
  package let configuration: GenerationConfiguration

  /// Describes a module.
  package init(
    name: String, schema: [SourceFile], documents: [SourceFile],
    configuration: GenerationConfiguration
  ) {
    (self.name, self.schema, self.documents) = (name, schema, documents)
    self.configuration = configuration
  }
}

/// The schema, the fragments and the types of the schema that a module takes from those that it depends
/// on.
///
/// A module that defines types of the schema itself has a schema of its own, and takes nothing.
struct ImportedModules {
  private(set) var modules: [GenerationModule] = []
  private(set) var findings: [GenerationFinding] = []
  /// The types of the schema that the modules contain.
  private(set) var names = ImportedNames()
  /// The modules that contain some of them.
  private(set) var sharing: [GenerationModule] = []

  init(
    _ dependencies: [GenerationModule], below schema: [SourceFile],
    _ configuration: GenerationConfiguration
  ) {
    guard !schema.contains(where: \.definesTypes) else { return }
    let lowest = dependencies.filter(\.definesTypes)
    // The lowest one first, in whatever order they were named: the others use the types that it shares.
    modules = lowest + dependencies.filter { !$0.definesTypes }
    let schemas = lowest.map(\.name)
    guard schemas.count > 1 else { return }
    findings.append(
      GenerationFinding(
        "The modules \(schemas.joined(separator: " and ")) have schemas of their own, and it is not "
          + "clear which one this module uses. Add the schema to its folder.",
        path: configuration.source.path))
  }

  var schema: [SourceFile] { modules.flatMap(\.schema) }

  /// The files with the modules' fragments only. Their operations need not fit this module.
  var fragments: [(module: GenerationModule, files: [SourceFile])] {
    modules.map { module in
      let files = module.documents.map { file in
        let fragments = file.document.definitions.filter {
          if case .fragment = $0 { true } else { false }
        }
        return SourceFile(
          path: file.path, document: Document(definitions: fragments), text: file.text)
      }
      return (module, files)
    }
  }

  /// Finds the types of the schema that the modules contain because they say so.
  mutating func addTypes(of schema: TypeSystem, for configuration: GenerationConfiguration) {
    for module in modules {
      let other = module.configuration
      if other.namespace == configuration.namespace {
        findings.append(
          configuration.finding(
            "The module \(module.name) has the namespace \"\(other.namespace)\", too. Choose "
              + "another one: \"namespace\": \"…\".", .namespace))
      }
      if other.schemaTypes == .used { continue }
      let shared = SharedTypes(
        module, self.configuration(of: module), compiledSchema(of: module, in: schema), in: schema)
      if shared.isEmpty { continue }
      if other.access != .public {
        findings.append(
          GenerationFinding(
            "Another module uses the types that \(module.name) shares by \"schemaTypes\", but they "
              + "are \(other.access.rawValue). Add \"access\": \"public\".", path: other.source.path
          ))
      }
      sharing.append(module)
      for name in shared.names where names.types[name] == nil {
        names.types[name] = shared.namespace
      }
      for name in shared.composites where names.composites[name] == nil {
        names.composites[name] = shared.namespace
      }
    }
  }

  /// The configuration that a module's code was generated with: that of the lowest module is a part of
  /// it. Scalars of third modules that the module depends on are not known here.
  func configuration(of module: GenerationModule) -> GenerationConfiguration {
    var configuration = module.configuration
    if !module.definesTypes { configuration.inherit(from: modules.filter(\.definesTypes)) }
    return configuration
  }

  /// The schema that a module's code was generated from. It may lack extensions in third modules that
  /// the module depends on, which are not known here: then some types are generated again.
  func compiledSchema(of module: GenerationModule, in schema: TypeSystem) -> TypeSystem {
    let files = modules.filter { $0.name == module.name || $0.definesTypes }.flatMap(\.schema)
    return files.count == schema.sources.count ? schema : TypeSystem(files)
  }
}

extension GenerationModule {
  /// Whether the module has a schema of its own.
  fileprivate var definesTypes: Bool { schema.contains(where: \.definesTypes) }
}

extension SourceFile {
  /// Whether the file has more of a schema than extensions.
  fileprivate var definesTypes: Bool {
    document.definitions.contains { if case .type = $0 { true } else { false } }
  }
}

extension GenerationConfiguration {
  /// Takes over the scalars and the keys of the modules below, unless this one has its own. Those of the
  /// first module, the lowest one, yield to those of the others.
  mutating func inherit(from modules: [GenerationModule]) {
    ids = ids ?? modules.compactMap(\.configuration.ids).last
    for module in modules.reversed() {
      scalars.merge(module.configuration.scalars) { own, _ in own }
      keys.merge(module.configuration.keys) { own, _ in own }
    }
    // A type without a module is one of the module that names it, or of those that this one imports.
    for module in modules {
      let other = module.configuration
      let types = other.scalars.filter { scalars[$0.key] == $0.value }.map(\.value)
      let ids = other.ids.map { $0 == self.ids ? [$0] : [] } ?? []
      guard (types + ids).contains(where: UsedModules.isUnknown) else { continue }
      imports += [module.name] + other.imports
    }
  }
}
