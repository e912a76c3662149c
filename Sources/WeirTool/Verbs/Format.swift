import WeirGeneration

extension Verb {
  static let format = Verb(
    name: "format",
    summary: "Rewrites documents and schemas in the canonical form, with their comments.",
    operands: "[FILE or DIR…]",
    options: [Option(name: "--check", help: "write nothing; fail if a file would change")]
  ) { (invocation) throws(ToolFailure) in
    let environment = invocation.environment
    let operands = invocation.arguments.operands
    var findings: [GenerationFinding] = []
    var changed: [(path: String, text: String)] = []
    for path in try environment.sources(
      operands.isEmpty ? ["."] : operands, endings: ["graphql", "graphqls"])
    {
      let text = try SourceFolder.read(path)
      do throws(GenerationFinding) {
        let formatted = try DocumentFormatter.format(text, path: path)
        if formatted != text { changed.append((path, formatted)) }
      } catch {
        findings.append(error)
      }
    }
    if invocation.arguments.has("--check") {
      findings += changed.map {
        GenerationFinding("The file is not formatted. Run weir format.", path: $0.path)
      }
      changed = []
    }
    for file in changed {
      try WrittenFile.write(file.text, to: file.path)
      environment.write(file.path)
    }
    if !findings.isEmpty { throw ToolFailure(.documents, findings) }
  }
}
