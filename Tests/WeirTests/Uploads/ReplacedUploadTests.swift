import Testing

@testable import Weir

/// An `encode(to:)` that writes a file, and something else in its place.
@Suite("Files that other values replace")
struct ReplacedUploadTests {
  private struct Writing: Encodable, Sendable {
    enum Keys: CodingKey { case file, input }
    let write: @Sendable (any Encoder) throws -> Void

    func encode(to encoder: any Encoder) throws { try write(encoder) }

    /// Writes members.
    static func object(
      _ write: @escaping @Sendable (inout KeyedEncodingContainer<Keys>) throws -> Void
    ) -> Writing {
      Writing {
        var object = $0.container(keyedBy: Keys.self)
        try write(&object)
      }
    }

    /// Writes a value in the place of another one.
    static func values(
      _ write: @escaping @Sendable (inout any SingleValueEncodingContainer) throws -> Void
    ) -> Writing {
      object {
        try $0.encode(
          Writing {
            var value = $0.singleValueContainer()
            try write(&value)
          }, forKey: .file)
      }
    }
  }

  private static func file(_ name: String) -> Upload { Upload(bytes: [1], filename: name) }

  private static let cases: [(Writing, text: String, sent: [String])] = [
    (
      .object {
        try $0.encode(file("a"), forKey: .file)
        try $0.encode(file("b"), forKey: .file)
      }, #"{"file":null}"#, ["file b"]
    ),
    (
      .object {
        try $0.encode(file("a"), forKey: .file)
        try $0.encodeNil(forKey: .file)
      }, #"{"file":null}"#, []
    ),
    (
      .object {
        try $0.encode(["file": [file("a")]], forKey: .input)
        try $0.encode("text", forKey: .input)
      }, #"{"input":"text"}"#, []
    ),
    (
      .object {
        for name in ["a", "b"] {
          var input = $0.nestedContainer(keyedBy: Writing.Keys.self, forKey: .input)
          try input.encode(file(name), forKey: .file)
        }
      }, #"{"input":{"file":null}}"#, ["input.file b"]
    ),
    (
      .object {
        var input = $0.nestedContainer(keyedBy: Writing.Keys.self, forKey: .input)
        try input.encode(file("a"), forKey: .file)
        _ = $0.nestedContainer(keyedBy: Writing.Keys.self, forKey: .input)
        try $0.encode("text", forKey: .input)
      }, #"{"input":"text"}"#, []
    ),
    (
      .object {
        for name in ["a", "b"] {
          var input = $0.nestedUnkeyedContainer(forKey: .input)
          try input.encode(file(name))
        }
      }, #"{"input":[null,null]}"#, ["input.0 a", "input.1 b"]
    ),
    (
      .values {
        try $0.encode(file("a"))
        try $0.encode(file("b"))
      }, #"{"file":null}"#, ["file b"]
    ),
    (
      .values {
        try $0.encode(file("a"))
        try $0.encode("text")
      }, #"{"file":"text"}"#, []
    ),
    (
      .values {
        try $0.encode([file("a")])
        try $0.encode("text")
      }, #"{"file":"text"}"#, []
    ),
  ]

  @Test("A file that another value replaces is not sent", arguments: cases.indices)
  func replaced(index: Int) {
    let (variables, text, sent) = Self.cases[index]
    let document: GraphQLDocument = "mutation A($file: Any, $input: Any) { a }"
    let operation = GraphQLOperation(document, variables: variables)
    #expect(operation.variables == Array(text.utf8))
    #expect(operation.uploads.map { "\($0.path) \($0.upload.filename)" } == sent)
  }
}
