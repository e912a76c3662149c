import Testing
import WeirGeneration

@Suite("Fragments of other modules")
struct ImportedFragmentTests {
  @Test(
    "An operation that only fragments of other modules make invalid is an error (G7)",
    arguments: [
      (
        "fragment Row on Book { cover(size: $size) }", "query All { books { ...Row } }",
        """
        a.graphql:1:1: error: Variable "$size" is not defined by operation "All". \
        [all-variable-uses-defined]
        /Kit/Row.graphql:1:36: note: See also here.
        """
      ),
      (
        "fragment Row on Book { title } fragment Card on Book { title: id }",
        "query All { books { ...Row ...Card } }",
        "/Kit/Row.graphql:1:24: error: Fields \"title\" conflict because \"title\" and \"id\" are "
      ),
      (
        "fragment Live on Subscription { added { id } removed { id } }",
        "subscription Changes { ...Live }",
        "/Kit/Row.graphql:1:46: error: Subscription \"Changes\" must select only one top level field."
      ),
    ])
  func invalid(fragments: String, document: String, message: String) throws {
    let generator = try Kit(fragments: fragments).feature(document)
    #expect(generator.errors.count == 1 && generator.files.isEmpty)
    #expect(generator.errors.first?.hasPrefix(message) == true, "\(generator.errors)")
  }

  @Test("A fragment with mistakes of its own is an error of its module only (G7)")
  func mistakes() throws {
    let fragments = "fragment Row on Book { titel cover { id } title: id title }"
    #expect(try Kit(fragments: fragments).feature("query All { books { ...Row } }").findings == [])
  }

  @Test(
    "A public import of a module that only bodies name would be a warning of the compiler (G7)",
    arguments: [
      ("books { ...Row }", "public"), ("books { ...Row @unmask }", "internal"),
      ("books { ...Row @unmask title } more: books { ...Row }", "public"),
      ("item { ...on Node { id } }", "internal"), ("books { genre }", "public"),
    ])
  func imports(selections: String, access: String) throws {
    let shared = #"{"namespace": "Library", "access": "public", "schemaTypes": "all"}"#
    let generator = try Kit(json: shared, fragments: "fragment Row on Book { id }").feature(
      "query A { \(selections) }", json: #"{"namespace": "Own", "access": "public"}"#)
    #expect(generator.errors == [])
    let text = try #require(generator.text("a.graphql.swift"))
    #expect(text.contains("\n\(access) import Kit\n"))
    #expect(text.contains("\npublic import Weir\n"))
  }

  @Test("The enumerations of imported fragments that names for caches need are generated (G9)")
  func enumerations() throws {
    let json = #"{"namespace": "Own", "normalizedCache": true}"#
    let query = "query A { books { ...Row } }"
    let generator = try Kit().feature(query, json: json)
    #expect(generator.text("WeirCache.swift")?.contains("FieldName<Own.Book, Own.Genre>") == true)
    #expect(generator.text("WeirEnums.swift")?.contains("enum Genre: GraphQLEnum") == true)
    let shared = #"{"namespace": "Library", "access": "public", "schemaTypes": ["Genre"]}"#
    let imported = try Kit(json: shared).feature(query, json: json)
    #expect(
      imported.text("WeirCache.swift")?.contains("FieldName<Own.Book, Library.Genre>") == true)
    #expect(imported.text("WeirEnums.swift")?.contains("enum Genre") == false)
    // Without names for caches, nothing needs the enumeration.
    #expect(try Kit().feature(query).text("WeirEnums.swift")?.contains("enum Genre") == false)
  }

  @Test("The message for an unknown fragment says how to use that of another module (G7)")
  func unknown() throws {
    #expect(
      try Generator("type Query { a: Int }", "query A { ...Row }").errors == [
        "a.graphql:1:14: error: Unknown fragment \"Row\". If another module has it, this module must "
          + "depend on that one, which needs a weir.json. [fragment-spread-target-defined]"
      ])
  }
}
