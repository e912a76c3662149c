import Foundation
import GraphQLValidation
import WeirGeneration

/// The sources and the configuration that `--root` and `--config` name.
struct Project {
  static let options = [
    Option(
      name: "--root", value: "DIR",
      help: "the folder of the schema and the documents; by default that of --config, or this one"),
    Option(
      name: "--config", value: "FILE",
      help: "the configuration; by default the only weir.json in the folder"),
    Option(
      name: "--dependency", value: "MODULE=DIR", isRepeatable: true,
      help: "a module below with its folder, whose fragments can be spread; may be repeated"),
    Option(
      name: "--normalized-cache",
      help: "generate what a normalized cache knows, unless the configuration says no"),
  ]

  let sources: SourceFolder
  /// The folder of the configuration.
  let folder: String
  private let project: GenerationProject

  var configuration: GenerationConfiguration { project.configuration }

  init(_ invocation: Invocation) throws(ToolFailure) {
    let (arguments, environment) = (invocation.arguments, invocation.environment)
    let named = arguments["--config"].map(environment.path)
    let root = arguments["--root"].map(environment.path) ?? named.map(Self.folder)
    try self.init(
      root: root ?? environment.folder, configuration: named,
      files: arguments.operands.map(environment.path),
      dependencies: arguments.all("--dependency").map { dependency in
        let parts = dependency.split(separator: "=", maxSplits: 1).map(String.init)
        return parts.count == 2 ? "\(parts[0])=\(environment.path(parts[1]))" : dependency
      }, isNormalized: arguments.has("--normalized-cache"))
  }

  init(
    root: String, configuration named: String? = nil, files: [String] = [],
    dependencies: [String] = [], isNormalized: Bool = false
  ) throws(ToolFailure) {
    var project = try GenerationProject(root: root, configuration: named, files: files)
    try project.add(dependencies: dependencies)
    project.setNormalizedCache(isNormalized)
    self.project = project
    sources = project.sources
    folder = project.configurationPath.map(Self.folder) ?? project.sources.root.path
  }

  /// Generates the files, and returns them with the findings, none of which is an error.
  func generate() throws(ToolFailure) -> (files: [GeneratedFile], findings: [GenerationFinding]) {
    try project.generate()
  }

  private static func folder(of path: String) -> String {
    URL(fileURLWithPath: path).deletingLastPathComponent().path
  }

  /// Reads the schema that paths name: files, or folders with a `weir.json` or `*.graphqls`.
  static func schema(
    _ paths: [String], _ environment: ToolEnvironment
  ) throws(ToolFailure) -> TypeSystem {
    var files: [SourceFile] = []
    for path in paths.map(environment.path) {
      if environment.isFolder(path) {
        let project = try Project(root: path)
        files += try project.sources.parse(project.configuration).schema
      } else {
        files.append(try SourceFile.read(path))
      }
    }
    return TypeSystem(files)
  }
}
