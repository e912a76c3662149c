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
      FileHandle.standardError.write(Data("\(error.message)\n".utf8))
      exit(error.code.rawValue)
    }
  }

  private static func run(_ arguments: Arguments) throws(ToolFailure) {
    guard let output = arguments.output else {
      throw ToolFailure(.usage, "--output is missing. See weir-generate --help.")
    }
    let sources = try SourceFolder(root: arguments.root, files: arguments.files)
    let path = try sources.configurationPath(arguments.configuration)
    let configuration = try SourceFolder.configuration(path)
    let (files, findings) = try Generator.files(of: sources, configuration)
    for finding in findings {
      FileHandle.standardError.write(Data("\(finding)\n".utf8))
    }
    let folder = OutputFolder(path: output)
    guard arguments.isCheck else { return try folder.write(folder.changed(files)) }
    let differences = folder.check(files)
    if !differences.isEmpty { throw ToolFailure(.documents, differences) }
  }
}
