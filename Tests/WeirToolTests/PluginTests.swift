import Testing
import WeirGeneration

@testable import WeirTool

/// Plugins can import nothing, so they repeat what they need of the tools.
@Suite("The plugins")
struct PluginTests {
  private let command: String
  private let codegen: String

  init() throws {
    command = try Workspace.source("WeirCommand/WeirCommand.swift")
    codegen = try Workspace.source("WeirCodegen/WeirCodegen.swift")
  }

  /// The text between two others.
  private func text(
    after start: String, before end: String, in source: String
  ) throws -> Substring {
    let parts = source.split(separator: start)
    try #require(parts.count == 2)
    return try #require(parts[1].split(separator: end).first)
  }

  private func literals(_ text: Substring) -> Set<String> {
    Set(text.matches(of: /"([^"]+)"/).map { String($0.1) })
  }

  @Test("The command plugin knows which options of the tool have a value (T8)")
  func options() throws {
    let known = try literals(text(after: "optionsWithValue: Set = [", before: "]", in: command))
    let options = [Verb.generate, .validate, .manifest].flatMap(\.allOptions)
      .filter { $0.value != nil }
    #expect(known == Set(options.map(\.name)).subtracting(["--root", "--config"]))
  }

  @Test("The build plugin knows the names of the generator's files for the schema (T1)")
  func files() throws {
    let known = try literals(text(after: "names += [", before: "]", in: codegen))
    #expect(known == Set(Generator.schemaFileNames))
  }

  @Test("Both plugins find out in the same way whether a target uses the normalized cache (T1)")
  func normalizedCache() throws {
    let texts = try [command, codegen].map { source in
      try text(after: "target.dependencies.contains {", before: "@unknown", in: source)
        .split(whereSeparator: \.isWhitespace)
    }
    #expect(texts[0] == texts[1])
  }
}
