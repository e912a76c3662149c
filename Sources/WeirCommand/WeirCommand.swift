import Foundation
import PackagePlugin

/// Runs the tool `weir` for the targets of a package or of a project.
///
/// `generate`, `validate` and `manifest` run once for each target that has a `weir.json`, or that
/// `--target` names, with the files that the build uses. Other verbs run once, in the folder of the
/// package, and accept no `--target`, except from Xcode, which always passes it.
@main
struct WeirCommand {
  /// A target: the folder to which paths are relative, and its files.
  fileprivate struct Unit {
    let name: String
    let root: URL
    let files: [URL]
    var options: [String] = []

    private var configuration: URL? { configurations.first }

    private var configurations: [URL] { files.filter { $0.lastPathComponent == "weir.json" } }

    var hasConfiguration: Bool { configuration != nil }

    /// The path of the manifest that the configuration names; nil without one.
    var manifest: String? {
      guard let configuration, let data = try? Data(contentsOf: configuration),
        let settings = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
        let path = settings["manifest"] as? String
      else { return nil }
      return configuration.deletingLastPathComponent().appendingPathComponent(path)
        .standardizedFileURL.path
    }

    /// The arguments that the plugin WeirCodegen passes to its tool, too.
    var arguments: [String] {
      // Of several configurations, the tool says which ones there are.
      let only = configurations.count == 1 ? configuration?.path : nil
      return ["--root", root.path] + options
        + Self.inputs(files).flatMap { $0 == only ? ["--config", $0] : [$0] }
    }

    static func inputs(_ files: [URL]) -> [String] {
      files.filter { ["graphql", "graphqls", "json"].contains($0.pathExtension) }
        .map(\.path).sorted()
    }
  }

  private static let verbsForTargets: Set = ["generate", "validate", "manifest"]
  /// The options of these verbs that have a value in the next argument.
  private static let optionsWithValue: Set = [
    "-o", "--output", "--format", "--diagnostics", "--dependency", "--dependency-file",
  ]

  fileprivate func run(
    _ arguments: [String], tool: URL, folder: URL, units: [Unit], isXcode: Bool = false
  ) throws {
    var rest = ArgumentExtractor(arguments)
    // SwiftPM's own options are passed on if they are behind the verb.
    _ = rest.extractFlag(named: "allow-writing-to-package-directory")
    _ = rest.extractOption(named: "allow-network-connections")
    let targets = rest.extractOption(named: "target")
    let remaining = rest.remainingArguments
    let wantsHelp = remaining.contains("--help") || remaining.contains("-h")
    guard let verb = remaining.first, Self.verbsForTargets.contains(verb), !wantsHelp,
      !Self.namesFolder(remaining)
    else {
      guard targets.isEmpty || wantsHelp || isXcode else {
        return Diagnostics.error(
          "Only generate, validate and manifest work on targets, and only without --root and "
            + "--config. Name a file or a folder instead of --target.")
      }
      return try start(tool, remaining, in: folder)
    }
    let chosen = choose(targets, of: units, isXcode: isXcode)
    if chosen.isEmpty { return }
    guard chosen.count == 1 || !writesOneFile(verb, remaining, chosen) else {
      let cure =
        verb == "manifest" ? ", or name a \"manifest\" of its own in each weir.json" : ""
      return Diagnostics.error(
        "Several targets would write the same file. Choose one with --target\(cure): "
          + chosen.map(\.name).joined(separator: ", "))
    }
    guard chosen.count == 1 || !Self.namesFiles(remaining.dropFirst()) else {
      return Diagnostics.error(
        "Files belong to one target. Choose it with --target: "
          + chosen.map(\.name).joined(separator: ", "))
    }
    for unit in chosen {
      try start(tool, [verb] + unit.arguments + remaining.dropFirst(), in: folder)
    }
  }

  /// The targets that `--target` names, otherwise those with a configuration. None, after an error, if
  /// one of the names is wrong.
  private func choose(_ targets: [String], of units: [Unit], isXcode: Bool) -> [Unit] {
    // Xcode names every target that is selected. For one without files, the tool would search the
    // folder, which is that of the whole project.
    let chosen = units.filter {
      targets.isEmpty
        ? $0.hasConfiguration : targets.contains($0.name) && !Unit.inputs($0.files).isEmpty
    }
    let missing = targets.filter { name in !chosen.contains { $0.name == name } }
    if !chosen.isEmpty, missing.isEmpty || isXcode { return chosen }
    Diagnostics.error(
      targets.isEmpty
        ? "No target has a weir.json. Write one: weir init --root FOLDER."
        : "No target with GraphQL files has the name \(missing.joined(separator: " or ")).")
    return []
  }

