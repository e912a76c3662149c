import Foundation
import GraphQLValidation
import WeirGeneration

/// The sources and the configuration that `--root` and `--config` name.
enum Project {
  static let options = [
    Option(
      name: "--root", value: "DIR",
      help: "the folder of the schema and the documents; by default that of --config, the only one "
        + "of the arguments, or this one"),
    Option(
      name: "--config", value: "FILE",
      help: "the configuration; by default the only weir.json in the folder or around the files"),
    Option(
      name: "--dependency", value: "MODULE=DIR", isRepeatable: true,
      help: "a module below with its folder, whose fragments can be spread; may be repeated"),
    Option(
      name: "--dependency-file", value: "FILE", isRepeatable: true,
      help: "a file of a module below; by default all in its folder; may be repeated"),
    Option(
      name: "--normalized-cache",
      help: "generate what a normalized cache knows, unless the configuration says no"),
  ]

  /// Finds the sources, and reads their configuration.
  static func named(by invocation: Invocation) throws(ToolFailure) -> GenerationProject {
    let (arguments, environment) = (invocation.arguments, invocation.environment)
    let path = environment.path
    let named = arguments["--config"].map(path)
    let folder = named.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
    var root = arguments["--root"].map(path) ?? folder ?? environment.folder
    let operands = arguments.operands
    let files =
      operands.isEmpty ? [] : try environment.sources(operands, endings: SourceFolder.endings)
    let around = named == nil ? try SourceFolder.configuration(around: files, root: root) : nil
    // Patterns and the names of outputs are relative to a folder, unless its configuration is around it.
    if arguments["--root"] == nil, named == nil, around == nil, operands.count == 1,
      SourceFolder.isFolder(path(operands[0]))
    {
      root = path(operands[0])
    }
    var project = try GenerationProject(
      root: root, configuration: named ?? around, files: files,
      hint: operands.isEmpty
        ? "" : " If you name files, name all of the project, those of the schema, too.")
    try project.add(
      dependencies: arguments.all("--dependency"), files: arguments.all("--dependency-file"),
      path: path)
    project.setNormalizedCache(arguments.has("--normalized-cache"))
    return project
  }

  /// Reads the schema that paths name: files, or folders with a `weir.json` or `*.graphqls`.
  static func schema(
    _ paths: [String], _ environment: ToolEnvironment
  ) throws(ToolFailure) -> TypeSystem {
    var files: [SourceFile] = []
    var seen: Set<String> = []
    for path in paths.map(environment.path) {
      if SourceFolder.isFolder(path) {
        let project = try GenerationProject(root: path)
        files += try project.parseSchema().filter {
          seen.insert(project.sources.fullPath($0.path)).inserted
        }
      } else if seen.insert(path).inserted {
        files.append(try SourceFile.read(path))
      }
    }
    return TypeSystem(files)
  }
}
