import GraphQLValidation
import Testing
import Weir
import WeirGeneration

@Suite("Names that generated code needs")
struct ReservedNameTests {
  private func text(
    _ schema: String, _ document: String, _ json: String = "{}"
  ) throws -> String {
    let generator = Generator(
      schema: [try SourceFile(path: "s.graphqls", parsing: schema)],
      documents: [try SourceFile(path: "a.graphql", parsing: document)],
      configuration: try GenerationConfiguration(parsing: json, path: "weir.json"))
    #expect(!generator.findings.contains { $0.severity == .error }, "\(generator.findings)")
    return generator.files.map(\.text).joined()
  }

  @Test("Fields beside `id`, or beside a condition, hide no type that code makes for these (G1)")
  func fields() throws {
    let data = try JSON(
      parsing: """
        {"_":1,"ID":2,"iD":{"_":3},"posts":[{"__typename":"Post","id":"1","ID":"T"}],
         "node":{"__typename":"Post","id":"1","On":"2","title":"T"}}
        """
    ).decode(GraphQLSchema_.Data.self)
    #expect(data.posts.map(\.id) == ["1"] && data.posts.map(\.ID_) == ["T"])
    #expect(data.node?.On_ == "2" && data.node?.asPost?.title == "T")
    #expect(data.fieldName.ID == 2 && data.fieldName.iD.__ == 3)
    // Without them, the names stay as they are.
    let schema = "type Query { book: Book } type Book { id: ID ID: Int! On: Int iD: Book }"
    let usual = try text(schema, "query Q { book { id ID On iD { ID } } }")
    #expect(usual.contains("var ID: Int\n") && usual.contains("var On: Int?\n"))
    let nested = try text(
      schema.replacing("id: ID ", with: "id: ID! "), "query Q { book { id iD { On } } }")
    #expect(nested.contains("struct ID_: SelectionData") && nested.contains("var iD: ID_?\n"))
  }

