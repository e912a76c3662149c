import GraphQLLanguage
import GraphQLValidation
import Testing

@Suite struct LintTests {
  private let schema: TypeSystem

  init() throws {
    schema = TypeSystem([
      try SourceFile(
        path: "schema",
        parsing: """
          type Query { book: Book node: Node books(first: Int, old: Int @deprecated): [Book] page: Page }
          interface Node { id: ID! }
          type Book implements Node { id: ID! isbn: ID! title(by: By): String t: String @deprecated(reason: "Use title.") }
          type Page implements Node { id: ID! number: Int book: Book }
          input By { genre: Genre kind: Int @deprecated }
          enum Genre { FICTION TALE @deprecated(reason: "Use FICTION.") }
          type Mutation { rename: Book }
          directive @hint(old: Int @deprecated(reason: "Hint."), by: By) on FIELD
          """)
    ])
  }

  private func find(_ rule: String, _ text: String) throws -> [String] {
    let file = try SourceFile(path: "Sources/Feed.graphql", parsing: text)
    let options = ValidationOptions(
      rules: [rule: .warning], keys: ["Book": ["id", "isbn"], "Page": ["id"]])
    return schema.validate([file], options: options).map {
      "\($0.place.line):\($0.place.column) \($0.message)"
    }
  }

