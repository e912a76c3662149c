import Foundation
import WeirGeneration

/// Generates Swift types from a GraphQL schema and documents.
@main
struct WeirGenerate {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.contains("--help") || arguments.contains("-h") {
      print(Arguments.help)
      return
    }
    do throws(ToolFailure) {
      try run(Arguments(arguments))
    } catch {
      FileHandle.standardError.write(Data(text(of: error.findings).utf8))
      exit(error.code.rawValue)
    }
  }

  private static func run(_ arguments: Arguments) throws(ToolFailure) {
    guard let output = arguments.output else {
      throw ToolFailure(.usage, "--output is missing. See weir-generate --help.")
    }
    var project = try GenerationProject(
      root: arguments.root, configuration: arguments.configuration, files: arguments.files)
    try project.add(dependencies: arguments.dependencies, files: arguments.dependencyFiles)
    project.setNormalizedCache(arguments.isNormalized)
    let folder = OutputFolder(path: output)
    try folder.locked { () throws(ToolFailure) in
      // Only now: another run may have written the files meanwhile.
      let stamp = arguments.stamp.flatMap { Stamp(path: $0, project) }
      if let warnings = stamp?.warnings(in: folder.url) { return report(warnings) }
      let (files, findings) = try project.generate()
      try folder.write(folder.changed(files))
      let warnings = text(of: findings)
      try stamp?.write(files.map(\.name), in: folder.url, warnings: warnings)
      report(warnings)
    }
  }

  private static func text(of findings: [GenerationFinding]) -> String {
    findings.map { "\($0)\n" }.joined()
  }

  private static func report(_ warnings: String) {
    FileHandle.standardError.write(Data(warnings.utf8))
  }
}
