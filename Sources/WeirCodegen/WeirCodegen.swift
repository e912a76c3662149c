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
    files: [URL], in root: URL, output: URL, tool: URL, targetName: String,
    options: [String] = [], dependencies: [SwiftModule] = []
  ) -> Command? {
    let inputs = Self.inputs(files)
    let documents = inputs.filter { $0.pathExtension == "graphql" }
    let configurations = inputs.filter { $0.lastPathComponent == "weir.json" }
    // A module without documents can share types of the schema with others.
    guard !documents.isEmpty || !configurations.isEmpty else { return nil }
    var arguments = [
      "--root", root.path, "--output", output.path, "--stamp", output.appending(path: "stamp").path,
    ]
    arguments += options
    for input in inputs {
      // Of several, the tool says which ones there are.
      if [input] == configurations { arguments.append("--config") }
      arguments.append(input.path)
    }
    for dependency in dependencies {
      arguments += ["--dependency", "\(dependency.name)=\(dependency.folder.path)"]
      // Not those that its target excludes.
      arguments += Self.inputs(dependency.files).filter {
        $0.path.hasPrefix("\(dependency.folder.path)/")
      }.flatMap { ["--dependency-file", $0.path] }
    }
    // The same names as those of `Generator`, to which two documents with one name are an error.
    var names = Set(documents.map { Self.dashedPath(of: $0, in: root) + ".swift" }).sorted()
    names += ["WeirSchema.swift", "WeirEnums.swift", "WeirInputs.swift", "WeirCache.swift"]
    return .buildCommand(
      displayName: "Generating Swift types for the GraphQL documents of \(targetName)",
      executable: tool, arguments: arguments,
      inputFiles: inputs + dependencies.flatMap { Self.inputs($0.files) },
      outputFiles: names.map { output.appending(path: $0) })
  }

  private static func inputs(_ files: [URL]) -> [URL] {
    files.filter { ["graphql", "graphqls", "json"].contains($0.pathExtension) }
      .sorted { $0.path < $1.path }
  }

  /// The path below the root, with dashes instead of slashes.
  private static func dashedPath(of file: URL, in root: URL) -> String {
    let (path, folder) = (file.standardizedFileURL.path, root.standardizedFileURL.path)
    // As the tool does it. A folder beside this one may begin with its name.
    let relative = path.hasPrefix("\(folder)/") ? String(path.dropFirst(folder.count)) : path
    return relative.split(separator: "/").joined(separator: "-")
  }
}

/// A module that a target depends on, with documents or a schema.
private struct SwiftModule {
  let name: String
  let folder: URL
  let files: [URL]

  init?(_ target: any Target) {
    guard let module = target.sourceModule else { return nil }
    files = module.sourceFiles.map(\.url)
    (name, folder) = (module.moduleName, module.directoryURL)
    guard files.contains(where: { $0.lastPathComponent == "weir.json" }) else { return nil }
  }
}

extension WeirCodegen: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let module = target.sourceModule else { return [] }
    let command = command(
      files: module.sourceFiles.map(\.url), in: module.directoryURL,
      output: context.pluginWorkDirectoryURL, tool: try context.tool(named: "weir-generate").url,
      targetName: target.name,
      options: Self.usesNormalizedCache(target) ? ["--normalized-cache"] : [],
      dependencies: target.recursiveTargetDependencies.compactMap(SwiftModule.init))
    return command.map { [$0] } ?? []
  }

  /// Whether a target itself depends on WeirNormalized. `#if canImport` in the generated code would not
  /// tell: it finds what any other target of the package depends on, which need not be linked.
  private static func usesNormalizedCache(_ target: any Target) -> Bool {
    target.dependencies.contains { dependency in
      switch dependency {
      case .target(let target): target.name == "WeirNormalized"
      case .product(let product): product.targets.contains { $0.name == "WeirNormalized" }
      @unknown default: false
      }
    }
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
