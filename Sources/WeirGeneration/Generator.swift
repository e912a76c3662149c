import GraphQLLanguage
package import GraphQLValidation

/// A file that was generated.
package struct GeneratedFile: Hashable, Sendable {
  /// The name of the file.
  package let name: String
  /// Its text.
  package let text: String
}

/// Generates Swift types for the operations and fragments of documents.
///
/// The result depends on nothing but the arguments: not on the order of the files, on places in the
/// file system, on the number of processor cores, or on time.
package struct Generator: Sendable {
  /// The errors and warnings, ordered by file and place.
  package let findings: [GenerationFinding]
  /// One file for each document, in their order, and four for the schema; empty if a finding is an
  /// error.
  package let files: [GeneratedFile]

  /// Validates the schema and the documents, and generates the files.
  ///
  /// - Parameters:
  ///   - schema: the schema, in any number of files.
  ///   - documents: the documents. Each has a path below the folder of the configuration, from which
  ///     the name of its file is made.
  ///   - configuration: how code is generated.
  ///   - dependencies: the modules that this one depends on, directly or by others, which have
  ///     documents or a schema. If `schema` defines no types, theirs is used, their fragments can be
  ///     spread, and the types that they share by `schemaTypes` are not generated again.
  ///   - syntaxErrors: the syntax errors of documents that are not among `documents`. They are findings,
  ///     and what their files may define or use is not reported as unknown or unused.
  ///   - tasks: how many documents are worked on at a time, at most; by default, one for each core.
  package init(
    schema: [SourceFile], documents: [SourceFile],
    configuration: GenerationConfiguration = GenerationConfiguration(),
    dependencies: [GenerationModule] = [], syntaxErrors: [GenerationFinding] = [],
    tasks: Int = .max
  ) {
    var imported = ImportedModules(dependencies, below: schema, configuration)
    let types = TypeSystem(schema + imported.schema)
    var findings = schema.isEmpty ? [] : configuration.findings(for: types)
    findings += schema.flatMap(Self.operations) + configuration.mistakes(in: types)
    findings += Self.meetingFileNames(documents)
    imported.addTypes(of: types, for: configuration)
    findings += imported.findings
    var configuration = configuration
    configuration.inherit(from: imported.modules)
    let target = Target(types, documents, configuration, imported)
    findings += configuration.hiddenTypes + target.keys.findings + target.redirects.findings
    // The other modules report what is wrong in their schema themselves.
    let foreign = Set(imported.schema.map(\.path))
    findings.removeAll { foreign.contains($0.path) }
    findings += target.documents.findings + syntaxErrors
    findings += target.validate(isComplete: syntaxErrors.isEmpty)
    let files = findings.hasErrors ? [] : target.files(tasks, &findings)
    self.files = findings.hasErrors ? [] : files
    self.findings = findings.sorted {
      ($0.path, $0.line, $0.column) < ($1.path, $1.line, $1.column)
    }
  }

  /// The findings for operations and fragments in a file of the schema, which are not generated.
  private static func operations(in file: SourceFile) -> [GenerationFinding] {
    let place = NumberedFile(file)
    return file.document.definitions.filter(\.isExecutable).map {
      GenerationFinding(
        "This file is a part of the schema, whose operations and fragments get no Swift types. Move "
          + "them into a file of their own.", place, $0.location)
    }
  }

  /// The findings for documents whose files would have one name.
  private static func meetingFileNames(_ documents: [SourceFile]) -> [GenerationFinding] {
    var paths: [String: String] = [:]
    return documents.compactMap { document in
      let name = fileName(document.path)
      // File systems of macOS and Windows do not distinguish capital letters from small ones.
      guard let other = paths.updateValue(document.path, forKey: name.lowercased()) else {
        return nil
      }
      let otherName = fileName(other)
      let files =
        name == otherName
        ? "in one file \"\(name)\""
        : "in the files \"\(name)\" and \"\(otherName)\", which are one file on macOS"
      return GenerationFinding(
        "The types for two documents would be \(files). Rename one of them.",
        path: document.path, related: [GenerationFinding("The other one is here.", path: other)])
    }
  }

  /// The names of the files with the schema's types, whatever they contain.
  package static let schemaFileNames = [
    "WeirSchema.swift", "WeirEnums.swift", "WeirInputs.swift", "WeirCache.swift",
  ]

  /// Returns the name of the file for a document. It depends on the path only, so that a build system
  /// knows it without reading the document. The path is that below the folder of the configuration.
  package static func fileName(_ path: String) -> String {
    path.split(separator: "/").joined(separator: "-") + ".swift"
  }
}

extension [GenerationFinding] {
  fileprivate var hasErrors: Bool { contains { $0.severity == .error } }
}
