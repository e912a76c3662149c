import Foundation
package import GraphQLValidation

/// The sources of a module, its configuration, and the modules that it depends on.
package struct GenerationProject {
  package let sources: SourceFolder
  package private(set) var configuration: GenerationConfiguration
  /// The path of the configuration; nil if there is none.
  package let configurationPath: String?
  private var dependencies: [(module: String, project: GenerationProject)] = []

  /// Finds the sources of a folder, and reads their configuration: the one at a path, otherwise the
  /// only `weir.json` of the folder, otherwise the default one. `hint` ends messages about files that
  /// are missing.
  package init(
    root: String, configuration named: String? = nil, files: [String] = [], hint: String = ""
  ) throws(ToolFailure) {
    sources = try SourceFolder(root: root, files: files, hint: hint)
    configurationPath = try sources.configurationPath(named)
    configuration = try SourceFolder.configuration(configurationPath)
  }

  /// Adds modules that this one depends on, as `MODULE=DIR`. Each has those of the files that are in its
  /// folder; without any, all files of the folder. `path` makes whole paths.
  package mutating func add(
    dependencies named: [String], files: [String] = [], path: (String) -> String = { $0 }
  ) throws(ToolFailure) {
    let modules = try named.map { text throws(ToolFailure) in
      let parts = text.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else {
        throw ToolFailure(
          .usage, "--dependency needs a module and its folder, as in Kit=Sources/Kit.")
      }
      let folder = URL(fileURLWithPath: path(String(parts[1]))).standardizedFileURL.path
      return (name: String(parts[0]), folder: folder)
    }
    let owned = try files.map { name throws(ToolFailure) in
      let file = URL(fileURLWithPath: path(name)).standardizedFileURL.path
      // The innermost of folders within each other.
      let folders = modules.map(\.folder).filter { file.hasPrefix("\($0)/") }
      guard let folder = folders.max(by: { $0.count < $1.count }) else {
        throw ToolFailure(.usage, "The file is in the folder of no --dependency.", path: file)
      }
      return (folder: folder, file: file)
    }
    for (name, folder) in modules {
      let own = owned.filter { $0.folder == folder }.map(\.file)
      // A folder is searched where a link to it leads.
      let root =
        own.isEmpty ? URL(fileURLWithPath: folder).resolvingSymlinksInPath().path : folder
      dependencies.append((name, try GenerationProject(root: root, files: own)))
    }
  }

  /// Says whether to generate what a normalized cache knows, unless the configuration does.
  package mutating func setNormalizedCache(_ isNormalized: Bool) {
    configuration.normalizedCache = configuration.normalizedCache ?? isNormalized
  }

  /// The folder of the configuration; without one, that of the sources.
  package var folder: String {
    configurationPath.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
      ?? sources.root.path
  }

  /// The whole paths of all files that the generated code depends on.
  package var inputs: [String] {
    (configurationPath.map { [$0] } ?? []) + sources.paths.map(sources.fullPath)
      + dependencies.flatMap(\.project.inputs)
  }

  /// The parsed files of a module, and of those that it depends on.
  package struct Parsed {
    package let schema: [SourceFile]
    package let documents: [SourceFile]
    package let modules: [GenerationModule]
    /// The syntax errors of documents, which are empty here.
    let syntaxErrors: [GenerationFinding]

    package init(
      schema: [SourceFile], documents: [SourceFile], modules: [GenerationModule] = [],
      syntaxErrors: [GenerationFinding] = []
    ) {
      (self.schema, self.documents, self.modules) = (schema, documents, modules)
      self.syntaxErrors = syntaxErrors
    }
  }

  /// Reads and parses all files. Syntax errors of the module's own documents are errors of the
  /// generation, beside the mistakes in other documents.
  package func parse() throws(ToolFailure) -> Parsed {
    let modules = try dependencies.map { dependency throws(ToolFailure) in
      try dependency.project.module(named: dependency.module)
    }
    let (schema, documents, syntaxErrors) = try sources.parse(
      configuration, needsSchema: modules.allSatisfy(\.schema.isEmpty))
    return Parsed(
      schema: schema, documents: documents, modules: modules, syntaxErrors: syntaxErrors)
  }

  /// Reads and parses the files of the module's own schema.
  package func parseSchema() throws(ToolFailure) -> [SourceFile] {
    try sources.parseSchema(configuration)
  }

  /// Generates the files.
  ///
  /// - Returns: the files, and the findings with whole paths, none of which is an error.
  /// - Throws: a failure with all findings, if one is an error.
  package func generate() throws(ToolFailure) -> (
    files: [GeneratedFile], findings: [GenerationFinding]
  ) {
    try generate(parse())
  }

  /// Generates the files of sources that were parsed.
  package func generate(_ parsed: Parsed) throws(ToolFailure) -> (
    files: [GeneratedFile], findings: [GenerationFinding]
  ) {
    let generator = Generator(
      schema: parsed.schema, documents: parsed.documents, configuration: configuration,
      dependencies: parsed.modules, syntaxErrors: parsed.syntaxErrors)
    let findings = generator.findings.map { $0.mapPaths(sources.fullPath) }
    let errors = findings.filter { $0.severity == .error }
    guard errors.isEmpty else {
      let isConfiguration = errors.allSatisfy { $0.path == configuration.path }
      throw ToolFailure(isConfiguration ? .usage : .documents, findings)
    }
    return (generator.files, findings)
  }

  private func module(named name: String) throws(ToolFailure) -> GenerationModule {
    let (schema, documents, syntaxErrors) = try sources.parse(
      configuration, needsSchema: false, showsWholePaths: true)
    guard syntaxErrors.isEmpty else { throw ToolFailure(.documents, syntaxErrors) }
    return GenerationModule(
      name: name, schema: schema, documents: documents, configuration: configuration)
  }
}
