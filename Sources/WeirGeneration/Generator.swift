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
  /// What is wrong, ordered by file and place.
  public let findings: [GenerationFinding]
  /// One file for each document, in their order, and three for the schema. If a finding is an error,
  /// they may not compile.
  public let files: [GeneratedFile]

  /// Generates the files.
  ///
  /// - Parameters:
  ///   - schema: the schema.
  ///   - documents: the documents. Each has a path below the folder of the configuration, from which
  ///     the name of its file is made.
  ///   - configuration: how code is generated.
  public init(
    schema: TypeSystem, documents: [SourceFile],
    configuration: GenerationConfiguration = GenerationConfiguration()
  ) {
    let definitions = Documents(documents, namespace: configuration.namespace)
    var files: [GeneratedFile] = []
    var found = definitions.findings
    var used: Set<String> = []
    for source in documents {
      var text = DocumentText(schema, definitions, configuration)
      files.append(GeneratedFile(name: Self.fileName(source.path), text: text.write(source)))
      found += text.findings
      used.formUnion(text.names.used)
    }
    var schemaText = SchemaText(schema, configuration)
    let types = schemaText.closure(of: used)
    files += [
      GeneratedFile(name: Self.schemaFileNames[0], text: schemaText.schemaFile(types)),
      GeneratedFile(name: Self.schemaFileNames[1], text: schemaText.enumFile(types)),
      GeneratedFile(name: Self.schemaFileNames[2], text: schemaText.inputFile(types)),
    ]
    self.files = files
    findings = found
  }

  /// The names of the files with the schema's types, whatever they contain.
  public static let schemaFileNames = ["WeirSchema.swift", "WeirEnums.swift", "WeirInputs.swift"]

  /// Returns the name of the file for a document. It depends on the path only, so that a build system
  /// knows it without reading the document. The path is that below the folder of the configuration.
  public static func fileName(_ path: String) -> String {
    path.split(separator: "/").joined(separator: "-") + ".swift"
  }
}
