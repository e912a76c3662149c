package import Foundation
import GraphQLLanguage
import GraphQLValidation

/// The files that code is generated from.
package struct SourceFolder {
  package let root: URL
  /// The paths below the root of all files that can be sources, in the order of their bytes.
  let paths: [String]
  /// What to do besides, in messages about files that are missing.
  private let hint: String

  /// Finds the files of a folder.
  ///
  /// - Parameters:
  ///   - root: the folder to which the paths of documents are relative.
  ///   - files: the files to use; if empty, all in the folder, without hidden folders.
  ///   - hint: what to do besides, in messages about files that are missing.
  /// - Throws: a failure for a folder that cannot be read.
  init(root: String, files: [String], hint: String = "") throws(ToolFailure) {
    self.hint = hint
    self.root = URL(fileURLWithPath: root, isDirectory: true).standardizedFileURL
    let rootPath = Self.prefix(self.root.path)
    let wholePaths =
      files.isEmpty
      ? try Self.files(in: self.root.path)
      : files.map { URL(fileURLWithPath: $0).standardizedFileURL.path }
    let paths = wholePaths.map {
      $0.hasPrefix(rootPath) ? String($0.dropFirst(rootPath.count)) : $0
    }
    self.paths = paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The beginning of all paths in a folder.
  private static func prefix(_ folder: String) -> String {
    folder.hasSuffix("/") ? folder : folder + "/"
  }

  /// The place of a file in messages, which Xcode opens.
  package func fullPath(_ path: String) -> String {
    path.hasPrefix("/") ? path : root.appendingPathComponent(path).path
  }

  /// Reads a text file. If it is not text, the failure has the given code.
  package static func read(
    _ path: String, notText: ToolFailure.Code = .documents
  ) throws(ToolFailure) -> String {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw ToolFailure(.files, "The file cannot be read.", path: path)
    }
    guard let text = String(data: data, encoding: .utf8) else {
      throw ToolFailure(notText, "The file is not UTF-8 text.", path: path)
    }
    return text
  }
}

// MARK: - Configuration

extension SourceFolder {
  private static func isConfiguration(_ path: String) -> Bool {
    path == "weir.json" || path.hasSuffix("/weir.json")
  }

  /// Returns a path that was given, otherwise the only `weir.json` of the folder; nil if there is none.
  func configurationPath(_ named: String?) throws(ToolFailure) -> String? {
    if let named { return named }
    let found = paths.filter(Self.isConfiguration)
    guard found.count < 2 else {
      throw ToolFailure(
        .usage,
        "The folder has several configurations: \(found.joined(separator: ", ")). Keep one, or choose "
          + "one with --config, and its documents with --root.", path: root.path)
    }
    return found.first.map(fullPath)
  }

  /// Returns the configuration for files that do not contain one: the nearest `weir.json` in the folders
  /// from each file up to the root; nil if there is none.
  package static func configuration(
    around files: [String], root: String
  ) throws(ToolFailure) -> String? {
    if files.contains(where: isConfiguration) { return nil }
    let rootPrefix = prefix(root)
    var found: Set<String> = []
    for start in Set(files.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }) {
      let folders = sequence(first: start) { folder in
        folder.path.hasPrefix(rootPrefix) && folder.path != root
          ? folder.deletingLastPathComponent() : nil
      }
      let paths = folders.lazy.map { prefix($0.path) + "weir.json" }
      if let path = paths.first(where: FileManager.default.fileExists) { found.insert(path) }
    }
    guard found.count < 2 else {
      throw ToolFailure(
        .usage,
        "The files have several configurations: \(found.sorted().joined(separator: ", ")). Choose one "
          + "with --config.", path: root)
    }
    return found.first
  }

  /// Reads a configuration; without a path, the default one.
  static func configuration(
    _ path: String?
  ) throws(ToolFailure) -> GenerationConfiguration {
    guard let path else { return GenerationConfiguration() }
    let text = try read(path, notText: .usage)
    do throws(GenerationFinding) {
      // The whole path: others are relative to the folder of the documents.
      return try GenerationConfiguration(
        parsing: text, path: URL(fileURLWithPath: path).standardizedFileURL.path)
    } catch {
      throw ToolFailure(.usage, [error])
    }
  }
}

extension GenerationConfiguration {
  /// The whole path of the manifest; nil without one.
  package var manifestPath: String? {
    manifest.map {
      URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent($0)
        .standardizedFileURL.path
    }
  }
}

// MARK: - Parsing

extension SourceFolder {
  /// Reads and parses all files. All syntax errors are reported together.
  ///
  /// Without `schema` in the configuration, a document that defines types is a part of the schema,
  /// too.
  func parse(
    _ configuration: GenerationConfiguration, needsSchema: Bool = true,
    showsWholePaths: Bool = false
  ) throws(ToolFailure) -> (schema: [SourceFile], documents: [SourceFile]) {
    let schemaPaths = try schemaPaths(configuration)
    let documentPaths = paths.filter { $0.hasSuffix(".graphql") && !schemaPaths.contains($0) }
    let used =
      try matching(configuration.documents, in: documentPaths, "document *.graphql")
      ?? documentPaths
    var errors: [GenerationFinding] = []
    var schema = try parse(schemaPaths, showsWholePaths, &errors)
    let documents = try parse(used, showsWholePaths, &errors)
    guard errors.isEmpty else { throw ToolFailure(.documents, errors) }
    let definesTypes = { (file: SourceFile) in
      file.document.definitions.contains { !$0.isExecutable }
    }
    let isSchema = configuration.schema.isEmpty ? definesTypes : { _ in false }
    schema += documents.filter(isSchema)
    guard !schema.isEmpty || !needsSchema else {
      throw ToolFailure(
        .documents,
        "There is no schema. Add it as a file *.graphqls, or name the result of an "
          + "introspection query in weir.json: \"schema\": [\"schema.json\"].\(hint)",
        path: root.path)
    }
    // Each file has an output, whatever it contains, because a build system asks for their names.
    let kept = Dictionary(
      documents.filter { !isSchema($0) }.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
    let outputs = paths.filter { $0.hasSuffix(".graphql") }
      .map { showsWholePaths ? fullPath($0) : $0 }
    return (
      schema,
      outputs.map { kept[$0] ?? SourceFile(path: $0, document: Document(definitions: [])) }
    )
  }

  /// Reads and parses the files of the schema. If the configuration names them, no document is read.
  func parseSchema(
    _ configuration: GenerationConfiguration
  ) throws(ToolFailure) -> [SourceFile] {
    if configuration.schema.isEmpty { return try parse(configuration).schema }
    var errors: [GenerationFinding] = []
    let schema = try parse(try schemaPaths(configuration), false, &errors)
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
