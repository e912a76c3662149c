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
    do throws(Failure) {
      try run(Arguments(arguments))
    } catch {
      FileHandle.standardError.write(Data("\(error.message)\n".utf8))
      exit(error.code.rawValue)
    }
  }

  private static func run(_ arguments: Arguments) throws(Failure) {
    guard let output = arguments.output else {
      throw Failure(.usage, "--output is missing. See weir-generate --help.")
    }
    let sources = try SourceFolder(arguments)
    var configuration = try configuration(arguments, sources.root)
    configuration.normalizedCache = configuration.normalizedCache ?? arguments.isNormalized
    let files = try generate(sources, configuration)
    let folder = OutputFolder(path: output)
    let changed = folder.changed(files)
    guard arguments.isCheck else { return try folder.write(changed) }
    guard changed.isEmpty else {
      let names = changed.map { "\(folder.url.appendingPathComponent($0.name).path): error: " }
      throw Failure(
        .documents,
        names.map { $0 + "The file is not up to date. Generate it again." }.joined(separator: "\n"))
    }
  }

  private static func configuration(
    _ arguments: Arguments, _ root: URL
  ) throws(Failure) -> GenerationConfiguration {
    let path = arguments.configuration ?? root.appendingPathComponent("weir.json").path
    guard arguments.configuration != nil || FileManager.default.fileExists(atPath: path) else {
      return GenerationConfiguration()
    }
    let text = try SourceFolder.read(path)
    do throws(GenerationFinding) {
      return try GenerationConfiguration(parsing: text, path: path)
    } catch {
      throw Failure(.usage, "\(error)")
    }
  }

  /// Generates the files, and reports what was found.
  private static func generate(
    _ sources: SourceFolder, _ configuration: GenerationConfiguration
  ) throws(Failure) -> [GeneratedFile] {
    let (schema, documents) = try sources.parse()
    let generator = Generator(
      schema: schema, documents: documents, configuration: configuration)
    let findings = generator.findings.map { $0.mapPaths(sources.fullPath) }
    let errors = findings.filter { $0.severity == .error }
    guard errors.isEmpty else {
      throw Failure(.documents, findings.map(\.description).joined(separator: "\n"))
    }
    for finding in findings {
      FileHandle.standardError.write(Data("\(finding)\n".utf8))
    }
    return generator.files
  }
}

extension GenerationFinding {
  /// Returns the finding with other paths.
  fileprivate func mapPaths(_ map: (String) -> String) -> GenerationFinding {
    var copy = self
    copy.path = map(path)
    copy.related = related.map { $0.mapPaths(map) }
    return copy
  }
}
