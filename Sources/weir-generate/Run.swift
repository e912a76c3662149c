import Foundation
import GraphQLValidation
import WeirGeneration

/// The files of one run.
struct Run {
  private let arguments: Arguments
  private let sources: SourceFolder
  private let dependencies: [(module: String, sources: SourceFolder)]

  init(_ arguments: Arguments) throws(Failure) {
    self.arguments = arguments
    sources = try SourceFolder(arguments.root, files: arguments.files)
    dependencies = try arguments.dependencies.map { dependency throws(Failure) in
      (dependency.module, try SourceFolder(dependency.folder))
    }
  }

  /// All that the generated code depends on besides the contents of files.
  var settings: [String] {
    ["\(arguments.isNormalized)", sources.root.path] + dependencies.map(\.module)
  }

  /// The paths of all files that the generated code depends on.
  var inputs: [String] {
    (arguments.configuration.map { [$0] } ?? []) + sources.inputs
      + dependencies.flatMap(\.sources.inputs)
  }

  /// Generates the files, and returns what is odd besides.
  func generate() throws(Failure) -> (files: [GeneratedFile], warnings: String) {
    let modules = try dependencies.map { dependency throws(Failure) in
      try GenerationModule(dependency.module, dependency.sources)
    }
    var configuration = try GenerationConfiguration(sources, path: arguments.configuration)
    configuration.normalizedCache = configuration.normalizedCache ?? arguments.isNormalized
    let (schema, documents) = try sources.parse(needsSchema: modules.allSatisfy(\.schema.isEmpty))
    let generator = Generator(
      schema: schema, documents: documents, configuration: configuration, dependencies: modules)
    let findings = generator.findings.map { $0.mapPaths(sources.fullPath) }
    guard !findings.contains(where: { $0.severity == .error }) else {
      throw Failure(.documents, findings.map(\.description).joined(separator: "\n"))
    }
    return (generator.files, findings.map { "\($0)\n" }.joined())
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
