import GraphQLLanguage
import Testing

/// Tests of the equality of trees.
@Suite struct EqualityTests {
  @Test(
    "Layout does not affect equality",
    arguments: [
      ("{a b}", "{\n  a,\n  b # c\n}"), ("query { a }", "{ a }"),
      ("{a(b:\"\\u0041\")}", "{a(b:\"A\")}"),
      ("union U = | A | B", "union U = A | B"), ("type T implements & A", "type T implements A"),
      ("{a(b:\"\"\"\n  c\n  d\n\"\"\")}", "{a(b:\"\"\"c\nd\"\"\")}"),
      ("{a(b:\"\\u{1F600}\")}", "{a(b:\"\\uD83D\\uDE00\")}"), ("\u{FEFF}{a}", "{a}"),
    ])
  func layout(left: String, right: String) throws {
    let (left, right) = (try Document(parsing: left), try Document(parsing: right))
    #expect(left == right)
    #expect(left.hashValue == right.hashValue)
    #expect(left.canonicalText == right.canonicalText)
  }

  @Test(
    "Order, names, kinds and texts affect equality",
    arguments: [
      ("{a b}", "{b a}"), ("{a(b:1 c:2)}", "{a(c:2 b:1)}"), ("{a}", "{a:a}"), ("{a}", "query Q{a}"),
      ("{a(b:1)}", "{a(b:1.0)}"), ("{a(b:1.0)}", "{a(b:1.00)}"), ("{a(b:\"A\")}", "{a(b:A)}"),
      ("{a(b:\"c\")}", "{a(b:\"\"\"c\"\"\")}"), ("{...{a}}", "{...on T{a}}"), ("{a}", "{a@d}"),
      ("query($a:T){a}", "query($a:T!){a}"), ("query($a:T){a}", "query($a:T=null){a}"),
      ("directive@a on FIELD", "directive@a repeatable on FIELD"), ("type T", "extend type T@d"),
      ("\"d\" query Q{a}", "query Q{a}"), ("{a(b:\"\u{E9}\")}", "{a(b:\"e\u{301}\")}"),
    ])
  func meaning(left: String, right: String) throws {
    let (left, right) = (try Document(parsing: left), try Document(parsing: right))
    #expect(left != right)
    #expect(!left.canonicalText.utf8.elementsEqual(right.canonicalText.utf8))
  }

  @Test("Nodes have locations in UTF-8 bytes, which do not affect equality")
  func locations() throws {
    let text = "#é\n\"d\" query Q(\"e\" $a: T @d) { x: y(b: 1) ...F ... on T { z } }"
    let document = try Document(parsing: text)
    let operation = try #require(document.operations.first)
    let selections = operation.selectionSet.selections
    guard case .field(let field) = selections[0], case .fragmentSpread(let spread) = selections[1],
      case .inlineFragment(let fragment) = selections[2]
    else {
      Issue.record("other selections")
      return
    }
    let variable = operation.variableDefinitions[0]
    let found = [
      document.definitions[0].location, variable.location, variable.directives[0].location,
      field.location, field.arguments[0].location, spread.location, fragment.location,
    ].map(\.utf8Offset)
    let expected = ["\"d\"", "\"e\"", "@d", "x:", "b:", "...F", "... on"].map {
      offset(of: $0, in: text)
    }
    #expect(found == expected)
    #expect(field.location == .unknown)
    #expect(SourceLocation.unknown.utf8Offset == nil)
    #expect(SourceLocation(utf8Offset: 0).utf8Offset == 0)
    #expect(SourceLocation(utf8Offset: -1).utf8Offset == nil)
    #expect(SourceLocation(utf8Offset: .max).utf8Offset == nil)
  }

  @Test("Type system definitions have locations")
  func typeSystemLocations() throws {
    let text = """
      "a" schema { query: Q } "b" scalar S "c" type T { f(g: Int): Int } interface I union U enum E { V }
      input J { k: Int } "d" directive @d on FIELD extend schema @e extend type T @f fragment F on T { a }
      """
    let document = try Document(parsing: text)
    let expected = [
      "\"a\"", "\"b\"", "\"c\"", "interface", "union", "enum", "input", "\"d\"", "extend schema",
      "extend type", "fragment",
    ].map { offset(of: $0, in: text) }
    #expect(document.definitions.map(\.location.utf8Offset) == expected)
  }

  private func offset(of part: String, in text: String) -> Int? {
    let bytes = Array(text.utf8)
    return bytes.indices.first { bytes[$0...].starts(with: part.utf8) }
  }
}
