extension Generator {
  /// Generates the files for the sources of a folder.
  ///
  /// - Returns: the files, and the findings with whole paths, none of which is an error.
  /// - Throws: a failure with all findings, if one is an error.
  package static func files(
    of sources: SourceFolder, _ configuration: GenerationConfiguration
  ) throws(ToolFailure) -> (files: [GeneratedFile], findings: [GenerationFinding]) {
    let (schema, documents) = try sources.parse(configuration)
    let generator = Generator(schema: schema, documents: documents, configuration: configuration)
    let findings = generator.findings.map { $0.mapPaths(sources.fullPath) }
    if findings.contains(where: { $0.severity == .error }) {
      throw ToolFailure(.documents, findings)
    }
    return (generator.files, findings)
  }
}
