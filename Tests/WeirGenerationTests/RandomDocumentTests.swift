import Foundation
import GraphQLLanguage
import GraphQLValidation
import TestSupport
import Testing

@testable import WeirGeneration

@Suite("Random documents")
struct RandomDocumentTests {
  @Test("Random documents are valid, and give the same code in any order (G7)", arguments: 1...12)
  func valid(seed: UInt64) throws {
    let module = try RandomModule(seed: seed, operations: 12)
    // A file for each operation, and four for the schema.
    #expect(module.generator.files.count == 12 + 4)
    let again = try RandomModule(seed: seed, operations: 12) { $0.reversed() }
    #expect(Set(again.generator.files) == Set(module.generator.files))
  }

  @Test(
    "Generated code has at most 14 lines for each line of a document of 30 lines or more (G1)",
    arguments: 1...4)
  func lines(seed: UInt64) throws {
    let module = try RandomModule(seed: seed, operations: 40)
    var measured = 0
    for (document, file) in zip(module.documents, module.generator.files) {
      let lines = try Document(parsing: document.text).canonicalText.split(separator: "\n").count
      guard lines >= 30 else { continue }
      measured += 1
      let generated = file.text.split(separator: "\n").count
      #expect(generated <= 14 * lines, "\(file.name): \(generated) lines for \(lines)")
    }
    #expect(measured > 10)
  }

  /// `.ci/random-documents` compiles and runs what this writes.
  @Test(
    "Random documents are written for a program that runs them",
    .enabled(if: ProcessInfo.processInfo.environment["WEIR_RANDOM_DOCUMENTS"] != nil))
  func write() throws {
    let settings = try #require(ProcessInfo.processInfo.environment["WEIR_RANDOM_DOCUMENTS"])
      .split(separator: " ")
    let folder = URL(filePath: String(settings[0]))
    let seed = try #require(UInt64(settings[1]))
    let module = try RandomModule(seed: seed, operations: try #require(Int(settings[2])))
    for file in module.generator.files + [module.program, module.schemaFile] {
      try file.text.write(to: folder.appending(path: file.name), atomically: true, encoding: .utf8)
    }
    for document in module.documents {
      try document.text.write(
        to: folder.appending(path: "\(document.name).graphql"), atomically: true, encoding: .utf8)
    }
  }
}

/// A random schema with random operations, and the code for them.
struct RandomModule {
  let schema: RandomSchema
  let documents: [RandomDocument]
  let generator: Generator
  private let seed: UInt64
  private let types: TypeSystem

  init(
    seed: UInt64, operations: Int, _ ordered: ([SourceFile]) -> [SourceFile] = { $0 }
  ) throws {
    self.seed = seed
    schema = RandomSchema(seed: seed)
    let schemaFile = try SourceFile(path: "schema.graphqls", parsing: schema.text)
    types = TypeSystem([schemaFile])
    try #require(types.validate(strict: true).map(\.description) == [], "\(schema.text)")
    var random = SeededRandom(seed: seed &* 7919)
    var (documents, files): ([RandomDocument], [SourceFile]) = ([], [])
    while documents.count < operations {
      let kind =
        [.query, .query, .query, .mutation, .subscription][documents.count % 5] as OperationKind
      let document = RandomDocument(
        "Q\(documents.count)", kind, on: types, seed: random.next())
      let file = try SourceFile(path: "\(document.name).graphql", parsing: document.text)
      let errors = Self.generator([schemaFile], [file]).findings.filter { $0.severity == .error }
      guard errors.isEmpty else {
        for error in errors where !Self.isExpected(error) {
          Issue.record("\(error)\n\(document.text)\n\(schema.text)")
          throw error
        }
        continue
      }
      documents.append(document)
      files.append(file)
    }
    self.documents = documents
    generator = Self.generator([schemaFile], ordered(files))
    try #require(!generator.files.isEmpty, "\(generator.findings)")
  }

  static var configuration: GenerationConfiguration {
    var configuration = GenerationConfiguration()
    configuration.namespace = "Random"
    configuration.scalars = ["Money": "Foundation.Decimal"]
    return configuration
  }

  private static func generator(_ schema: [SourceFile], _ documents: [SourceFile]) -> Generator {
    Generator(schema: schema, documents: documents, configuration: configuration)
  }

  /// Whether an error depends on all selections together, which random documents do not consider.
  private static func isExpected(_ error: GenerationFinding) -> Bool {
    ["[field-selection-merging]", "have the name", "like a fragment"].contains {
      error.message.contains($0)
    }
  }
}

// MARK: - The program

extension RandomModule {
  var schemaFile: GeneratedFile { GeneratedFile(name: "schema.graphqls", text: schema.text) }

  /// The program that checks each operation with some values of its variables.
  var program: GeneratedFile {
    var text = """
      import Foundation
      import RandomDocuments
      import Weir

      @main
      struct Program {
        static func main() async throws {
          let checks = try Checks(schema: \(schema.text.swiftLiteral), seed: \(seed))

      """
    for document in documents { text += "    try await check\(document.name)(checks)\n" }
    text += "    checks.finish()\n  }\n}\n"
    var variables = RandomVariables(types, Self.configuration, SeededRandom(seed: seed))
    for document in documents {
      text += "\nfunc check\(document.name)(_ checks: Checks) async throws {\n"
      for _ in 0..<3 {
        let value = variables.operation(document)
        text +=
          "  try await checks.\(document.kind.rawValue)(\(value.swift), #\"\(value.json)\"#)\n"
        if document.variables.isEmpty { break }
      }
      text += "}\n"
    }
    return GeneratedFile(name: "Program.swift", text: text)
  }
}
