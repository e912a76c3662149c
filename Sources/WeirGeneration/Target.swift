import GraphQLLanguage
import GraphQLValidation

/// The module that code is generated for, with all that its files have in common.
struct Target {
  let schema: TypeSystem
  let sources: [SourceFile]
  let configuration: GenerationConfiguration
  let imported: ImportedModules
  let documents: Documents
  let keys: EntityKeys
  let redirects: FieldRedirects
  /// The documents of this module, then the fragments of others that they need.
  private let all: [SourceFile]

  init(
    _ schema: TypeSystem, _ sources: [SourceFile], _ configuration: GenerationConfiguration,
    _ imported: ImportedModules
  ) {
    (self.schema, self.sources, self.imported) = (schema, sources, imported)
    self.configuration = configuration
    let documents = Documents(sources, configuration, imported: imported)
    self.documents = documents
    all = sources + imported.fragments.flatMap { documents.needed($0.files, of: $0.module) }
    keys = EntityKeys(schema, configuration)
    redirects = FieldRedirects(schema, configuration)
  }

  /// Validates the documents with the fragments of other modules.
  ///
  /// Mistakes that these fragments have without the documents are left out, because their modules
  /// report them. Mistakes that the use of a fragment causes are not: the server would refuse the
  /// operation.
  func validate(isComplete: Bool) -> [GenerationFinding] {
    let rules = GenerationConfiguration.defaultLevels.merging(configuration.lint) { $1 }
    var options = ValidationOptions(
      rules: rules, keys: keys.required, isComplete: isComplete)
    options.renamedTypes = Namespace.reserved(configuration)
    let foreign = Array(all.dropFirst(sources.count))
    let known = Set(foreign.isEmpty ? [] : schema.validate(foreign, options: options))
    let own = Set(sources.map(\.path))
    return schema.validate(all, options: options).filter { !known.contains($0) }
      .map { GenerationFinding($0.placed(in: own).withCure) }
  }

  /// Generates the files.
  func files(_ tasks: Int, _ findings: inout [GenerationFinding]) -> [GeneratedFile] {
    let names = TypeNames(schema, configuration, imported: imported.names)
    var files: [GeneratedFile] = []
    var use = SchemaUse()
    use.add(configuration.schemaTypes, of: schema)
    let empty = DocumentText(documents, configuration, names)
    let written = sources.concurrentMap(tasks: tasks) { source in
      var document = empty
      let text = document.write(source)
      return (text: text, document: document)
    }
    for (source, (text, document)) in zip(sources, written) {
      files.append(GeneratedFile(name: Generator.fileName(source.path), text: text))
      findings += document.findings
      use.add(document.names.used, document.selected)
    }
    use.add([], documents.importedSelections(from: sources, schema))
    if configuration.normalizedCache == true {
      use.addFieldTypes(of: schema, besides: Set(imported.names.composites.keys))
    }
    let types = use.types(of: schema).filter { imported.names.types[$0.name] == nil }
    let places = NumberedFiles()
    findings += unknownScalars(types, places) + undefinedTypes(types, places)
    findings += endlessInputs(types, places)
    let cached = CacheSchema(schema, use.fields.keys)
    var schemaText = SchemaText(configuration, names)
    var cacheText = CacheText(configuration, names)
    let texts = [
      schemaText.schemaFile(types, cached.text), schemaText.enumFile(types),
      schemaText.inputFile(types), cacheText.file(use, keys, redirects, known: cached),
    ]
    return files + zip(Generator.schemaFileNames, texts).map { GeneratedFile(name: $0, text: $1) }
  }

  private func unknownScalars(
    _ types: [SchemaType], _ places: NumberedFiles
  ) -> [GenerationFinding] {
    let scalars = ScalarTypes(configuration)
    return types.filter { $0.kind == .scalar && !scalars.isKnown($0.name) }.map { type in
      GenerationFinding(
        "The scalar \"\(type.name)\" has no Swift type and becomes a JSONValue. Name its type in "
          + "weir.json: \"scalars\": {\"\(type.name)\": \"…\"}.", severity: .warning,
        places[type.place.file], type.place.location)
    }
  }

  /// The findings for fields of input objects whose type the schema does not define.
  private func undefinedTypes(
    _ types: [SchemaType], _ places: NumberedFiles
  ) -> [GenerationFinding] {
    types.flatMap { type in
      type.inputFields.filter { schema.type(of: $0.type) == nil }.map {
        GenerationFinding(
          schema.undefinedType($0.type, of: $0.name, in: type, isScalar: true), places[$0.file],
          $0.definition.location)
      }
    }
  }

  /// Swift has no types for such inputs either. The server's schema breaks the specification (section
  /// 3.10), which matters only where the code needs them.
  private func endlessInputs(
    _ types: [SchemaType], _ places: NumberedFiles
  ) -> [GenerationFinding] {
    let inputs = types.filter { $0.kind == .inputObject }
    let endless = inputs.isEmpty ? [] : schema.inputsWithoutValue
    return inputs.filter { endless.contains($0.name) }.map { type in
      GenerationFinding(
        "No request can give the input object \"\(type.name)\", because its values never end. Ask "
          + "the server for a nullable field, or do not use it.", places[type.place.file],
        type.place.location)
    }
  }
}

extension Diagnostic {
  /// The diagnostic with a cure that the validation does not know.
  fileprivate var withCure: Diagnostic {
    var copy = self
    if rule == "fragment-spread-target-defined" {
      copy.message +=
        " If another module has it, this module must depend on that one, which needs a weir.json."
    }
    return copy
  }

  /// Returns the diagnostic at the first of its places in some files, so that the author of these sees
  /// it; as it is, if no place is there.
  fileprivate func placed(in paths: Set<String>) -> Diagnostic {
    guard !paths.contains(place.path),
      let index = related.firstIndex(where: { paths.contains($0.path) })
    else { return self }
    var copy = self
    (copy.place, copy.related[index]) = (related[index], place)
    return copy
  }
}
