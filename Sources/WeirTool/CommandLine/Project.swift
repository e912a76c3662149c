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
  ]

  let sources: SourceFolder
  let configuration: GenerationConfiguration
  /// The folder of the configuration.
  let folder: String

  init(_ invocation: Invocation) throws(ToolFailure) {
    let (arguments, environment) = (invocation.arguments, invocation.environment)
    let named = arguments["--config"].map(environment.path)
    let root = arguments["--root"].map(environment.path) ?? named.map(Self.folder)
    try self.init(
      root: root ?? environment.folder, configuration: named,
      files: arguments.operands.map(environment.path))
  }

  init(root: String, configuration named: String? = nil, files: [String] = []) throws(ToolFailure) {
    sources = try SourceFolder(root: root, files: files)
    let path = try sources.configurationPath(named)
    configuration = try SourceFolder.configuration(path)
    folder = path.map(Self.folder) ?? sources.root.path
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
