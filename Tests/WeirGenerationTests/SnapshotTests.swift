import Foundation
import GraphQLValidation
import Testing
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

  @Test("The order of the files changes nothing (G7)")
  func order() throws {
    let (forward, backward) = (
      try Fixture.generator(), try Fixture.generator { $0.reversed() }
    )
    #expect(Set(forward.files) == Set(backward.files))
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
    _ ordered: ([SourceFile]) -> [SourceFile] = { $0 }
  ) throws -> Generator {
    Generator(
      schema: [try SourceFile(path: "schema.graphqls", parsing: schemaText())],
      documents: ordered(try documents()), configuration: configuration)
  }
}
