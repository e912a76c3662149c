/// The sources of a module, its configuration, and the modules that it depends on.
package struct GenerationProject {
  package let sources: SourceFolder
  package private(set) var configuration: GenerationConfiguration
  /// The path of the configuration; nil if there is none.
  package let configurationPath: String?
  private var dependencies: [(module: String, project: GenerationProject)] = []

  /// Finds the sources of a folder, and reads their configuration: the one at a path, otherwise the
  /// only `weir.json` of the folder, otherwise the default one.
  package init(
    root: String, configuration named: String? = nil, files: [String] = []
  ) throws(ToolFailure) {
    sources = try SourceFolder(root: root, files: files)
    configurationPath = try sources.configurationPath(named)
    configuration = try SourceFolder.configuration(configurationPath)
  }

  /// Adds modules that this one depends on, as `MODULE=DIR`.
  package mutating func add(dependencies named: [String]) throws(ToolFailure) {
    for text in named {
      let parts = text.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else {
        throw ToolFailure(
          .usage, "--dependency needs a module and its folder, as in Kit=Sources/Kit.")
      }
      dependencies.append((String(parts[0]), try GenerationProject(root: String(parts[1]))))
    }
  }

  /// Says whether to generate what a normalized cache knows, unless the configuration does.
  package mutating func setNormalizedCache(_ isNormalized: Bool) {
    configuration.normalizedCache = configuration.normalizedCache ?? isNormalized
  }

  /// The names of the modules that this one depends on.
  package var dependencyNames: [String] { dependencies.map(\.module) }

  /// The whole paths of all files that the generated code depends on.
  package var inputs: [String] {
    (configurationPath.map { [$0] } ?? []) + sources.paths.map(sources.fullPath)
      + dependencies.flatMap(\.project.inputs)
  }

  /// Generates the files.
  ///
  /// - Returns: the files, and the findings with whole paths, none of which is an error.
  /// - Throws: a failure with all findings, if one is an error.
  package func generate() throws(ToolFailure) -> (
    files: [GeneratedFile], findings: [GenerationFinding]
  ) {
    let modules = try dependencies.map { dependency throws(ToolFailure) in
      try dependency.project.module(named: dependency.module)
    }
    let (schema, documents) = try sources.parse(
      configuration, needsSchema: modules.allSatisfy(\.schema.isEmpty))
    let generator = Generator(
      schema: schema, documents: documents, configuration: configuration, dependencies: modules)
    let findings = generator.findings.map { $0.mapPaths(sources.fullPath) }
    let errors = findings.filter { $0.severity == .error }
    guard errors.isEmpty else {
      let isConfiguration = errors.allSatisfy { $0.path == configuration.path }
      throw ToolFailure(isConfiguration ? .usage : .documents, findings)
    }
    return (generator.files, findings)
  }

  private func module(named name: String) throws(ToolFailure) -> GenerationModule {
    let (schema, documents) = try sources.parse(
      configuration, needsSchema: false, showsWholePaths: true)
    return GenerationModule(
      name: name, schema: schema, documents: documents, configuration: configuration)
  }
}
