import GraphQLLanguage
import Testing

/// Tests of trees of the schema definition language, and of additions of September 2025.
@Suite struct TypeSystemTests {
  @Test("Each kind of type is parsed with its parts")
  func types() throws {
    let text = """
      "one" scalar S @a
      type T implements I & J { "f" f(x: Int! = 1 @b, y: [S]): T! @c }
      interface I implements J { f: Int }
      union U @d = A | B
      enum E { "v" V @e W }
      input N @oneOf { a: Int = 2 b: S }
      """
    let parsed = try Document(parsing: text)
    let arguments = [
      InputValueDefinition(
        name: "x", type: .nonNull(.named("Int")), defaultValue: .int("1"),
        directives: [Directive(name: "b")]),
      InputValueDefinition(name: "y", type: .list(.named("S"))),
    ]
    let types = [
      TypeDefinition(
        .scalar, description: "one", name: "S", directives: [Directive(name: "a")]),
      TypeDefinition(
        .object, name: "T", interfaces: ["I", "J"],
        fields: [
          FieldDefinition(
            description: "f", name: "f", arguments: arguments, type: .nonNull(.named("T")),
            directives: [Directive(name: "c")])
        ]),
      TypeDefinition(
        .interface, name: "I", interfaces: ["J"],
        fields: [FieldDefinition(name: "f", type: .named("Int"))]),
      TypeDefinition(
        .union, name: "U", directives: [Directive(name: "d")], memberTypes: ["A", "B"]),
      TypeDefinition(
        .enum, name: "E",
        values: [
          EnumValueDefinition(description: "v", name: "V", directives: [Directive(name: "e")]),
          EnumValueDefinition(name: "W"),
        ]),
      TypeDefinition(
        .inputObject, name: "N", directives: [Directive(name: "oneOf")],
        inputFields: [
          InputValueDefinition(name: "a", type: .named("Int"), defaultValue: .int("2")),
          InputValueDefinition(name: "b", type: .named("S")),
        ]),
    ]
    #expect(parsed == Document(definitions: types.map(Definition.type)))
    #expect(types.map(\.name) == ["S", "T", "I", "U", "E", "N"])
    #expect(types.map(\.directives).map(\.count) == [1, 0, 0, 1, 0, 1])
    #expect(types.compactMap(\.description) == ["one"])
  }

  @Test("Schemas and directives are parsed with their parts")
  func schemas() throws {
    let text = """
      "s" schema @a { query: Q mutation: M }
      "d" directive @d(x: Int) repeatable on FIELD | INPUT_FIELD_DEFINITION
      """
    let schema = SchemaDefinition(
      description: "s", directives: [Directive(name: "a")],
      operationTypes: [
        OperationTypeDefinition(kind: .query, type: "Q"),
        OperationTypeDefinition(kind: .mutation, type: "M"),
      ])
    let directive = DirectiveDefinition(
      description: "d", name: "d",
      arguments: [InputValueDefinition(name: "x", type: .named("Int"))], isRepeatable: true,
      locations: [.field, .inputFieldDefinition])
    #expect(
      try Document(parsing: text).definitions
        == [.schema(schema), .directive(directive)])
  }

  @Test("An extension has the same tree as the definition that it extends")
  func extensions() throws {
    let text = "extend schema { subscription: S } extend union U = C extend enum E @d"
    let schema = SchemaDefinition(
      operationTypes: [OperationTypeDefinition(kind: .subscription, type: "S")])
    let union = TypeDefinition(.union, name: "U", memberTypes: ["C"])
    let enumeration = TypeDefinition(.enum, name: "E", directives: [Directive(name: "d")])
    #expect(
      try Document(parsing: text).definitions == [
        .schemaExtension(schema), .typeExtension(union), .typeExtension(enumeration),
      ])
  }

  @Test("Operations, fragments and variables may have descriptions")
  func descriptions() throws {
    let text = """
      \"""
      Finds
        things
      \"""
      query Q("which" $id: ID) { a }
      "parts" fragment F on T { a }
      """
    let document = try Document(parsing: text)
    let operation = try #require(document.operations.first)
    #expect(operation.description == StringValue("Finds\n  things", isBlock: true))
    #expect(operation.variableDefinitions.first?.description == "which")
    #expect(document.fragments.first?.description == "parts")
    #expect(
      document.minifiedText.hasPrefix("\"\"\"\nFinds\n  things\"\"\" query Q(\"which\"$id:ID){a}"))
  }
}
