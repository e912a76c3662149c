import Testing
import Weir

@Suite struct VariableLiteralTests {
  private let document: GraphQLDocument = """
    query Posts($first: Int, $tag: String, $filter: Filter) { posts(first: $first) { id } }
    """

  private func text(_ operation: GraphQLOperation) -> String {
    String(decoding: operation.variables, as: UTF8.self)
  }

  @Test("In a literal that has a variable twice, the last value counts")
  func duplicates() {
    let tag = "swift"
    #expect(
      text(GraphQLOperation(document, variables: ["first": 1, "first": 2])) == #"{"first":2}"#)
    #expect(
      text(GraphQLOperation(document, variables: ["tag": "a", "tag": "b"])) == #"{"tag":"b"}"#)
    #expect(
      text(GraphQLOperation(document, variables: ["tag": "b", "first": 1, "tag": tag]))
        == #"{"first":1,"tag":"swift"}"#)
  }

  @Test("A literal may mix literals with values of different types")
  func mixed() {
    let (first, tag, filter) = (10, String?.none, ["kind": ["a", "b"]])
    #expect(
      text(GraphQLOperation(document, variables: ["first": first, "tag": "b"]))
        == #"{"first":10,"tag":"b"}"#)
    #expect(
      text(GraphQLOperation(document, variables: ["first": first, "tag": tag, "filter": filter]))
        == #"{"filter":{"kind":["a","b"]},"first":10,"tag":null}"#)
  }

  @Test("Nested literals, null, and values of one type compile as before")
  func unchanged() {
    let id = "7"
    #expect(
      text(GraphQLOperation(document, variables: ["filter": ["kind": nil, "all": [1, 2.5]]]))
        == #"{"filter":{"all":[1,2.5],"kind":null}}"#)
    #expect(text(GraphQLOperation(document, variables: ["tag": id])) == #"{"tag":"7"}"#)
    #expect(text(GraphQLOperation(document, variables: ["tag": nil])) == #"{"tag":null}"#)
    #expect(text(GraphQLOperation(document, variables: [:])) == "{}")
    #expect(
      text(GraphQLOperation(document, variables: ["tag": id, "first": "a"] as [String: String]))
        == #"{"first":"a","tag":"7"}"#)
  }
}
