import GraphQLLanguage
import GraphQLValidation

/// The types of the schema that a module contains because it shares them, except those that other
/// modules extend: its code was generated without these extensions.
struct SharedTypes {
  /// Whether the module shares no types, extended ones included.
  let isEmpty: Bool
  let namespace: Namespace
  /// The enumerations, input objects, interfaces and unions.
  let names: [String]
  /// The objects, interfaces and unions whose fields all have names for caches.
  let composites: [String]

  /// Finds the types of a module.
  ///
  /// - Parameters:
  ///   - module: the module.
  ///   - configuration: the one that its code was generated with.
  ///   - compiled: the schema that its code was generated from.
  ///   - schema: the same with all extensions.
  init(
    _ module: GenerationModule, _ configuration: GenerationConfiguration, _ compiled: TypeSystem,
    in schema: TypeSystem
  ) {
    let comparison = Comparison(compiled: compiled, extended: schema)
    var use = SchemaUse()
    use.add(module.configuration.schemaTypes, of: compiled)
    let types = use.types(of: compiled).filter { $0.kind != .scalar }
    isEmpty = types.isEmpty && use.fields.isEmpty
    namespace = Namespace(configuration, compiled, module: module.name)
    names = comparison.equal(types)
    composites =
      module.configuration.normalizedCache == true
      ? use.composites(of: compiled).filter { type, fields in
        type.fields.count == fields.count && !comparison.hasMoreParts(type)
      }.map(\.type.name) : []
  }
}

/// Compares the types of a schema with those of the same one with more extensions.
private struct Comparison {
  let compiled: TypeSystem
  let extended: TypeSystem

  func hasMoreParts(_ type: SchemaType) -> Bool {
    type.parts.count != extended.types[type.name]?.parts.count
  }

  /// The names of the types for which the same code would be generated.
  func equal(_ types: [SchemaType]) -> [String] {
    var changed = Set(types.filter { hasMoreParts($0) || hasMoreObjects($0) }.map(\.name))
    var count: Int
    repeat {
      // A field of an input object takes values of the extended type only if the input object is
      // generated again, too.
      count = changed.count
      for type in types {
        let contained = type.inputFields.lazy.map(\.type.namedType)
        if contained.contains(where: changed.contains) { changed.insert(type.name) }
      }
    } while changed.count > count
    return types.map(\.name).filter { !changed.contains($0) }
  }

  private func hasMoreObjects(_ type: SchemaType) -> Bool {
    type.isAbstract
      && Set(compiled.possibleTypes(of: type.name)) != Set(extended.possibleTypes(of: type.name))
  }
}
