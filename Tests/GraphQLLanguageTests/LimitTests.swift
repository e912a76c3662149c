import GraphQLLanguage
import Testing

/// Tests of the limits on depth and size, which protect the stack.
@Suite(.timeLimit(.minutes(10)))
struct LimitTests {
  /// Forms of nesting, with the number of levels that one repetition adds.
  static let nestings: [Nesting] = [
    Nesting(before: "{", open: "a{", core: "a", close: "}", after: "}", levelsAround: 1),
    Nesting(before: "{", open: "...{", core: "a", close: "}", after: "}", levelsAround: 1),
    Nesting(before: "{", open: "...on T@d{", core: "a", close: "}", after: "}", levelsAround: 1),
    Nesting(before: "{a(b:", open: "[", core: "", close: "]", after: ")}", levelsAround: 1),
    Nesting(before: "{a(b:", open: "{c:", core: "1", close: "}", after: ")}", levelsAround: 1),
    Nesting(before: "query($a:", open: "[", core: "T", close: "]", after: "){a}"),
    Nesting(before: "query($a:", open: "[", core: "T", close: "]!", after: "){a}"),
    Nesting(before: "query($a:T=", open: "[", core: "", close: "]", after: "){a}"),
    Nesting(before: "type T @d(a:", open: "[", core: "1", close: "]", after: ")"),
    Nesting(before: "type T{a(b:T=", open: "{c:", core: "1", close: "}", after: "):T}"),
  ]

  @Test("The limit is the number of levels that are accepted", arguments: nestings)
  func limit(_ nesting: Nesting) throws {
    let options = ParseOptions(maximumDepth: 20)
    _ = try Document(parsing: nesting.text(levels: 20), options: options)
    let error = #expect(throws: GraphQLSyntaxError.self) {
      try Document(parsing: nesting.text(levels: 21), options: options)
    }
    #expect(
      error?.message == "Document is nested more than 20 levels deep. Parsing aborted.")
  }

  @Test("The limit is 128 levels by default, and never higher", arguments: nestings)
  func defaultLimit(_ nesting: Nesting) throws {
    for options in [ParseOptions(), ParseOptions(maximumDepth: .max)] {
      _ = try Document(parsing: nesting.text(levels: 128), options: options)
      #expect(throws: GraphQLSyntaxError.self) {
        try Document(parsing: nesting.text(levels: 129), options: options)
      }
    }
  }

  @Test("The deepest trees can be used on a small stack", arguments: nestings)
  func smallStack(_ nesting: Nesting) async throws {
    let text = nesting.text(levels: ParseOptions.depthCeiling)
    let options = ParseOptions(maximumDepth: .max)
    let isEqual = await SmallStack.run { () -> Bool in
      guard let document = try? Document(parsing: text, options: options),
        let printed = try? Document(parsing: document.canonicalText, options: options),
        let minified = try? Document(parsing: document.minifiedText, options: options)
      else { return false }
      return document == printed && printed.hashValue == minified.hashValue
    }
    #expect(isEqual)
  }

  @Test("Text with endless nesting fails without exhausting a small stack", arguments: nestings)
  func endless(_ nesting: Nesting) async throws {
    let text = nesting.before + String(repeating: nesting.open, count: 100_000)
    let options = ParseOptions(maximumDepth: .max)
    let error = await SmallStack.run { () -> GraphQLSyntaxError? in
      do throws(GraphQLSyntaxError) {
        _ = try Document(parsing: text, options: options)
        return nil
      } catch { return error }
    }
    let limit = ParseOptions.depthCeiling
    #expect(
      error?.message == "Document is nested more than \(limit) levels deep. Parsing aborted.")
  }

  @Test("Siblings do not add to the depth")
  func width() throws {
    let options = ParseOptions(maximumDepth: 2)
    let text = "{" + String(repeating: "a(b: [1], c: {d: 1}) { e } ", count: 1000) + "}"
    #expect(try Document(parsing: text, options: options).operations.count == 1)
  }

  @Test("A limit below one accepts no text", arguments: [0, -1, Int.min])
  func noDepth(depth: Int) {
    let options = ParseOptions(maximumDepth: depth)
    #expect(
      throws: GraphQLSyntaxError(
        message: "Document is nested more than 0 levels deep. Parsing aborted.",
        line: 1, column: 1)
    ) {
      try Document(parsing: "{ a }", options: options)
    }
  }

  @Test("The limit on tokens counts all tokens except comments")
  func tokens() throws {
    let text = "query Q { # comment\n a(b: 1, c: \"x\") ...F }"
    for limit in 0..<15 {
      let options = ParseOptions(maximumTokens: limit)
      let error = #expect(throws: GraphQLSyntaxError.self) {
        try Document(parsing: text, options: options)
      }
      #expect(error?.message == "Document contains more than \(limit) tokens. Parsing aborted.")
    }
    #expect(
      try Document(parsing: text, options: ParseOptions(maximumTokens: 15)).operations.count == 1)
  }

  @Test("The error for too many tokens is at the first one above the limit")
  func tokenLocation() {
    let options = ParseOptions(maximumTokens: 2)
    #expect(
      throws: GraphQLSyntaxError(
        message: "Document contains more than 2 tokens. Parsing aborted.", line: 2, column: 3,
        exceedsTokenLimit: true)
    ) {
      try Document(parsing: "{ a\n  b }", options: options)
    }
  }

  @Test("A limit on tokens below one accepts no text", arguments: [0, -1, Int.min])
  func noTokens(limit: Int) {
    let error = #expect(throws: GraphQLSyntaxError.self) {
      try Document(parsing: "{", options: ParseOptions(maximumTokens: limit))
    }
    #expect(error?.message == "Document contains more than 0 tokens. Parsing aborted.")
  }
}

/// A text with any depth of nesting.
struct Nesting: Sendable {
  var before: String
  var open: String
  var core: String
  var close: String
  var after: String
  /// The number of levels that `before` opens.
  var levelsAround = 0

  func text(levels: Int) -> String {
    let count = levels - levelsAround
    return before + String(repeating: open, count: count) + core
      + String(repeating: close, count: count) + after
  }
}
