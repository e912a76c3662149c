import GraphQLValidation
import WeirGeneration

extension Verb {
  static let generate = Verb(
    name: "generate",
    summary: "Writes Swift types for documents, to be committed, and the configured manifest.",
    operands: "[FILE or DIR…]",
    note: """
      The files are the whole project: generated files of other documents are removed. Without files,
      all in the folder count.
      """,
    options: Project.options + [
      Option(
        name: "--output", value: "DIR",
        help: "the folder for the files; by default Generated beside the configuration"),
      Option(name: "--check", help: "write nothing; fail if a file would change"),
      Option(name: "--force", help: "replace files that were not generated, too"),
      Option(name: "--quiet", help: "show no warnings"),
      Option(name: "--timings", help: "show how long each step takes"),
    ]
  ) { (invocation) throws(ToolFailure) in
    let arguments = invocation.arguments
    var timings = Timings(isShown: arguments.has("--timings"), invocation)
    let project = try Project.named(by: invocation)
    timings.end("find files")
    let parsed = try project.parse()
    let (files, findings) = try project.generate(parsed, isQuiet: arguments.has("--quiet"))
    let manifest = try ManifestFile(project.configuration, parsed)
    invocation.report(findings)
    timings.end("generate")
    let output = OutputFolder(
      path: arguments["--output"].map(invocation.environment.path) ?? project.folder + "/Generated")
    if arguments.has("--check") {
      try check(files, manifest, output)
    } else {
      try write(files, manifest, output, invocation)
    }
    timings.end("compare and write")
  }

  private static func check(
    _ files: [GeneratedFile], _ manifest: ManifestFile?, _ output: OutputFolder
  ) throws(ToolFailure) {
    let removed = output.stale(files).map {
      GenerationFinding("The file has no document any more. Generate again.", path: output.path($0))
    }
    let differences = output.check(files) + removed + [manifest?.difference].compactMap(\.self)
    if !differences.isEmpty { throw ToolFailure(.documents, differences) }
  }

  /// Writes what has changed, while no other run does so.
  private static func write(
    _ files: [GeneratedFile], _ manifest: ManifestFile?, _ output: OutputFolder,
    _ invocation: Invocation
  ) throws(ToolFailure) {
    try output.locked { () throws(ToolFailure) in
      var foreign = output.foreign(files).map {
        GenerationFinding(
          "The file was not generated. Rename it, or replace it with --force.",
          path: output.path($0.name))
      }
      foreign += [manifest?.foreign].compactMap(\.self)
      guard foreign.isEmpty || invocation.arguments.has("--force") else {
        throw ToolFailure(.files, foreign)
      }
      try output.write(output.changed(files))
      try output.remove(output.stale(files))
      try manifest?.write()
    }
  }

  static let validate = Verb(
    name: "validate", summary: "Checks documents and their schema, as a build does.",
    operands: "[FILE or DIR…]",
    options: Project.options + [
      Option(name: "--strict", help: "fail if there are warnings, too"),
      Option(name: "--quiet", help: "show nothing unless the run fails"),
    ]
  ) { (invocation) throws(ToolFailure) in
    let project = try Project.named(by: invocation)
    let parsed = try project.parse()
    let (_, findings) = try project.generate(parsed)
    let refused = parsed.refusedOperations(project.configuration)
    if !refused.isEmpty { throw ToolFailure(.documents, findings + refused) }
    if invocation.arguments.has("--strict"), !findings.isEmpty {
      throw ToolFailure(.documents, findings)
    }
    if invocation.arguments.has("--quiet") { return }
    invocation.report(findings)
    if !invocation.isJSON { invocation.environment.write(summary(of: parsed, project)) }
  }

  /// How many documents are valid, and by which schema.
  private static func summary(
    of parsed: GenerationProject.Parsed, _ project: GenerationProject
  ) -> String {
    let count = parsed.documents.count
    // Without a schema of its own, a module has that of others.
    let files = parsed.schema.map { project.sources.fullPath($0.path) }
    let modules = parsed.modules.filter { !$0.schema.isEmpty }.map { "the module \($0.name)" }
    let names = files.isEmpty ? modules : files
    let schema = names.count > 3 ? "\(names.count) files" : names.joined(separator: ", ")
    let documents = count == 1 ? "1 document is" : "\(count) documents are"
    return "\(documents) valid by the schema in \(schema)."
  }
}

extension GenerationProject {
  /// Generates the files; without warnings, also in a failure, if the run is quiet.
  fileprivate func generate(
    _ parsed: Parsed, isQuiet: Bool
  ) throws(ToolFailure) -> (files: [GeneratedFile], findings: [GenerationFinding]) {
    do throws(ToolFailure) {
      let (files, findings) = try generate(parsed)
      return (files, isQuiet ? [] : findings)
    } catch {
      let errors = error.findings.filter { $0.severity == .error }
      throw isQuiet ? ToolFailure(error.code, errors) : error
    }
  }
}

/// Shows how long the steps of a verb take.
private struct Timings {
  private let isShown: Bool
  private let invocation: Invocation
  private var start = ContinuousClock.now

  init(isShown: Bool, _ invocation: Invocation) {
    (self.isShown, self.invocation) = (isShown, invocation)
  }

  mutating func end(_ step: String) {
    guard isShown else { return }
    let now = ContinuousClock.now
    invocation.note("\(step): \(start.duration(to: now))")
    start = now
  }
}
