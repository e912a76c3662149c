import Foundation
import GraphQLValidation
import TestSupport
import Testing
import Weir
import WeirGeneration

/// Compares generated code with the files in `Generated`, which the other tests of this module
/// compile and run. With the environment variable `WEIR_RECORD` the files are written instead.
@Suite("Generated code")
struct SnapshotTests {
  @Test("The documents of the tests give the code that was committed (G1)")
  func snapshots() throws {
    let generator = try Fixture.generator()
    #expect(
      generator.findings.map(\.description) == [
        "Fields.graphql:7:5: warning: The field Post.subtitle is deprecated. Use title. "
          + "[deprecated]"
      ])
    let folder = Fixture.folder.appending(path: "Generated")
    for file in generator.files {
      let url = folder.appending(path: file.name)
      if ProcessInfo.processInfo.environment["WEIR_RECORD"] != nil {
        try file.text.write(to: url, atomically: true, encoding: .utf8)
      }
      let recorded = try String(contentsOf: url, encoding: .utf8)
      #expect(recorded == file.text, "\(file.name) differs")
    }
  }

  @Test("Neither another run, the order of the files nor the number of tasks changes a byte (G7)")
  func determinism() throws {
    let first = try Fixture.generator()
    #expect(!first.files.isEmpty)
    for seed in 1...5 {
      var random = SeededRandom(seed: UInt64(seed))
      let other = try Fixture.generator(tasks: seed) { $0.shuffled(using: &random) }
      #expect(Set(first.files) == Set(other.files))
      #expect(Set(first.findings) == Set(other.findings))
    }
  }

  @Test("Concurrent work gives results in the order of the elements, each once (G7)")
  func concurrentWork() {
    for count in [0, 1, 2, 63, 64, 65, 1000] {
      for tasks in [1, 2, 3, .max] {
        let calls = Locked(0)
        let results = Array(0..<count).concurrentMap(tasks: tasks) { element in
          calls.withLock { $0 += 1 }
          return element * 2
        }
        #expect(results == (0..<count).map { $0 * 2 } && calls.withLock { $0 } == count)
      }
    }
  }

  @Test("Comments directly above an operation or a fragment become its documentation (G7)")
  func comments() throws {
    func text(_ change: (inout GenerationConfiguration) -> Void = { _ in }) throws -> String {
      var configuration = GenerationConfiguration()
      change(&configuration)
      let document = """
        # A header of the file.

        # ------
        # The first field.
        #
        ## Of all.
        # weir:ignore hidden-swift-type
        query A { a }
        # Above a description.
        "Described."
        query B { ...C } # Behind.
        query D { a } query E { a }
          #import "Other.graphql"
          # é
          fragment C on Query { a }
        # Beyond an empty line.

        query F { a }
        """
      let generator = Generator(
        schema: [try SourceFile(path: "schema.graphqls", parsing: "type Query { a: Int }")],
        documents: [try SourceFile(path: "a.graphql", parsing: document)],
        configuration: configuration)
      #expect(generator.findings == [])
      return generator.files.first?.text ?? ""
    }
    let code = try text()
    let comments = code.split(separator: "\n").filter { $0.hasPrefix("///") }
    #expect(
      comments == ["/// The first field.", "/// Of all.", "/// Described.", "/// é"])
    #expect(code.contains("/// Of all.\nnonisolated struct A: "))
    #expect(code.contains("/// é\nnonisolated struct C: "))
    #expect(try !text { $0.documentation = false }.contains("///"))
  }

  @Test("The schema's types are those in use, all, or those that the configuration names (G7)")
  func schemaTypes() throws {
    let schema = """
      type Query { a: Int book: Book }
      type Book implements Node { id: ID! genre: Genre author: Author }
      type Author { id: ID! }
      interface Node { id: ID! }
      enum Genre { FICTION }
      input Filter { inner: Inner }
      input Inner { genre: Genre }
      """
    func names(_ types: GenerationConfiguration.SchemaTypes) throws -> [String] {
      var configuration = GenerationConfiguration()
      configuration.schemaTypes = types
      configuration.normalizedCache = true
      let generator = Generator(
        schema: [try SourceFile(path: "schema.graphqls", parsing: schema)],
        documents: [try SourceFile(path: "a.graphql", parsing: "query A { a }")],
        configuration: configuration)
      #expect(generator.findings == [])
      let text = generator.files.dropFirst().map(\.text).joined()
      return ["Query", "Book", "Author", "Node", "Genre", "Filter", "Inner"].filter {
        text.contains("enum \($0):") || text.contains("struct \($0):")
      }
    }
    #expect(try names(.used) == ["Query"])
    #expect(
      try names(.all) == ["Query", "Book", "Author", "Node", "Genre", "Filter", "Inner"])
    #expect(try names(.named(["Filter"])) == ["Query", "Genre", "Filter", "Inner"])
    // An object brings the types of its fields, so that their names are complete.
    #expect(try names(.named(["Book"])) == ["Query", "Book", "Author", "Genre"])
  }
}

/// The schema and the documents that the types in `Generated` are made from.
enum Fixture {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()

  static var configuration: GenerationConfiguration {
    var configuration = GenerationConfiguration()
    configuration.namespace = "Blog"
    configuration.access = .public
    configuration.scalars = ["Money": "Foundation.Decimal"]
    configuration.keys = ["Named": .fields(["name"]), "Author": .fields(["id"])]
    configuration.normalizedCache = true
    configuration.lint = ["require-key": .off]
    return configuration
  }

  static func schemaText() throws -> String {
    try String(contentsOf: folder.appending(path: "Documents/schema.graphqls"), encoding: .utf8)
  }

  static func documents() throws -> [SourceFile] {
    let documents = folder.appending(path: "Documents")
    let names = try FileManager.default.contentsOfDirectory(atPath: documents.path)
      .filter { $0.hasSuffix(".graphql") }.sorted()
    return try names.map { name in
      try SourceFile(
        path: name,
        parsing: String(contentsOf: documents.appending(path: name), encoding: .utf8))
    }
  }

  static func generator(
    tasks: Int = .max, _ ordered: ([SourceFile]) -> [SourceFile] = { $0 }
  ) throws -> Generator {
    Generator(
      schema: [try SourceFile(path: "schema.graphqls", parsing: schemaText())],
      documents: ordered(try documents()), configuration: configuration, tasks: tasks)
  }
}
