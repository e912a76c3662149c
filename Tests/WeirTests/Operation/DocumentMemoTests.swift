import Testing
import WeirTesting

@testable import Weir

/// The memory for documents whose texts and names come from outside.
@Suite("Remembered documents", .timeLimit(.minutes(10)))
struct DocumentMemoTests {
  private struct Weak<Object: AnyObject> {
    weak var object: Object?
  }

  private static func text(_ name: String, fields: Int) -> String {
    "query \(name) { \((0..<fields).map { "f\($0)" }.joined(separator: " ")) }"
  }

  @Test(
    "Only names that the document has are remembered (K10)",
    arguments: ["query A { a } query B { b }", "query A { a } fragment F on T { ...G }", "query {"])
  func names(text: String) {
    let document = GraphQLDocument(text)
    let kept = (0..<500).map { number -> Weak<PreparedOperation> in
      let operation = GraphQLOperation(document, name: "N\(number)")
      defer { withExtendedLifetime(operation) {} }
      return Weak(object: operation.prepared)
    }
    // A text that does not parse has one error, whatever the name.
    #expect(Set(kept.compactMap(\.object).map(ObjectIdentifier.init)).count <= 1)
    #expect(document.prepared(for: "A") === document.prepared(for: "A"))
  }

  @Test("An unknown name is cut short in the message (K10)")
  func longName() {
    let name = String(repeating: "n", count: 1_000_000)
    let operation = GraphQLOperation("query A { a } query B { b }", name: name)
    #expect(operation.defect?.code == .document)
    #expect((operation.defect?.message.utf8.count ?? .max) < 200)
  }

  @Test("Documents are kept up to a number of bytes, and emptied beyond it (K10)")
  func bound() {
    let memo = DocumentMemo(limit: 1 << 20)
    var made: [Weak<GraphQLDocument.Storage>] = []
    for number in 0..<300 {
      let storage = memo.storage(for: Self.text("Q\(number)", fields: 100), maximumTokens: .max)
      _ = storage.prepared(for: nil)
      made.append(Weak(object: storage))
      #expect(memo.bytes <= 1 << 20)
    }
    // Each keeps at least the nodes of 100 fields.
    let count = made.count { $0.object != nil }
    #expect(count == memo.count)
    #expect((1...60).contains(count))
    let known = memo.storage(for: Self.text("Q299", fields: 100), maximumTokens: .max)
    #expect(known === made.last?.object)
  }

  /// A text whose plan is far larger, because its selections are a binary tree of fragments.
  private static func tree(_ name: String, depth: Int) -> String {
    let fragments = (0..<depth).map {
      "fragment E\($0) on T { a { ...E\($0 + 1) } b { ...E\($0 + 1) } }"
    }
    return
      "query \(name) { ...E0 } \(fragments.joined(separator: " ")) fragment E\(depth) on T { c }"
  }

  @Test("A document counts with its fields after fragments are expanded (K10)")
  func expandedFragments() {
    let memo = DocumentMemo(limit: 1 << 20)
    let plans = (0..<20).map { number -> Weak<SelectionPlan> in
      let storage = memo.storage(for: Self.tree("Q\(number)", depth: 10), maximumTokens: .max)
      return Weak(object: storage.prepared(for: nil).plan)
    }
    // Each takes at least half of the limit.
    #expect(plans.count { $0.object != nil } <= 2)
  }

  @Test("The document cache keeps plans up to a number of bytes (K10)")
  func plansOfTypes() {
    let types = TypeKnowledge(schema: nil)
    let memo = DocumentMemo(limit: 0)
    let plans = (0..<20).map { number -> Weak<SelectionPlan> in
      let storage = memo.storage(for: Self.tree("Q\(number)", depth: 13), maximumTokens: .max)
      let plan = storage.prepared(for: nil).plan
      _ = types.types(in: nil, plan: plan)
      return Weak(object: plan)
    }
    // Each has 32,768 fields.
    #expect(plans.count { $0.object != nil } <= 8)
  }

  @Test("A long text is not kept, because few of them would fill the memory (K10)")
  func longText() {
    let text = Self.text("Long", fields: 100_000)
    weak var kept: GraphQLDocument.Storage?
    do {
      let document = GraphQLDocument(text, maximumTokens: nil)
      kept = document.storage
      withExtendedLifetime(document) {}
    }
    #expect(kept == nil)
  }

  @Test("The operations that were prepared by name count, too (K10)")
  func preparedOperations() {
    let memo = DocumentMemo(limit: 8 << 20)
    let operations = (0..<300).map { "query Q\($0) { ...F }" }.joined(separator: " ")
    let fields = (0..<300).map { "f\($0)" }.joined(separator: " ")
    let text = "\(operations) fragment F on Query { \(fields) }"
    weak var kept: GraphQLDocument.Storage?
    do {
      let storage = memo.storage(for: text, maximumTokens: .max)
      kept = storage
      #expect(memo.count == 1)
      for number in 0..<300 { _ = storage.prepared(for: "Q\(number)") }
    }
    #expect(kept == nil)
    #expect(memo.bytes <= 8 << 20)
  }

  @Test("A document with more tokens than its limit is an error with place and cure (K10)")
  func tokens() async throws {
    // The name, the keyword and the braces are four tokens.
    let most = Self.text("Most", fields: 14_996)
    let more = "\n" + Self.text("More", fields: 14_997)
    #expect(GraphQLOperation(GraphQLDocument(most)).defect == nil)
    let refused = GraphQLOperation(GraphQLDocument(more))
    let client = GraphQLClient([.dedup, .documentCache, postServer()])
    let error = try #require(await client.query(refused).error)
    #expect(error.code == .tooManyTokens)
    #expect(error.message.contains("more than 15000 tokens"))
    #expect(error.message.contains("line 2, column \(more.utf8.count - 1)"))
    #expect(error.message.contains("maximumTokens"))
    #expect(GraphQLOperation(GraphQLDocument(more, maximumTokens: nil)).defect == nil)
    #expect(GraphQLOperation(GraphQLDocument(more, maximumTokens: 15_001)).defect == nil)
  }

  @Test("A limit holds for a text that was kept under a higher one (K10)")
  func lowerLimit() {
    let memo = DocumentMemo(limit: 1 << 20)
    let text = Self.text("Q", fields: 10)
    for limit in [Int.max, 13, 14, 13, 15] {
      let storage = memo.storage(for: text, maximumTokens: limit)
      #expect(storage.prepared(for: nil).defect?.code == (limit < 14 ? .tooManyTokens : nil))
    }
    #expect(memo.count == 1)
  }
}
