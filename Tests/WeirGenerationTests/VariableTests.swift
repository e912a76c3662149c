import Foundation
import GraphQLValidation
import TestSupport
import Testing
import Weir
import WeirGeneration

@Suite("Variables of generated operations", .timeLimit(.minutes(10)))
struct VariableTests {
  private func text(_ operation: some GeneratedOperation) -> String {
    String(decoding: operation.operation().variables, as: UTF8.self)
  }

  @Test(
    "Thousands of input objects that contain each other take time in proportion to them (G6)",
    .timeLimit(.minutes(10)))
  func manyInputs() throws {
    let count = 5_000
    let inputs = (0..<count).map {
      "input F\($0) { next: F\(($0 + 1) % count) end: End list: [F\($0)] value: E }"
    }
    let schema = """
      type Query { a(f: F0): Int } enum E { A } input End { last: Last! } input Last { value: E }
      \(inputs.joined(separator: "\n"))
      """
    let generator = Generator(
      schema: [try SourceFile(path: "s.graphqls", parsing: schema)],
      documents: [try SourceFile(path: "a.graphql", parsing: "query Q($f: F0) { a(f: $f) }")])
    let file = try #require(generator.files.first { $0.name == "WeirInputs.swift" })
    let stored = file.text.split(separator: "\n").filter { $0.contains(" var ") }
    #expect(stored.count { $0.contains(" next: Input<Box<Schema.F") } == count)
    #expect(stored.count { $0.contains("Box<") } == count)
  }

  @Test("An absent value is not sent, and null is sent (G6)")
  func threeStates() {
    #expect(text(Posts(withAuthor: true)) == #"{"withAuthor":true}"#)
    #expect(text(Posts(filter: .null, withAuthor: true)) == #"{"filter":null,"withAuthor":true}"#)
    let cursor: Int? = nil
    #expect(text(Posts(first: cursor, withAuthor: true)) == #"{"withAuthor":true}"#)
    let filter = Blog.PostFilter(genres: [.fiction, .unrecognized("X")], by: .id("1"))
    #expect(
      text(Posts(first: 2, filter: filter, withAuthor: false))
        == #"{"filter":{"by":{"id":"1"},"genres":["FICTION","X"]},"first":2,"withAuthor":false}"#)
    #expect(
      text(Posts(filter: .value(.init(by: .null)), withAuthor: false))
        == #"{"filter":{"by":null},"withAuthor":false}"#)
  }

  @Test("Variables have the bytes that encoding the same values gives (G6)")
  func sameBytes() throws {
    var random = SeededRandom(seed: 1)
    for _ in 0..<500 {
      let (filter, value) = filter(depth: Int.random(in: 0...4, using: &random), &random)
      let operation = Posts(filter: .value(filter), withAuthor: true).operation()
      let document: GraphQLDocument = "query Q($filter: F, $withAuthor: Boolean) { a }"
      let other = GraphQLOperation(
        document, variables: ["filter": value, "withAuthor": true] as JSONValue)
      #expect(operation.variables == other.variables)
    }
  }

  @Test("A value that cannot be encoded is the result of the operation (G6)")
  func failure() async {
    struct Scale: GeneratedQuery {
      typealias Data = Search.Data
      static let document: GraphQLDocument = "query Scale($by: Float!) { scale(by: $by) }"
      var by: [Double]
      func write(to variables: inout InputWriter) { variables.write("by", by) }
    }
    let client = GraphQLClient([])
    let error = await client.query(Scale(by: [1, .infinity])).error
    #expect(error?.code == .variables)
    #expect(error?.message.contains("by[1]") == true)
  }

  @Test("A file in an input object is sent at its path (G6)")
  func upload() {
    struct Send: GeneratedMutation {
      typealias Data = Search.Data
      static let document: GraphQLDocument =
        "mutation Send($files: [Upload!]!) { send(files: $files) }"
      var files: [Upload]
      func write(to variables: inout InputWriter) { variables.write("files", files) }
    }
    let file = Upload(bytes: [1], filename: "a")
    #expect(text(Send(files: [file, file])) == #"{"files":[null,null]}"#)
    // The files are a part of what makes operations differ.
    #expect(
      Send(files: [file]).operation().key
        != Send(files: [Upload(bytes: [1], filename: "a")]).operation().key)
  }

  /// A random filter, and the same as JSON.
  private func filter(
    depth: Int, _ random: inout SeededRandom
  ) -> (Blog.PostFilter, JSONValue) {
    var filter = Blog.PostFilter()
    var members: JSONObject = [:]
    if let text = ["", "a\"\\\n\u{1}é😀", "plain"].randomElement(using: &random),
      Bool.random(using: &random)
    {
      filter.text = .value(text)
      members["text"] = .string(text)
    }
    if Bool.random(using: &random) {
      filter.by = Bool.random(using: &random) ? .null : .value(.title("t"))
      members["by"] = filter.by == .null ? .null : ["title": "t"]
    }
    if Bool.random(using: &random) {
      filter.genres = .value([.fiction, .selfHelp])
      members["genres"] = ["FICTION", "SELF_HELP"]
    }
    if Bool.random(using: &random) {
      filter.since = .value(Date(timeIntervalSince1970: 0))
      members["since"] = "1970-01-01T00:00:00Z"
    }
    if depth > 0 {
      let (inner, value) = self.filter(depth: depth - 1, &random)
      filter.and = .value(Box(inner))
      members["and"] = value
    }
    return (filter, .object(members))
  }
}
