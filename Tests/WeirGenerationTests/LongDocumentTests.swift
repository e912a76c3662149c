import Testing
import WeirGeneration

@Suite("Long documents")
struct LongDocumentTests {
  @Test(
    "A text that may have more tokens than Weir accepts by default is sent, too (G7)",
    arguments: [(100, false), (15_001, true)])
  func tokens(numbers: Int, isLong: Bool) throws {
    let list = Array(repeating: "1", count: numbers).joined(separator: " ")
    let generator = try Generator(
      "type Query { sum(of: [Int!]!): Int }",
      "query Sum { sum(of: [\(list)]) ...Part } fragment Part on Query { part: sum(of: [\(list)]) }"
    )
    #expect(generator.errors == [])
    let text = try #require(generator.text("a.graphql.swift"))
    #expect(text.split(separator: "maximumTokens: nil").count == (isLong ? 3 : 1))
  }
}
