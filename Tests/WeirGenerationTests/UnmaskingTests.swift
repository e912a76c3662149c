import GraphQLValidation
import Testing
import WeirGeneration

@Suite("Unmasked fragments")
struct UnmaskingTests {
  @Test("The type of a field cannot hide a fragment that an unmasked one spreads (G7)")
  func hidden() throws {
    let schema = """
      type Query { book: Book row: Row }
      type Book { id: ID! title: String }
      type Row { n: Int m: Int }
      """
    let fragments = "fragment F on Book { ...G @unmask } fragment G on Book { id ...Row }"
    let document = """
      query Q { row { n m } book { ...F @unmask } }
      \(fragments)
      fragment Row on Book { title }
      """
    #expect(
      try Generator(schema, document).findings.map(\.description) == [
        """
        a.graphql:1:11: error: The type for these fields would be named "Row" like a fragment that \
        is used here. Give the field an alias, or rename the fragment.
        a.graphql:3:1: note: The fragment is here.
        """
      ])
    let other = document.replacing("row {", with: "first: row {")
    let text = try #require(try Generator(schema, other).files.first?.text)
    // The fragment that is unmasked is sent with those in it.
    #expect(text.contains("row: Row") && text.contains("fragments: [F.document]"))
  }

  @Test("The type of an operation's field can have the name of a fragment that is unmasked (G7)")
  func sameName() throws {
    let schema = "type Query { user: User } type User { id: ID! name: String }"
    let fragment = "fragment User on User { name }"
    let document = "query Me { user { id ...User @unmask } } \(fragment)"
    let generator = try Generator(schema, document)
    #expect(generator.findings == [])
    // `Unmask.graphql` has such an operation, whose code is compiled.
    let text = try #require(generator.files.first?.text)
    #expect(text.contains("user: User?") && text.contains("fragments: [User.document]"))
    // The document of a fragment is in the type itself, beside the types of the fields.
    for document in [
      "query Q { ...F } fragment F on Query { user { id ...User @unmask } } \(fragment)",
      "query Me { user { id ...User @unmask } other: user { ...User } } \(fragment)",
    ] {
      #expect(
        try Generator(schema, document).errors.contains {
          $0.contains("like a fragment that is used here")
        })
    }
  }

  @Test(
    "Fragments that repeat too many selections are an error at their place (G7)",
    arguments: ["a { %% } a { %% }", "x: a { %% } y: a { %% }", "%% ...on Query { %% }"])
  func repeated(_ pattern: String) throws {
    func document(_ depth: Int) -> String {
      let fragments = (0..<depth).map {
        "fragment F\($0) on Query { \(pattern.replacing("%%", with: "...F\($0 + 1) @unmask")) }"
      }
      return """
        query Q { ...F0 @unmask }
        \(fragments.joined(separator: "\n"))
        fragment F\(depth) on Query { b }
        """
    }
    let schema = "type Query { a: Query b: Int }"
    #expect(try Generator(schema, document(5)).findings == [])
    let findings = try Generator(schema, document(40)).findings
    #expect(findings.count == 1)
    #expect(
      findings.first?.message
        == "The unmasked fragments repeat more than 50000 selections here. Spread some of them "
        + "without @unmask.")
    #expect((findings.first?.line ?? 0) > 20)
  }

  @Test(
    "Parts with too many keys to tell whether a response has them are an error (G7)",
    arguments: ["a @skip(if: $c) { ...F0 }", "node { ...F0 }", "node { ... on A { a { ...F0 } } }"])
  func keys(_ selection: String) throws {
    let schema = """
      type Query { a: A node: Node }
      interface Node { id: ID }
      interface A implements Node { id: ID a: A b: Int }
      type B implements A & Node { id: ID a: A b: Int }
      """
    func document(_ depth: Int) -> String {
      let fragments = (0..<depth).map {
        "fragment F\($0) on A { x: a { ...F\($0 + 1) } y: a { ...F\($0 + 1) } }"
      }
      return """
        query Q($c: Boolean = true) {
          other: a @skip(if: $c) { id }
          \(selection)
        }
        \(fragments.joined(separator: "\n"))
        fragment F\(depth) on A { b }
        """
    }
    #expect(try Generator(schema, document(5)).findings == [])
    for depth in [13, 40] {
      let findings = try Generator(schema, document(depth)).findings
      #expect(
        findings.map(\.message) == [
          "The fragments repeat more than 5000 selections here, which are too many to tell whether a "
            + "response has them. Spread fewer fragments."
        ])
      #expect(findings.first?.line == 3)
    }
  }

  @Test("A part may have many keys if the text of the fragments has as many selections (G7)")
  func manyKeys() throws {
    let fields = (0..<3_000).map { "f\($0): b" }.joined(separator: " ")
    let document = """
      query Q($c: Boolean = true) { a @skip(if: $c) { ...F } other: a @skip(if: $c) { ...F } }
      fragment F on Query { a { ...G } }
      fragment G on Query { \(fields) }
      """
    #expect(try Generator("type Query { a: Query b: Int }", document).findings == [])
  }

  @Test(
    "A chain of fragments that no client sends is an error at its place (G7)",
    arguments: ["", "@unmask", "@include(if: true)"])
  func chain(directive: String) throws {
    func document(_ depth: Int) -> String {
      let fragments = (1..<depth).map {
        "fragment F\($0) on Query { a { ...F\($0 + 1) \(directive) } }"
      }
      return """
        query Q { ...F1 \(directive) }
        \(fragments.joined(separator: "\n"))
        fragment F\(depth) on Query { b }
        """
    }
    let schema = "type Query { a: Query b: Int }"
    #expect(try Generator(schema, document(60)).findings == [])
    let findings = try Generator(schema, document(4_000)).findings
    #expect(
      findings.map(\.message) == [
        "Selections and fragments nest more than 250 levels deep here. Spread fewer fragments in each "
          + "other."
      ])
    #expect(findings.first?.line == 4_000 - 125 + 1)
  }
}
