import GraphQLLanguage
import Testing

/// Tests of finding definitions in trees, and of trees that are built in code.
@Suite struct DocumentTests {
  let mixed = """
    query A { a } "d" mutation B { ...F } fragment F on T { b } type T { a: Int }
    fragment G on T { c } extend type T { b: Int } { d }
    """

  @Test("Operations and fragments are in the order of the text")
  func lists() throws {
    let document = try Document(parsing: mixed)
    #expect(document.operations.map(\.name) == ["A", "B", nil])
    #expect(document.operations.map(\.kind) == [.query, .mutation, .query])
    #expect(document.fragments.map(\.name) == ["F", "G"])
    let isExecutable = document.definitions.map(\.isExecutable)
    #expect(isExecutable == [true, true, true, false, true, false, true])
  }

  @Test("Operations and fragments are found by their names")
  func names() throws {
    let document = try Document(parsing: mixed)
    #expect(document.operation(named: "B")?.kind == .mutation)
    #expect(document.operation(named: "C") == nil)
    #expect(document.operation(named: "F") == nil)
    #expect(document.fragment(named: "G")?.typeCondition == "T")
    #expect(document.fragment(named: "A") == nil)
  }

  @Test("Without a name, the only operation is found, and none of several")
  func unnamed() throws {
    #expect(try Document(parsing: mixed).operation(named: nil) == nil)
    #expect(try Document(parsing: "{ a }").operation(named: nil)?.kind == .query)
    let named = "fragment F on T { a } mutation M { a }"
    #expect(try Document(parsing: named).operation(named: nil)?.name == "M")
    #expect(try Document(parsing: "type T").operation(named: nil) == nil)
  }

  @Test("A tree that was built in code equals the one that was parsed")
  func built() throws {
    let operation = OperationDefinition(
      description: "Finds", name: "Q",
      variableDefinitions: [
        VariableDefinition(
          name: "id", type: .nonNull(.list(.named("ID"))), defaultValue: .list([.int("1")]))
      ],
      directives: [
        Directive(name: "live", arguments: [Argument(name: "if", value: .boolean(true))])
      ],
      selectionSet: [
        .field(
          Field(
            alias: "n", name: "node",
            arguments: [
              Argument(name: "id", value: .variable("id")),
              Argument(name: "by", value: .object([ObjectField(name: "k", value: .enum("ID"))])),
            ],
            selectionSet: [
              .fragmentSpread(FragmentSpread(name: "F")),
              .inlineFragment(InlineFragment(typeCondition: "T", selectionSet: [])),
            ]))
      ])
    let text = """
      "Finds" query Q($id: [ID]! = [1]) @live(if: true) {
        n: node(id: $id, by: {k: ID}) { ...F ... on T { a } }
      }
      """
    var document = Document(definitions: [.operation(operation)])
    #expect(try Document(parsing: text) != document)
    document.definitions[0] = .operation(try operationWithField(operation))
    #expect(try Document(parsing: text) == document)
    #expect(try Document(parsing: document.canonicalText) == document)
  }

  /// Adds a field to the inline fragment at the end.
  private func operationWithField(_ operation: OperationDefinition) throws -> OperationDefinition {
    var operation = operation
    guard case .field(var node) = operation.selectionSet.selections[0],
      case .inlineFragment(var fragment)? = node.selectionSet?.selections.last
    else { throw Missing() }
    fragment.selectionSet = [.field(Field(name: "a"))]
    node.selectionSet?.selections[1] = .inlineFragment(fragment)
    operation.selectionSet.selections[0] = .field(node)
    return operation
  }

  private struct Missing: Error {}

  @Test("The response key of a field is its alias, or its name without one")
  func responseKeys() {
    #expect(Field(name: "a").responseKey == "a")
    #expect(Field(alias: "b", name: "a").responseKey == "b")
  }

  @Test(
    "A value is constant if it contains no variable",
    arguments: [
      ("1", true), ("[1, {a: [\"b\"]}]", true), ("null", true), ("E", true), ("$a", false),
      ("[1, $a]", false), ("{a: {b: [$c]}}", false), ("true", true), ("1.5", true),
    ])
  func constants(text: String, isConstant: Bool) throws {
    #expect(try Value(parsing: text).isConstant == isConstant)
  }

  @Test(
    "The named type of a reference is its innermost name",
    arguments: ["T", "T!", "[T]", "[[T!]!]!"])
  func namedTypes(text: String) throws {
    #expect(try TypeReference(parsing: text).namedType == "T")
  }

  @Test(
    "Values and types end where their text ends",
    arguments: [
      ("1 2", "Expected <EOF>, found Int \"2\".", 3),
      ("$a b", "Expected <EOF>, found Name \"b\".", 4),
      ("", "Unexpected <EOF>.", 1), ("[1", "Unexpected <EOF>.", 3),
      ("\"a\" {", "Expected <EOF>, found \"{\".", 5),
    ])
  func values(text: String, message: String, column: Int) {
    #expect(throws: GraphQLSyntaxError(message: message, line: 1, column: column)) {
      try Value(parsing: text)
    }
  }

  @Test("Types end where their text ends")
  func types() {
    #expect(
      throws: GraphQLSyntaxError(message: "Expected <EOF>, found \"!\".", line: 1, column: 3)
    ) {
      try TypeReference(parsing: "T!!")
    }
    #expect(
      throws: GraphQLSyntaxError(message: "Expected Name, found <EOF>.", line: 1, column: 1)
    ) {
      try TypeReference(parsing: "")
    }
  }

  @Test("The description of an error contains its position")
  func errors() {
    let error = GraphQLSyntaxError(message: "Expected Name, found \"}\".", line: 3, column: 7)
    #expect("\(error)" == "GraphQL syntax error at line 3, column 7: Expected Name, found \"}\".")
  }
}
