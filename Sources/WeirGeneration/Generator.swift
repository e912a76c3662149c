import GraphQLLanguage
public import GraphQLValidation

/// A file that was generated.
public struct GeneratedFile: Hashable, Sendable {
  /// The name of the file.
  public let name: String
  /// Its text.
  public let text: String
}

/// Generates Swift types for the operations and fragments of documents.
///
/// The result depends on nothing but the arguments: not on the order of the files, on places in the
/// file system, or on time.
public struct Generator: Sendable {
  /// What is wrong or odd, ordered by file and place.
  public let findings: [GenerationFinding]
  /// One file for each document, in their order, and four for the schema; empty if a finding is an
  /// error.
  public let files: [GeneratedFile]

  /// Validates the schema and the documents, and generates the files.
  ///
  /// - Parameters:
  ///   - schema: the schema, in any number of files.
  ///   - documents: the documents. Each has a path below the folder of the configuration, from which
  ///     the name of its file is made.
  ///   - configuration: how code is generated.
  public init(
    schema: [SourceFile], documents: [SourceFile],
    configuration: GenerationConfiguration = GenerationConfiguration()
  ) {
    let types = TypeSystem(schema)
    let keys = EntityKeys(types, configuration)
    // A fragment may be there for the cache, or for another module.
    let rules = ValidationOptions.recommended
      .merging(["fragments-must-be-used": .off]) { $1 }.merging(configuration.lint) { $1 }
    var findings = types.validate().map(GenerationFinding.init)
    findings += configuration.mistakes(in: types) + keys.findings
    let options = ValidationOptions(rules: rules, keys: keys.required)
    findings += types.validate(documents, options: options).map(GenerationFinding.init)
    var files: [GeneratedFile] = []
    if !findings.hasErrors {
      files = Self.files(types, documents, configuration, keys, &findings)
    }
    self.files = findings.hasErrors ? [] : files
    self.findings = findings.sorted {
      ($0.path, $0.line, $0.column) < ($1.path, $1.line, $1.column)
    }
  }

  private static func files(
    _ schema: TypeSystem, _ sources: [SourceFile], _ configuration: GenerationConfiguration,
    _ keys: EntityKeys, _ findings: inout [GenerationFinding]
  ) -> [GeneratedFile] {
    let documents = Documents(sources, namespace: configuration.namespace)
    findings += documents.findings
    var files: [GeneratedFile] = []
    var use = SchemaUse()
    use.add(configuration.schemaTypes, of: schema)
    for source in sources {
      var text = DocumentText(schema, documents, configuration)
      files.append(GeneratedFile(name: fileName(source.path), text: text.write(source)))
      findings += text.findings
      use.add(text.names.used, text.selected)
    }
    let types = use.types(of: schema)
    findings += unknownScalars(types, configuration)
    let cached = CacheSchema(schema, use.fields.keys)
    var schemaText = SchemaText(schema, configuration)
    var cacheText = CacheText(schema, configuration)
    let texts = [
      schemaText.schemaFile(types, cached.text), schemaText.enumFile(types),
      schemaText.inputFile(types), cacheText.file(use, keys, known: cached.objects),
    ]
    return files + zip(schemaFileNames, texts).map { GeneratedFile(name: $0, text: $1) }
  }

  private static func unknownScalars(
    _ types: [SchemaType], _ configuration: GenerationConfiguration
  ) -> [GenerationFinding] {
    let scalars = ScalarTypes(configuration)
    return types.filter { $0.kind == .scalar && !scalars.isKnown($0.name) }.map { type in
      GenerationFinding(
        "The scalar \"\(type.name)\" has no Swift type and becomes a JSONValue. Name its type in "
          + "weir.json: \"scalars\": {\"\(type.name)\": \"…\"}.", severity: .warning,
        type.place.file, type.place.location)
    }
  }

  /// The names of the files with the schema's types, whatever they contain.
  public static let schemaFileNames = [
    "WeirSchema.swift", "WeirEnums.swift", "WeirInputs.swift", "WeirCache.swift",
  ]

  /// Returns the name of the file for a document. It depends on the path only, so that a build system
  /// knows it without reading the document. The path is that below the folder of the configuration.
  public static func fileName(_ path: String) -> String {
    path.split(separator: "/").joined(separator: "-") + ".swift"
  }
}

extension [GenerationFinding] {
  fileprivate var hasErrors: Bool { contains { $0.severity == .error } }
}
