import Foundation
import GraphQLLanguage
import GraphQLValidation

extension SourceFolder {
  /// Reads and parses all files.
  ///
  /// Without `schema` in the configuration, a document that defines types is a part of the schema,
  /// too.
  ///
  /// - Returns: the files, and the syntax errors of documents, which are empty among the files.
  /// - Throws: a failure with all syntax errors, if one may be in a part of the schema: without that,
  ///   most mistakes in documents would be wrong findings.
  func parse(
    _ configuration: GenerationConfiguration, needsSchema: Bool = true,
    showsWholePaths: Bool = false
  ) throws(ToolFailure) -> (
    schema: [SourceFile], documents: [SourceFile], syntaxErrors: [GenerationFinding]
  ) {
    let schemaPaths = try schemaPaths(configuration)
    let documentPaths = paths.filter { $0.hasSuffix(".graphql") && !schemaPaths.contains($0) }
    let used =
      try matching(configuration.documents, in: documentPaths, "document *.graphql")
      ?? documentPaths
    var (schemaErrors, errors) = ([GenerationFinding](), [GenerationFinding]())
    var schema = try parse(schemaPaths, showsWholePaths, &schemaErrors)
    let documents = try parse(used, showsWholePaths, &errors)
    let isWhole = !configuration.schema.isEmpty || !errors.contains(where: mayDefineTypes)
    guard schemaErrors.isEmpty, isWhole else {
      throw ToolFailure(.documents, schemaErrors + errors)
    }
    let definesTypes = { (file: SourceFile) in
      file.document.definitions.contains { !$0.isExecutable }
    }
    let isSchema = configuration.schema.isEmpty ? definesTypes : { _ in false }
    schema += documents.filter(isSchema)
    guard !schema.isEmpty || !needsSchema else {
      let missing = GenerationFinding(
        "There is no schema. Add it as a file *.graphqls, or name the result of an "
          + "introspection query in weir.json: \"schema\": [\"schema.json\"].\(hint)",
        path: root.path)
      throw ToolFailure(.documents, errors + [missing])
    }
    // Each file has an output, whatever it contains, because a build system asks for their names.
    let kept = Dictionary(
      documents.filter { !isSchema($0) }.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
    let outputs = paths.filter { $0.hasSuffix(".graphql") }
      .map { showsWholePaths ? fullPath($0) : $0 }
    return (
      schema,
      outputs.map { kept[$0] ?? SourceFile(path: $0, document: Document(definitions: [])) },
      errors
    )
  }

  /// Whether the file of a syntax error may be a part of the schema.
  private func mayDefineTypes(_ error: GenerationFinding) -> Bool {
    guard let text = try? Self.read(error.path) else { return true }
    return !SourceFile.beginsExecutable(text)
  }

  /// Reads and parses the files of the schema. If the configuration names them, no document is read.
  func parseSchema(
    _ configuration: GenerationConfiguration
  ) throws(ToolFailure) -> [SourceFile] {
    var (schema, errors) = ([SourceFile](), [GenerationFinding]())
    if configuration.schema.isEmpty {
      (schema, _, errors) = try parse(configuration)
    } else {
      schema = try parse(try schemaPaths(configuration), false, &errors)
    }
    guard errors.isEmpty else { throw ToolFailure(.documents, errors) }
    return schema
  }

  /// The files of the schema, in the order of their paths.
  private func schemaPaths(
    _ configuration: GenerationConfiguration
  ) throws(ToolFailure) -> [String] {
    let manifest = configuration.manifestPath
    let others = paths.filter { !Self.isConfiguration($0) && fullPath($0) != manifest }
    let isManifest = { (pattern: FilePattern) in
      root.appendingPathComponent(pattern.text).standardizedFileURL.path == manifest
    }
    if let pattern = configuration.schema.first(where: isManifest) {
      throw ToolFailure(
        .usage,
        [
          configuration.finding(
            "\"\(pattern.text)\" is also a file of the schema. Name another file.", .manifest)
        ])
    }
    return try matching(configuration.schema, in: others, "file")
      ?? paths.filter { $0.hasSuffix(".graphqls") }
  }

  /// Returns the paths that one of the patterns matches; nil without patterns.
  private func matching(
    _ patterns: [FilePattern], in paths: [String], _ name: String
  ) throws(ToolFailure) -> [String]? {
    if patterns.isEmpty { return nil }
    for pattern in patterns where !paths.contains(where: pattern.matches) {
      throw ToolFailure(
        .usage,
        [
          pattern.finding(
            "No \(name) in \(root.path) matches \"\(pattern.text)\". Paths are relative to the folder, "
              + "and \"**\" stands for any folders.\(hint)")
        ])
    }
    return paths.filter { path in patterns.contains { $0.matches(path) } }
  }

  /// Parses files on all processor cores.
  private func parse(
    _ paths: [String], _ showsWholePaths: Bool, _ errors: inout [GenerationFinding]
  ) throws(ToolFailure) -> [SourceFile] {
    var files: [SourceFile] = []
    for result in paths.concurrentMap({ parse($0, showsWholePaths) }) {
      switch result {
      case .success(let file): files.append(file)
      case .failure(let failure) where failure.code == .documents: errors += failure.findings
      case .failure(let failure): throw failure
      }
    }
    return files
  }

  private func parse(_ path: String, _ showsWholePaths: Bool) -> Result<SourceFile, ToolFailure> {
    let full = fullPath(path)
    return Result { () throws(ToolFailure) in
      let text = try Self.read(full)
      do throws(GenerationFinding) {
        // Messages show the whole path; the names of outputs depend on the short one.
        return try SourceFile.parse(text, path: showsWholePaths ? full : path)
      } catch {
        throw ToolFailure(.documents, [error.mapPaths { _ in full }])
      }
    }
  }
}
