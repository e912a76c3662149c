import GraphQLValidation
import Testing
import WeirGeneration

@Suite("Places in findings of the generation")
struct PlaceTests {
  @Test(
    "Lines end with a line feed, a carriage return, or both (G7)",
    arguments: ["\n", "\r", "\r\n"])
  func lines(end: String) throws {
    let generator = try Generator("type Query { a: Int }", "# one\(end)# two\(end)  { a }")
    #expect(generator.errors.count == 1)
    #expect(generator.errors.first?.hasPrefix("a.graphql:3:3: error: An operation needs") == true)
    let json = "{\(end)\(end)  \"namespce\": \"A\"}"
    let error = #expect(throws: GenerationFinding.self) {
      try GenerationConfiguration(parsing: json, path: "weir.json")
    }
    #expect(error?.description.hasPrefix("weir.json:3:3: error: Unknown key") == true)
    let introspection = #expect(throws: GenerationFinding.self) {
      try SourceFile(path: "s.json", introspection: "{\(end)\(end) x}")
    }
    #expect(introspection?.description.hasPrefix("s.json:3:2: error: ") == true)
  }

  @Test("The column in JSON is counted in UTF-16 code units (G7)")
  func columns() throws {
    let generator = try Generator(
      "type Query { a(b: String): Int }", "query A { a(b: \"é\") } { a }")
    let finding = try #require(generator.findings.first { $0.message.contains("needs a name") })
    #expect(finding.column == 24 && finding.json.contains("\"column\":23,"))
  }
}
