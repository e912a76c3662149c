import GraphQLLanguage
import TestSupport
import Testing

/// Tests with random texts: parsing always ends with a tree or an error.
@Suite struct FuzzTests {
  @Test("Mutated documents parse to trees that print, or fail at a position within the text")
  func mutations() throws {
    var random = SeededRandom(seed: 0xC0FFEE)
    let sources = try ReferenceCases.documents().map { Array($0.source.utf8) }
      .filter { $0.count < 600 }
    var parsed = 0
    for _ in 0..<4000 {
      guard let source = sources.randomElement(using: &random),
        let other = sources.randomElement(using: &random)
      else { break }
      let text = String(decoding: mutate(source, with: other, &random), as: UTF8.self)
      if try check(text) { parsed += 1 }
    }
    #expect(parsed > 100, "too few mutants are valid to say much")
  }

  @Test("Documents truncated at any length parse or fail")
  func truncations() throws {
    let sources = try ReferenceCases.documents().map(\.source)
    let source = try #require(sources.filter { $0.utf8.count < 1500 }.max { $0.count < $1.count })
    for length in 0..<source.unicodeScalars.count {
      _ = try check(String(String.UnicodeScalarView(source.unicodeScalars.prefix(length))))
    }
  }

  @Test("Random bytes parse or fail")
  func randomBytes() throws {
    var random = SeededRandom(seed: 42)
    let alphabet = Array("{}()[]:=!$@|&\"\\#.,- \n\r\teEu01Dd8aon😀\u{FEFF}".utf8)
    for round in 0..<3000 {
      let length = Int.random(in: 0..<60, using: &random)
      let bytes = (0..<length).map { _ in
        round.isMultiple(of: 2)
          ? UInt8.random(in: 0...255, using: &random)
          : alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
      }
      _ = try check(String(decoding: bytes, as: UTF8.self))
      _ = try? Value(parsing: String(decoding: bytes, as: UTF8.self))
      _ = try? TypeReference(parsing: String(decoding: bytes, as: UTF8.self))
    }
  }

  @Test("Random strings in trees that were built in code survive printing")
  func builtStrings() throws {
    var random = SeededRandom(seed: 7)
    let parts = [
      "", " ", "\t", "\n", "\r", "\"", "\"\"\"", "\\", "a", "é", "😀", "\0", "\u{7F}", "#",
    ]
    for _ in 0..<3000 {
      let count = Int.random(in: 0..<8, using: &random)
      let text = (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
      for isBlock in [false, true] {
        let string = StringValue(text, isBlock: isBlock)
        let definition = FragmentDefinition(
          description: string, name: "F", typeCondition: "T",
          selectionSet: [
            .field(Field(name: "a", arguments: [Argument(name: "b", value: .string(string))]))
          ])
        for printed in [definition.canonicalText, definition.minifiedText] {
          let again = try #require(try Document(parsing: printed).fragments.first)
          #expect(
            again.description?.value.unicodeScalars.elementsEqual(text.unicodeScalars) == true)
          // A text that no block string can express becomes a quoted one, which makes another tree.
          let isPrintable = again.description?.isBlock == isBlock
          #expect((again == definition) == isPrintable, "\(text.debugDescription)")
          #expect(isPrintable || isBlock)
        }
      }
    }
  }

  /// Checks the properties of every text; returns whether the text is valid.
  private func check(_ text: String) throws -> Bool {
    let document: Document
    do throws(GraphQLSyntaxError) {
      document = try Document(parsing: text)
    } catch {
      let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isGraphQLNewline)
      try #require(lines.indices.contains(error.line - 1), "\(text.debugDescription)")
      let width = lines[error.line - 1].utf16.count
      #expect((1...width + 1).contains(error.column), "\(text.debugDescription)")
      return false
    }
    let canonical = document.canonicalText
    #expect(try Document(parsing: canonical) == document, "\(text.debugDescription)")
    #expect(try Document(parsing: document.minifiedText) == document, "\(text.debugDescription)")
    #expect(try Document(parsing: canonical).canonicalText == canonical)
    return true
  }

  private func mutate(
    _ source: [UInt8], with other: [UInt8], _ random: inout SeededRandom
  ) -> [UInt8] {
    var bytes = source
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let place = Int.random(in: 0...bytes.count, using: &random)
      let length = Int.random(in: 0...8, using: &random)
      let start = Int.random(in: 0..<other.count, using: &random)
      let range = place..<min(place + length, bytes.count)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes.removeSubrange(range)
      case 1: bytes.insert(contentsOf: other[start...].prefix(length), at: place)
      case 2: bytes.replaceSubrange(range, with: other[start...].prefix(length))
      case 3: bytes.insert(contentsOf: bytes[range], at: place)
      default: for index in range { bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
      }
    }
    return bytes
  }
}

extension Character {
  /// A line terminator of GraphQL; `\r\n` is one character.
  fileprivate var isGraphQLNewline: Bool {
    self == "\n" || self == "\r" || self == "\r\n"
  }
}
