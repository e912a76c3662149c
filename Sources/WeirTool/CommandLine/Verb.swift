import WeirGeneration

/// One thing that the tool does.
struct Verb: Sendable {
  /// The words that choose the verb, for example `schema fetch`.
  let name: String
  let summary: String
  /// The operands as the help shows them.
  var operands = ""
  /// More about the operands.
  var note = ""
  let options: [Option]
  let run: @Sendable (Invocation) async throws(ToolFailure) -> Void

  /// The options of every verb.
  static let commonOptions = [
    Option(
      name: "--diagnostics", value: "FORMAT",
      help: "text, or json: one object in a line for each finding"),
    Option(name: "--help", help: "show this text"),
  ]

  var allOptions: [Option] { options + Self.commonOptions }

  var help: String {
    let width = (allOptions.map { $0.usage.count }.max() ?? 0) + 2
    let lines = allOptions.map { option in
      "  " + option.usage + String(repeating: " ", count: width - option.usage.count) + option.help
    }
    let usage = ["weir", name, "[OPTIONS]", operands].filter { !$0.isEmpty }
    return """
      \(summary)

      USAGE: \(usage.joined(separator: " "))
      \(note.isEmpty ? "" : "\n\(note)\n")
      \(lines.joined(separator: "\n"))

      \(Self.exitCodes)
      """
  }

  static let exitCodes = """
    EXIT CODES: 0 fine, 1 errors in the schema or the documents, or a check found a difference,
    2 wrong arguments or configuration, 3 a file or a server cannot be read, or a file written.
    """
}
