import GraphQLValidation
import Testing
import WeirGeneration

@Suite("Schemas that lack definitions")
struct IncompleteSchemaTests {
  private func errors(_ schema: String, _ document: String) throws -> [String] {
    let generator = try Generator(schema, document)
    #expect(generator.files.isEmpty == !generator.errors.isEmpty)
    return generator.errors
  }

  @Test("A selected field whose type is not defined is an error that names the cure (G7)")
  func types() throws {
    let schema = """
      type Query { post: Post other: Int }
      type Post { id: ID! at: [AWSDateTime!]! author: Author }
      """
    #expect(try errors(schema, "query A { post { id } other }") == [])
    #expect(
      try errors(schema, "query A { post { id at author { name } } }") == [
        "a.graphql:1:21: error: The schema does not define the type \"AWSDateTime\" of Post.at. Add "
          + "\"scalar AWSDateTime\" to a *.graphqls file.",
        "a.graphql:1:24: error: The schema does not define the type \"Author\" of Post.author. Add its "
          + "definition to a *.graphqls file.",
      ])
  }

  @Test(
    "A selected field that only an interface of the object has is an error (G7)",
    arguments: [
      ("query A { a { id ... on Node { at } } }", 32),
      ("query A { a { id ...F @unmask } } fragment F on Node { at }", 18),
    ])
  func fields(document: String, column: Int) throws {
    let schema = """
      interface Node { id: ID! at: String }
      type Query { a: A }
      type A implements Node { id: ID! }
      """
    #expect(
      try errors(schema, document) == [
        "a.graphql:1:\(column): error: The schema does not define A.at, although an interface of "
          + "\"A\" has the field. Add it to \"A\" in a *.graphqls file."
      ])
    // The server decides about a fragment as a value of its own.
    #expect(try errors(schema, "query A { a { id ...F } } fragment F on Node { at }") == [])
  }

  @Test("A used input object with a field whose type is not defined is an error at the field (G7)")
  func inputs() throws {
    let schema = "type Query { a(i: I): Int }\ninput I { b: Int at: AWSDateTime }"
    #expect(try errors(schema, "query A { a }") == [])
    #expect(
      try errors(schema, "query A($i: I) { a(i: $i) }") == [
        "s.graphqls:2:18: error: The schema does not define the type \"AWSDateTime\" of I.at. Add "
          + "\"scalar AWSDateTime\" to a *.graphqls file."
      ])
  }

  @Test("A variable whose type is not defined is an error of the validation (G7)")
  func variables() throws {
    let schema = "type Query { a(at: AWSDateTime): Int }"
    #expect(
      try errors(schema, "query A($at: AWSDateTime) { a(at: $at) }") == [
        "a.graphql:1:14: error: Unknown type \"AWSDateTime\". [variables-are-input-types]"
      ])
  }
}