  @Test func `What is deprecated is reported where it is used (V6)`() throws {
    let text = "{ book { t title(by: { kind: 1, genre: TALE }) } books(old: 1) { id } }"
    #expect(
      try find("deprecated", text) == [
        "1:10 The field Book.t is deprecated. Use title.",
        "1:24 The input field By.kind is deprecated. No longer supported",
        "1:40 The enum value \"Genre.TALE\" is deprecated. Use FICTION.",
        "1:56 The argument \"Query.books(old:)\" is deprecated. No longer supported",
      ])
  }

  @Test func `What is deprecated is reported in default values and directives, too (V6)`() throws {
    let text = """
      query Q($genre: Genre = TALE, $by: By = {kind: 1}) {
        book { title(by: $by) }
        books @hint(old: 1, by: {genre: $genre, kind: 2}) { id }
      }
      """
    #expect(
      try find("deprecated", text) == [
        "1:25 The enum value \"Genre.TALE\" is deprecated. Use FICTION.",
        "1:42 The input field By.kind is deprecated. No longer supported",
        "3:15 The argument \"@hint(old:)\" is deprecated. Hint.",
        "3:43 The input field By.kind is deprecated. No longer supported",
      ])
  }

  @Test func `An object with a key is selected with it, also by fragments (V6)`() throws {
    let text = """
      { book { title } page { ...P book { id isbn } }
        node { id ... on Book { isbn } ... on Page { number } }
        other: node { ... on Book { isbn x: title } } alias: node { ... on Book { isbn x: id } } }
      fragment P on Page { id }
      """
    let end = "so a normalized cache cannot store it as an entity."
    #expect(
      try find("require-key", text) == [
        "1:3 \"Book\" is selected without its key \"id\" and \"isbn\", \(end)",
        "3:3 \"Book\" is selected without its key \"id\", \(end)",
      ])
  }

  @Test(arguments: [
    ("named { name }", "Named"), ("named { ...N }", "Named"),
    ("named { name ... on B { name } }", "Named"), ("any { ... on Named { name } }", "Any"),
    ("any { ... on One { name } }", "A"),
    ("named { name ... on A { id } ... on B { x: name } }", "B"),
    ("named { id }", nil), ("named { name ... on A { id } }", nil), ("any { __typename }", nil),
    ("any { __typename ... on A { id name } }", nil), ("keyless { name }", nil),
    ("other { name }", nil),
  ])
  func `An interface or a union is reported if all of its types lack the key (V6)`(
    selection: String, type: String?
  ) throws {
    let schema = TypeSystem([
      try SourceFile(
        path: "schema",
        parsing: """
          type Query { named: Named any: Any keyless: Keyless other: Other }
          interface Named { name: String id: ID! }
          interface One { name: String }
          interface Keyless { name: String }
          interface Other { name: String }
          type A implements Named & One & Keyless & Other { id: ID! name: String }
          type B implements Named & Other { id: ID! name: String }
          type C implements Keyless { name: String }
          type D implements Other { number: Int name: String }
          union Any = A | B | C
          """)
    ])
    let file = try SourceFile(path: "d", parsing: "{ \(selection) } fragment N on Named { name }")
    let options = ValidationOptions(
      rules: ["require-key": .warning, "fragments-must-be-used": .off],
      keys: ["A": ["id"], "B": ["id"], "D": ["number"]])
    let found = schema.validate([file], options: options)
    #expect(found.map(\.rule) == (type == nil ? [] : ["require-key"]))
    guard let type, let message = found.first?.message else { return }
    let key = type.count == 1 ? "its key \"id\"" : "the key \"id\" of its types"
    #expect(message.hasPrefix("\"\(type)\" is selected without \(key), so"), "\(message)")
  }

  @Test(arguments: [
    ("mutation-selects-nothing", "mutation { rename { __typename } a: rename { id } }", 12),
    ("no-typename-alias", "{ book { __typename: title a: __typename } }", 10),
    ("unused-field-alias", "{ book { title: title a: title } }", 10),
    ("unbounded-connection", "{ a: books(first: 1) { id } books { id } }", 29),
    ("hidden-swift-type", "query String { book { id } } query task { book { id } }", 36),
    (
      "hidden-swift-type",
      "{ book { ...A } } fragment A on Book { ...URL } fragment URL on Book { id }", 58
    ),
    ("name-matches-file", "query Feed { book { id } } query Other { book { id } }", 34),
  ])
  func `Further rules report one place each (V6)`(
    rule: String, text: String, column: Int
  ) throws {
    let found = try find(rule, text)
    #expect(found.count == 1 && found[0].hasPrefix("1:\(column) "), "\(found)")
    #expect(ValidationOptions.lintRules.contains(rule))
  }

  @Test func `A variable of a fragment that no operation spreads is reported (V6)`() throws {
    let text = """
      query Q($a: Int) { ...A }
      fragment A on Query { ...B }
      fragment B on Query { books(first: $a) { id } }
      fragment C on Query { ...D a: books(first: $c, old: $c) { id } }
      fragment D on Query { b: books(first: $d) { id } } # weir:ignore unused-variable-in-fragment
      """
    let file = try SourceFile(path: "a", parsing: text)
    var options = ValidationOptions(
      rules: ["unused-variable-in-fragment": .warning, "fragments-must-be-used": .off])
    #expect(
      schema.validate([file], options: options).map(\.description) == [
        "a:4:44: warning: Variable \"$c\" is used in fragment \"C\", but no operation that declares "
          + "it spreads the fragment. [unused-variable-in-fragment]"
      ])
    // The operation may be in the file that is missing.
    options.isComplete = false
    #expect(schema.validate([file], options: options) == [])
  }

  @Test func `Rules that the specification does not have are off unless asked for (V6)`() throws {
    let file = try SourceFile(path: "a", parsing: "{ book { t: t } }")
    #expect(schema.validate([file]).isEmpty)
    let unused = try SourceFile(path: "b", parsing: "{ book { id } } fragment F on Book { id }")
    let options = ValidationOptions(rules: ["fragments-must-be-used": .warning])
    #expect(schema.validate([unused], options: options).map(\.severity) == [.warning])
    let off = ValidationOptions(rules: ["fragments-must-be-used": .off])
    #expect(schema.validate([unused], options: off).isEmpty)
  }

  @Test func `A comment silences a rule in its line and below it, but no error (V7)`() throws {
    let text = """
      {
        # weir:ignore deprecated, require-key
        # Another comment.
        a: book { t }
        book { t } # weir:ignore deprecated
        # weir:ignore field-selections
        c: book { nope }
        # weir:ignore unused-field-alias

        d: book { t: t }
      }
      """
    let file = try SourceFile(path: "a", parsing: text)
    let options = ValidationOptions(
      rules: ["deprecated": .warning, "unused-field-alias": .warning])
    #expect(
      schema.validate([file], options: options).map { "\($0.place.line) \($0.rule)" } == [
        "7 field-selections", "10 deprecated", "10 unused-field-alias",
      ])
  }

  @Test func `A comment that silences no rule is reported at its place (V7)`() throws {
    let text = """
      query Q {
        # weir:ignore deprecatd, require-key
        a: book { id } # Ümlaut # weir:ignore field-selections
        # weir:ignore
        # weir:ignore deprecated until the server is new
        b: book { id }
      # weir:ignore no-typename-alias
      } # weir:ignore unusual
      """
    #expect(
      try find("ignore-comments", text) == [
        "2:17 No rule \"deprecatd\" can be ignored. Did you mean \"deprecated\"?",
        "3:42 The rule \"field-selections\" is one of the specification, which no comment silences.",
        "4:5 The comment names no rule.",
        "7:15 Generated code relies on the rule \"no-typename-alias\", which no comment silences.",
        "8:17 No rule \"unusual\" can be ignored.",
      ])
    let file = try SourceFile(path: "a", parsing: text)
    let options = ValidationOptions(rules: ValidationOptions.recommended)
    let finding = try #require(schema.validate([file], options: options).first)
    #expect(finding.severity == .warning && finding.suggestions == ["deprecated"])
  }

  @Test(arguments: ["require-key", "mutation-selects-nothing"])
  func `What a missing fragment may select is not reported as missing (V8)`(rule: String) throws {
    let text = """
      mutation { a: rename { __typename } b: rename { ...Missing } c: rename { ...Known } }
      fragment Known on Book { ...Missing }
      """
    let file = try SourceFile(path: "a", parsing: text)
    let options = ValidationOptions(
      rules: [rule: .warning], keys: ["Book": ["id"]], isComplete: false)
    // Only the first one has all its fragments.
    #expect(schema.validate([file], options: options).map(\.place.column) == [12])
  }
}
