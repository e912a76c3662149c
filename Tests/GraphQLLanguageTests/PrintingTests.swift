import GraphQLLanguage
import Testing

/// Tests of printing for which the reference implementation has no result that parses again.
@Suite struct PrintingTests {
  @Test(
    "The braces of an anonymous query are not attributed to the definition before it",
    arguments: [
      "type T", "type T @d", "type T implements I", "interface I", "enum E", "input I",
      "extend schema @d", "extend type T @d", "extend interface I implements J", "extend enum E @d",
      "extend input I @d",
    ])
  func openEnded(before: String) throws {
    let document = Document(
      definitions: try Document(parsing: before).definitions
        + Document(parsing: "{ a }").definitions)
    #expect(document.canonicalText == "\(before)\n\nquery {\n  a\n}")
    #expect(try Document(parsing: document.canonicalText) == document)
    #expect(try Document(parsing: document.minifiedText) == document)
  }

  @Test(
    "An anonymous query begins with its braces after all other definitions",
    arguments: [
      "type T {\n  a: Int\n}", "scalar S", "union U", "union U = A", "directive @d on FIELD",
      "extend schema {\n  query: Q\n}", "fragment F on T {\n  a\n}", "mutation {\n  a\n}",
    ])
  func closed(before: String) throws {
    let document = try Document(parsing: before + "{ a }")
    #expect(document.canonicalText == "\(before)\n\n{\n  a\n}")
    #expect(try Document(parsing: document.minifiedText) == document)
  }

  @Test(
    "A text that no block string can express is printed as a quoted string",
    arguments: [
      ("\na", #""\na""#), ("a\n", #""a\n""#), (" ", #"" ""#), ("\n", #""\n""#),
      (" a\n b", #"" a\n b""#),
      ("a\rb", #""a\rb""#), ("a\n ", #""a\n ""#), ("\t\ta\n\n\tb", #""\t\ta\n\n\tb""#),
    ])
  func unprintable(text: String, printed: String) throws {
    let value = Value.string(StringValue(text, isBlock: true))
    #expect(value.canonicalText == printed)
    #expect(try Value(parsing: printed) == .string(StringValue(text)))
  }

  @Test(
    "Any other text is printed as a block string on request",
    arguments: [
      ("", #""""""""#), ("a", #""""a""""#), (" a", #"""" a""""#), ("a ", #""""a """"#),
      ("a\\", "\"\"\"\na\\\n\"\"\""),
      ("a\"", "\"\"\"\na\"\n\"\"\""), ("\"\"\"", "\"\"\"\n\\\"\"\"\n\"\"\""),
      ("a\n b", "\"\"\"\na\n b\n\"\"\""),
      (" a\nb", "\"\"\"\n a\nb\n\"\"\""), ("\"\"\"\"", "\"\"\"\n\\\"\"\"\"\n\"\"\""),
      ("\0", "\"\"\"\0\"\"\""),
    ])
  func printable(text: String, printed: String) throws {
    let value = Value.string(StringValue(text, isBlock: true))
    #expect(value.canonicalText == printed)
    #expect(try Value(parsing: printed) == value)
  }

  @Test("Parts of a document can be printed separately")
  func parts() throws {
    let document = try Document(
      parsing: "query Q { a(b: [1, 2]) { c } } fragment F on T { d } type T")
    let operation = try #require(document.operations.first)
    let fragment = try #require(document.fragments.first)
    #expect(operation.canonicalText == "query Q {\n  a(b: [1, 2]) {\n    c\n  }\n}")
    #expect(operation.minifiedText == "query Q{a(b:[1 2]){c}}")
    #expect(operation.selectionSet.canonicalText == "{\n  a(b: [1, 2]) {\n    c\n  }\n}")
    #expect(operation.selectionSet.minifiedText == "{a(b:[1 2]){c}}")
    #expect(fragment.canonicalText == "fragment F on T {\n  d\n}")
    #expect(fragment.minifiedText == "fragment F on T{d}")
    #expect(document.definitions[2].canonicalText == "type T")
    #expect(document.definitions[2].minifiedText == "type T")
  }

  @Test("An extension's description, which has no place in the syntax, is not printed")
  func extensionDescription() throws {
    let type = TypeDefinition(
      .scalar, description: "lost", name: "S", directives: [Directive(name: "d")])
    let definition = Definition.typeExtension(type)
    #expect(definition.canonicalText == "extend scalar S @d")
  }

  @Test("An empty document prints as an empty text, an empty selection set as empty braces")
  func empty() {
    #expect(Document(definitions: []).canonicalText.isEmpty)
    #expect(Document(definitions: []).minifiedText.isEmpty)
    #expect(OperationDefinition(kind: .mutation, selectionSet: []).canonicalText == "mutation {}")
  }
}