  /// Whether arguments name the folder of the sources themselves.
  private static func namesFolder(_ arguments: [String]) -> Bool {
    arguments.contains { argument in
      ["--root", "--config"].contains { argument == $0 || argument.hasPrefix("\($0)=") }
    }
  }

  /// Whether arguments behind a verb name files.
  private static func namesFiles(_ arguments: ArraySlice<String>) -> Bool {
    var rest = arguments
    while let argument = rest.popFirst() {
      if optionsWithValue.contains(argument) {
        _ = rest.popFirst()
      } else if argument == "--" {
        return !rest.isEmpty
      } else if !argument.hasPrefix("-") || argument == "-" {
        return true
      }
    }
    return false
  }

  /// Whether a verb writes the same file for several targets. A manifest is written to the file that
  /// the target's configuration names; without one, to the standard output.
  private func writesOneFile(_ verb: String, _ arguments: [String], _ units: [Unit]) -> Bool {
    let outputs = ["-o=", "--output"]
    if arguments.contains(where: { $0 == "-o" || outputs.contains(where: $0.hasPrefix) }) {
      return true
    }
    return verb == "manifest" && Set(units.compactMap(\.manifest)).count < units.count
  }

  /// Runs the tool, whose output is that of the plugin.
  private func start(_ tool: URL, _ arguments: [String], in folder: URL) throws {
    let process = Process()
    process.executableURL = tool
    process.arguments = arguments
    process.currentDirectoryURL = folder
    try process.run()
    process.waitUntilExit()
    if process.terminationStatus != 0 {
      let verb = arguments.first ?? ""
      let code = process.terminationStatus
      // A plugin that declares to use the network would have to ask for it for every verb.
      let cure =
        code == 3 && arguments.prefix(2) == ["schema", "fetch"]
        ? " On macOS, SwiftPM lets a plugin use the network only with the option "
          + "--allow-network-connections all." : ""
      Diagnostics.error("weir \(verb) ended with the exit code \(code).\(cure)")
    }
  }
}

extension WeirCommand: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    let tool = try context.tool(named: "WeirTool").url
    try run(
      arguments, tool: tool, folder: context.package.directoryURL,
      units: context.package.targets.compactMap(Unit.init))
  }
}

extension WeirCommand.Unit {
  fileprivate init?(_ target: any Target) {
    guard let module = target.sourceModule else { return nil }
    self.init(
      name: target.name, root: module.directoryURL, files: module.sourceFiles.map(\.url),
      options: Self.options(of: target))
  }

  /// The options that the plugin WeirCodegen passes, too. Plugins cannot share code.
  private static func options(of target: any Target) -> [String] {
    let usesNormalizedCache = target.dependencies.contains { dependency in
      switch dependency {
      case .target(let target): target.name == "WeirNormalized"
      case .product(let product): product.targets.contains { $0.name == "WeirNormalized" }
      @unknown default: false
      }
    }
    let modules = target.recursiveTargetDependencies.compactMap(\.sourceModule).filter {
      $0.sourceFiles.contains { $0.url.lastPathComponent == "weir.json" }
    }
    return (usesNormalizedCache ? ["--normalized-cache"] : [])
      + modules.flatMap { module in
        let folder = module.directoryURL.path
        return ["--dependency", "\(module.moduleName)=\(folder)"]
          + Self.inputs(module.sourceFiles.map(\.url)).filter { $0.hasPrefix("\(folder)/") }
          .flatMap { ["--dependency-file", $0] }
      }
  }
}

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin

  extension WeirCommand: XcodeCommandPlugin {
    func performCommand(context: XcodePluginContext, arguments: [String]) throws {
      let folder = context.xcodeProject.directoryURL
      try run(
        arguments, tool: try context.tool(named: "WeirTool").url, folder: folder,
        units: context.xcodeProject.targets.map {
          Unit(name: $0.displayName, root: folder, files: $0.inputFiles.map(\.url))
        }, isXcode: true)
    }
  }
#endif
