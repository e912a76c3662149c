import Foundation
import PackagePlugin

/// Generates Swift types from the GraphQL documents of a target before it is compiled.
///
/// One command per target reads `weir.json`, the schema (`*.graphqls`, or the `*.json` that `weir.json`
/// names) and the documents (`*.graphql`). The names of its outputs depend on the list of files only, because a build system
/// does not ask a plugin again when the contents of files change.
@main
struct WeirCodegen {
  fileprivate func command(
    files: [URL], in root: URL, output: URL, tool: URL, targetName: String
  ) -> Command? {
    let inputs = files.filter { ["graphql", "graphqls", "json"].contains($0.pathExtension) }
      .sorted { $0.path < $1.path }
    let documents = inputs.filter { $0.pathExtension == "graphql" }
    guard !documents.isEmpty else { return nil }
    var arguments = ["--root", root.path, "--output", output.path]
    for input in inputs {
      if input.lastPathComponent == "weir.json" { arguments.append("--config") }
      arguments.append(input.path)
    }
    // The same names as those of `Generator`.
    var names = documents.map { Self.dashedPath(of: $0, in: root) + ".swift" }
    names += ["WeirSchema.swift", "WeirEnums.swift", "WeirInputs.swift"]
    return .buildCommand(
      displayName: "Generating Swift types for the GraphQL documents of \(targetName)",
      executable: tool, arguments: arguments, inputFiles: inputs,
      outputFiles: names.map { output.appending(path: $0) })
  }

  /// The path below the root, with dashes instead of slashes.
  private static func dashedPath(of file: URL, in root: URL) -> String {
    let (path, folder) = (file.standardizedFileURL.path, root.standardizedFileURL.path)
    let relative = path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
    return relative.split(separator: "/").joined(separator: "-")
  }
}

extension WeirCodegen: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let module = target.sourceModule else { return [] }
    let command = command(
      files: module.sourceFiles.map(\.url), in: module.directoryURL,
      output: context.pluginWorkDirectoryURL, tool: try context.tool(named: "weir-generate").url,
      targetName: target.name)
    return command.map { [$0] } ?? []
  }
}

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin

  extension WeirCodegen: XcodeBuildToolPlugin {
    func createBuildCommands(
      context: XcodePluginContext, target: XcodeTarget
    ) throws -> [Command] {
      let files = target.inputFiles.map(\.url)
      let command = command(
        files: files, in: context.xcodeProject.directoryURL, output: context.pluginWorkDirectoryURL,
        tool: try context.tool(named: "weir-generate").url, targetName: target.displayName)
      return command.map { [$0] } ?? []
    }
  }
#endif
