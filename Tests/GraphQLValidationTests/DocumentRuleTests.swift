import Foundation
import GraphQLLanguage
import GraphQLValidation
import Testing

/// Compares the rules for documents with graphql-core; see `Expectations/expect.py`.
@Suite struct DocumentRuleTests {
  @Test func `Documents have the same errors at the same places as in graphql-core (V1)`() throws {
    let data = try ExpectedDocuments.load()
    let schemas = try data.schemas.mapValues {
      TypeSystem([try SourceFile(path: "schema", parsing: $0)])
    }
    var differences: [String] = []
    for item in data.cases {
      let file = try SourceFile(path: "document", parsing: item.document)
      let schema = try #require(schemas[item.schema])
      let expected = Set(item.errors.map(\.comparable))
      let found = Set(
        schema.validate([file]).filter { !isWrongInCore(item, $0) }.map(ExpectedError.init))
      let unplaced = Set(expected.lazy.filter(\.places.isEmpty).map(\.message))
      let comparable = Set(
        found.map { unplaced.contains($0.message) ? $0.withoutPlace : $0 })
      if comparable == expected { continue }
      let missing = expected.subtracting(comparable).map { "  missing \($0)" }.sorted()
      let surplus = comparable.subtracting(expected).map { "  surplus \($0)" }.sorted()
      differences.append(([item.document] + missing + surplus).joined(separator: "\n"))
    }
    #expect(data.cases.count >= 600)
    #expect(differences.isEmpty, "\(differences.prefix(20).joined(separator: "\n"))")
  }

  @Test func `Random documents have conflicts of fields if graphql-core finds some (V2)`() throws {
    let data = try ExpectedDocuments.load()
    let text = try #require(data.schemas["boxes"])
    let schema = TypeSystem([try SourceFile(path: "schema", parsing: text)])
    for item in data.merging {
      let file = try SourceFile(path: "document", parsing: item.document)
      let found = schema.validate([file]).contains { $0.rule == "field-selection-merging" }
      #expect(found == item.conflicts, "\(item.document)")
    }
  }

  @Test func `A literal for a Float is a finite number (V1)`() throws {
    let schema = TypeSystem([
      try SourceFile(path: "s", parsing: "type Query { a(f: Float): Int }")
    ])
    let digits = String(repeating: "9", count: 400)
    for literal in ["1e999", "-1e999", digits] {
      let file = try SourceFile(path: "d", parsing: "{ a(f: \(literal)) }")
      #expect(
        schema.validate([file]).map(\.message) == [
          "Float cannot represent non-finite value: \(literal)"
        ])
    }
    // A number that is too small becomes zero.
    for literal in ["1e308", "1e-999", "-0.0", "123456789012345678901234567890"] {
      let file = try SourceFile(path: "d", parsing: "{ a(f: \(literal)) }")
      #expect(schema.validate([file]).isEmpty)
    }
  }

  /// The differences where the specification is right.
  ///
  /// - In a `@oneOf` input object that is itself non-null, graphql-core 3.3.2 accepts a nullable
  ///   variable. Section 5.8.5 does not: "addNullableCat($cat: CatInput)" is its counter-example.
  private func isWrongInCore(_ item: ExpectedDocuments.Case, _ found: Diagnostic) -> Bool {
    item.document.hasPrefix("mutation addPet($cat: CatInput")
      && found.message.contains("must be non-nullable")
  }
}
