import GraphQLValidation
import WeirGeneration

/// The entry of the tool, without the process around it.
enum Tool {
  static let verbs: [Verb] = [
    .generate, .validate, .schemaFetch, .schemaPrint, .schemaCheck, .schemaDiff, .manifest, .format,
    .initialize, .explain,
  ]

  /// Runs the tool.
  ///
  /// - Returns: the exit code.
  static func run(_ arguments: [String], in environment: ToolEnvironment) async -> Int32 {
    // Also for mistakes in the arguments.
    let isJSON =
      arguments.contains("--diagnostics=json")
      || zip(arguments, arguments.dropFirst()).contains { $0 == ("--diagnostics", "json") }
    do throws(ToolFailure) {
      guard let first = arguments.first, !["--help", "-h", "help"].contains(first) else {
        environment.write(help)
        return arguments.isEmpty ? ToolFailure.Code.usage.rawValue : 0
      }
      let (verb, rest) = try verb(arguments)
      if rest.contains("--help") || rest.contains("-h") {
        environment.write(verb.help)
        return 0
      }
      let parsed = try Arguments(rest, options: verb.allOptions)
      _ = try parsed.choice("--diagnostics", of: ["text", "json"])
      try await verb.run(
        Invocation(arguments: parsed, environment: environment, isJSON: isJSON))
      return 0
    } catch {
      environment.report(error.findings, isJSON: isJSON)
      return error.code.rawValue
    }
  }

  private static func verb(
    _ arguments: [String]
  ) throws(ToolFailure) -> (Verb, ArraySlice<String>) {
    for count in [2, 1] {
      let name = arguments.prefix(count).joined(separator: " ")
      if let verb = verbs.first(where: { $0.name == name }) {
        return (verb, arguments.dropFirst(count))
      }
    }
    let inner = verbs.filter { $0.name.hasPrefix("\(arguments[0]) ") }.map(\.name)
    if !inner.isEmpty {
      throw ToolFailure(.usage, "Choose one of: \(inner.joined(separator: ", ")).")
    }
    let words = verbs.flatMap { [$0.name] + $0.name.split(separator: " ").map(String.init) }
    let similar = Suggestions.similar(to: arguments[0], among: words)
    throw ToolFailure(
      .usage,
      "Unknown verb \"\(arguments[0])\".\(Suggestions.question(similar)) See weir --help.")
  }

  private static var help: String {
    let width = (verbs.map(\.name.count).max() ?? 0) + 2
    let lines = verbs.map { verb in
      "  " + verb.name + String(repeating: " ", count: width - verb.name.count) + verb.summary
    }
    return """
      Checks GraphQL documents and schemas, and generates Swift types from them.

      USAGE: weir VERB [OPTIONS]

      \(lines.joined(separator: "\n"))

      weir VERB --help shows the options of a verb.

      \(Verb.exitCodes)
      """
  }
}
