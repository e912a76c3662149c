import GraphQLLanguage
import Testing

/// Comparisons with the reference implementation.
@Suite struct ReferenceTests {
  @Test("Valid documents print as the reference implementation prints them")
  func documents() throws {
    for reference in try ReferenceCases.documents() {
      let document = try Document(parsing: reference.source)
      #expect(bytes(document.canonicalText) == bytes(reference.canonical), "\(reference.source)")
      #expect(bytes(document.minifiedText) == bytes(reference.minified), "\(reference.source)")
    }
  }

  @Test("Printed documents parse to the same tree")
  func roundTrips() throws {
    for reference in try ReferenceCases.documents() {
      let document = try Document(parsing: reference.source)
      #expect(try Document(parsing: document.canonicalText) == document, "\(reference.source)")
      #expect(try Document(parsing: document.minifiedText) == document, "\(reference.source)")
      let again = try Document(parsing: document.minifiedText)
      #expect(again.canonicalText == reference.canonical, "\(reference.source)")
      #expect(again.hashValue == document.hashValue)
    }
  }

  @Test("Invalid documents fail with the reference implementation's message and location")
  func errors() throws {
    for reference in try ReferenceCases.errors() {
      let expected = GraphQLSyntaxError(
        message: reference.message, line: reference.line, column: reference.column)
      #expect(throws: expected, "\(reference.source.debugDescription)") {
        try Document(parsing: reference.source)
      }
    }
  }

  @Test("Values have the text and the canonical form of the reference implementation")
  func values() throws {
    for reference in try ReferenceCases.values() {
      let value = try Value(parsing: reference.source)
      #expect(value.canonicalText == reference.canonical, "\(reference.source)")
      #expect(try Value(parsing: value.canonicalText) == value, "\(reference.source)")
      guard case .string(let string) = value else {
        #expect(reference.value == nil)
        continue
      }
      #expect(bytes(string.value) == bytes(try #require(reference.value)))
      #expect(string.isBlock == reference.isBlock)
    }
  }

  @Test("Types have the canonical form of the reference implementation")
  func types() throws {
    for reference in try ReferenceCases.types() {
      let type = try TypeReference(parsing: reference.source)
      #expect(type.canonicalText == reference.canonical)
      #expect(try TypeReference(parsing: type.canonicalText) == type)
    }
  }

  /// Compares texts by their bytes, because `==` of `String` ignores canonical differences.
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
}