  @Test("Variables, fields and fragments cannot hide the types of code beside them (G7)")
  func hiding() throws {
    let query = Hiding(Input_: 1, Box_: Blog.PostFilter(limit: 2), Blog_: "a", _root_: "b")
    #expect(
      String(decoding: query.operation().variables, as: UTF8.self)
        == #"{"Blog":"a","Box":{"limit":2},"Input":1,"_root":"b"}"#)
    let data = try JSON(
      parsing:
        #"{"posts":[{"title":"T","Blog":"1"}],"Blog":{"id":"2"},"node":null,"GraphQLDocument":3}"#
    ).decode(Hiding.Data.self)
    #expect(data.posts.first?.Blog_ == "1" && data.Blog_?.id == "2")
    #expect(data._root._count_.GraphQLDocument_ == 3)
    let code = try text(
      "type Query { a(b: In): TypeSet } union TypeSet = Query input In { Input: Int Box: In }",
      "query Q($b: In) { a(b: $b) { ... on TypeSet { __typename } } }", #"{"schemaTypes": "all"}"#)
    #expect(code.contains("Box_: Input(Box_.map(Box.init))"))
    #expect(code.contains("static let TypeSet_ = TypeSet("))
  }

  @Test(
    "Operations and fragments cannot hide what the files for the schema and for caches name (G7)",
    arguments: [
      "ArgumentName", "FieldName", "GeneratedNames", "GeneratedObject", "GeneratedType",
      "GraphQLSchema", "MutationName", "NormalizedCacheConfiguration",
    ])
  func definitions(name: String) throws {
    let schema = "type Query { a: Int }"
    #expect(try text(schema, "query \(name) { a }").contains("struct \(name)_: GeneratedQuery"))
    let configuration = try GenerationConfiguration(
      parsing: "{\"namespace\": \"\(name)\"}", path: "weir.json")
    let generator = Generator(
      schema: [try SourceFile(path: "s.graphqls", parsing: schema)], documents: [],
      configuration: configuration)
    #expect(generator.findings.map(\.line) == [1])
  }

  @Test("Fields and arguments cannot hide the initializers of names for caches (G7)")
  func cacheNames() throws {
    let schema = """
      type Query { FieldName(ArgumentName: Int): Int MutationName: Int }
      type Mutation { MutationName(ArgumentName: Int FieldName: Int): Int FieldName: Int }
      """
    let cache = try text(
      schema, "query Q { FieldName MutationName } mutation M { MutationName FieldName }",
      "{\"normalizedCache\": true}")
    for line in [
      "var FieldName_: FieldName<Schema.Query, Int?> { FieldName(\"FieldName\") }",
      "var MutationName: FieldName<Schema.Query, Int?>",
      "var MutationName_: MutationName<Schema.Mutation.MutationNameArguments>",
      "var FieldName: MutationName<", "var ArgumentName_: ArgumentName { ArgumentName(",
      "var FieldName: ArgumentName ",
    ] { #expect(cache.contains(line), "\(line)") }
  }

  @Test("Types of the schema whose names begin another kind of type get another name (G7)")
  func words() throws {
    let code = try text("type Query { a: some } enum some { A }", "query Q { a }")
    #expect(code.contains("enum some_: GraphQLEnum") && code.contains("var a: Schema.some_?"))
  }

  @Test("A fragment cannot be hidden by the type that Identifiable names (G7)")
  func identifiers() throws {
    let code = try text(
      "type Query { id: ID! }",
      "query Q { ...A } fragment A on Query { id ...ID } "
        + "fragment ID on Query { id }")
    #expect(code.contains("fragments: [ID_.document]") && code.contains("var iD: ID_\n"))
  }

  @Test("A nested type cannot hide the type of ID (G10)")
  func ids() throws {
    let schema = "type Query { bookID: Book } type Book { id: ID! }"
    let document = "query Q { bookID { id } }"
    let own = try text(schema, document, "{\"ids\": \"BookID\"}")
    #expect(own.contains("var bookID: BookID_?") && own.contains("var id: BookID\n"))
    #expect(try text(schema, document).contains("var bookID: BookID?"))
  }

  @Test(
    "A keyword cannot be a type or a module in the configuration (G7)",
    arguments: [
      (#"{"scalars": {"Money": "class"}}"#, 14), (#"{"scalars": {"Money": "Kit.class"}}"#, 14),
      (#"{"scalars": {"Money": "Self"}}"#, 14), (#"{"ids": "Type"}"#, 9),
      (#"{"imports": ["Kit", "class"]}"#, 21),
    ])
  func keywords(json: String, column: Int) throws {
    let generator = try generator(json)
    let finding = try #require(generator.findings.first { $0.severity == .error })
    #expect(finding.path == "weir.json" && finding.line == 1 && finding.column == column)
    #expect(finding.message.hasSuffix(" is a keyword. Name another one."))
  }

  private func generator(_ json: String) throws -> Generator {
    Generator(
      schema: [try SourceFile(path: "s.graphqls", parsing: "type Query { m: Money } scalar Money")],
      documents: [try SourceFile(path: "a.graphql", parsing: "query Q { m }")],
      configuration: try GenerationConfiguration(parsing: json, path: "weir.json"))
  }

  @Test(
    "A type in the configuration that generated code would hide is an error with a cure (G7)",
    arguments: [
      (#"{"scalars": {"Money": "Data"}}"#, 14, "Write its module, too: \"Foundation.Data\"."),
      (#"{"ids": "ID"}"#, 9, "Write its module, too, such as \"Kit.ID\", or rename it."),
      (#"{"scalars": {"Money": "On"}}"#, 14, "such as \"Kit.On\", or rename it."),
      (
        #"{"namespace": "Kit", "scalars": {"Money": "Kit.Money"}}"#, 34,
        "\"Kit.Money\" means a type in the namespace \"Kit\". Write \"Money\" if the type is in this "
          + "module; otherwise choose another namespace: \"namespace\": \"…\"."
      ),
      (
        #"{"namespace": "Money", "ids": "Money"}"#, 31,
        "\"Money\" is also the namespace of the schema's types. Choose another one: "
          + "\"namespace\": \"…\"."
      ),
    ])
  func hidden(json: String, column: Int, message: String) throws {
    let generator = try generator(json)
    let finding = try #require(generator.findings.first { $0.severity == .error })
    #expect(finding.path == "weir.json" && finding.line == 1 && finding.column == column)
    #expect(finding.message.hasSuffix(message), "\(finding.message)")
  }

  @Test(
    "A type with its module, or one of Swift's own, is hidden by nothing (G7)",
    arguments: [
      "Foundation.Data", "Kit.ID", "JSONValue", "Weir.JSONValue", "String", "Bool", "Own",
    ])
  func visible(type: String) throws {
    #expect(try generator("{\"scalars\": {\"Money\": \"\(type)\"}}").findings == [])
  }

  @Test("A type that a module takes over from one below is not in its namespace either (G7)")
  func inherited() throws {
    let kit = Kit(
      json: #"{"namespace": "Library", "access": "public", "scalars": {"Money": "Kit.Money"}}"#,
      schema: "type Query { m: Money } scalar Money", fragments: "fragment Row on Query { m }")
    #expect(
      try kit.feature("query Q { m }", json: #"{"namespace": "Kit"}"#).errors == [
        "weir.json:1:15: error: \"Kit.Money\" means a type in the namespace \"Kit\". Write \"Money\" "
          + "if the type is in this module; otherwise choose another namespace: \"namespace\": \"…\"."
      ])
  }

  @Test("Values of an enumeration cannot hide its associated types (G4)")
  func values() throws {
    let schema = """
      type Query { e: E f: F }
      enum E { RawValue AllCases }
      enum F { RAW_VALUE rawValue RawValue }
      """
    let plain = try text(schema, "query Q { e }", "{\"casing\": \"schema\"}")
    #expect(plain.contains("case RawValue_\n") && plain.contains("case AllCases_\n"))
    let usual = try text(schema, "query Q { f }")
    for name in ["RAW_VALUE", "rawValue_", "RawValue_"] {
      #expect(usual.contains("case \(name)\n"), "\(name)")
    }
  }

  @Test("The associated types of an enumeration cannot hide its own name (G4)")
  func associatedTypes() throws {
    #expect(Blog.RawValue.allCases.map(\.rawValue) == ["A", "B"])
    #expect(Blog.AllCases.allCases == [.c])
    let data = try JSON(parsing: #"{"raw":"C","node":{"__typename":"Post","id":"1"}}"#)
      .decode(Enumerations.Data.self)
    #expect(data.raw == .c && data.node?.__typename == "Post")
    #expect(
      String(decoding: Enumerations(raw: .b).operation().variables, as: UTF8.self)
        == #"{"raw":"B"}"#)
  }

  @Test("An alias that is the name `__typename` selects it as the name does (G5)")
  func typename() throws {
    let code = try text(
      "type Query implements Node { id: ID node: Node } interface Node { id: ID }",
      "query Q { node { __typename: __typename id } ...F } "
        + "fragment F on Node { __typename: __typename id }")
    // The node and the fragment have one property each.
    #expect(code.ranges(of: "var __typename: String").count == 2)
    #expect(!code.contains("__typename: __typename __typename"))
    #expect(code.contains("fragment F on Node{__typename:__typename id}"))
  }

  @Test("A comment does not silence a rule that generated code relies on (G7)")
  func required() throws {
    let generator = try Generator(
      "type Query { node: Node } interface Node { id: ID }",
      "query Q {\n  # weir:ignore no-typename-alias\n  node { __typename: id }\n}")
    #expect(generator.files.isEmpty)
    #expect(generator.errors.count == 1)
    #expect(generator.errors.first?.hasSuffix("[no-typename-alias]") == true)
  }

  @Test("An `id` with any scalar makes its type identifiable (G1)", arguments: ["UUID", "Float"])
  func identifiable(scalar: String) throws {
    let schema = "scalar UUID type Query { one: One } type One { id: \(scalar)! ids: [UUID!]! }"
    #expect(try text(schema, "query Q { one { id } }").contains("SelectionData, Identifiable"))
    for selection in ["id @skip(if: true)", "key: id", "id: ids"] {
      let usual = try text(schema, "query Q { one { \(selection) } }")
      #expect(!usual.contains("Identifiable"), "\(selection)")
    }
  }
}
