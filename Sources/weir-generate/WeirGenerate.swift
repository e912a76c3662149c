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
    let dependencies = try arguments.dependencies.map { dependency throws(Failure) in
      try GenerationModule(dependency.module, folder: dependency.folder)
    }
    var configuration = try GenerationConfiguration(sources, path: arguments.configuration)
    configuration.normalizedCache = configuration.normalizedCache ?? arguments.isNormalized
    let files = try generate(sources, configuration, dependencies)
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

  /// Generates the files, and reports what was found.
  private static func generate(
    _ sources: SourceFolder, _ configuration: GenerationConfiguration,
    _ dependencies: [GenerationModule]
  ) throws(Failure) -> [GeneratedFile] {
    let (schema, documents) = try sources.parse(needsSchema: dependencies.isEmpty)
    let generator = Generator(
      schema: schema, documents: documents, configuration: configuration,
      dependencies: dependencies)
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
