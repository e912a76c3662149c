import GraphQLValidation
import Testing
import Weir

@testable import WeirGeneration

@Suite("Names in Swift", .timeLimit(.minutes(10)))
struct NameTests {
  @Test("Names that would meet after escaping all differ, whatever their order (G7)")
  func distinct() {
    let names = ["Type", "Type_", "Type__", "Self", "a"]
    let reserved: Set = ["Type", "Self", "Self_"]
    for order in [names, names.reversed()] {
      let distinct = DistinctNames(order, reserved: reserved)
      #expect(names.map { distinct[$0] } == ["Type___", "Type_", "Type__", "Self__", "a"])
    }
  }

  @Test("Names that meet in camel case stay as they are (G7)")
  func camel() {
    let names = ["created_at", "body_html", "bodyHtml", "_id", "id", "URL", "bodyHTML", "_", "a_1"]
    let distinct = DistinctNames.properties(names, .camel)
    #expect(
      names.map { distinct[$0] } == [
        "createdAt", "body_html", "bodyHtml", "_id", "id", "url", "bodyHTML", "__", "a1",
      ])
    #expect(DistinctNames.properties(names, .values)["created_at"] == "created_at")
    let values = ["SELF_HELP", "self", "self_", "URL"]
    let camel = DistinctNames.values(values, .values)
    #expect(values.map { camel[$0] } == ["selfHelp", "self__", "self_", "url"])
    let plain = DistinctNames.values(values, .schema)
    #expect(values.map { plain[$0] } == ["SELF_HELP", "self__", "self_", "URL"])
  }

  @Test("Fields, arguments and types whose names meet are read and written under their own (G7)")
  func meeting() async throws {
    let query = Meeting(
      Type__: .self__, Type_: .a, Self_: .init(Type__: .A_B, Type_: nil), by: .some__(1))
    #expect(
      String(decoding: query.operation().variables, as: UTF8.self)
        == #"{"Self":{"Type":"A_B"},"Type":"self","Type_":"A","by":{"some":1}}"#)
    let text = #"""
      {"meeting": {"Type": "Self", "Type_": "A", "Item": {"name": "I"}, "item": {"name": "i"},
       "Item_": 3, "data": {"__typename": "Data_", "id": "1"},
       "other": {"__typename": "other", "id": "2"}}, "echo": true}
      """#
    let data = try JSON(parsing: text).decode(Meeting.Data.self)
    let found = try #require(data.meeting)
    #expect(found.Type__ == .Self_ && found.Type_ == .a && found.Item_ == 3)
    #expect(found.Item?.name == "I" && found.item?.name == "i" && data.input.echo == true)
    #expect(found.data?.asData_?.id == "1" && found.other?.asOther?.id == "2")
    #expect(try JSON(parsing: JSON.encode(data)).decode(Meeting.Data.self) == data)
  }

  @Test("Operations and fragments whose names generated code uses get another name (G7)")
  func definitions() throws {
    let generator = Generator(
      schema: [
        try SourceFile(path: "s.graphqls", parsing: "type Query { a: Int when: Date } scalar Date")
      ],
      documents: [
        try SourceFile(
          path: "A.graphql",
          parsing: "query Foundation { ...Data ...String } fragment Data on Query { a } "
            + "fragment String on Query { when }")
      ])
    #expect(!generator.findings.contains { $0.severity == .error })
    let text = try #require(generator.files.first?.text)
    for line in [
      "struct Foundation_: GeneratedQuery", "struct Data_: FragmentData",
      "struct String_: FragmentData", "  var data: Data_", "  var string: String_",
      "[Data_.document, String_.document]",
    ] { #expect(text.contains(line), "\(line)") }
  }

  @Test(
    "A namespace that local variables would hide is an error (G7)",
    arguments: ["fields", "typename", "value", "variables", "configuration"])
  func namespace(name: String) throws {
    let configuration = try GenerationConfiguration(
      parsing: "{\"namespace\": \"\(name)\"}", path: "weir.json")
    let generator = Generator(
      schema: [try SourceFile(path: "s.graphqls", parsing: "type Query { a: Int }")],
      documents: [try SourceFile(path: "A.graphql", parsing: "query A { a }")],
      configuration: configuration)
    #expect(
      generator.findings.map(\.description) == [
        "weir.json:1:15: error: Swift or generated code needs the name \"\(name)\". Choose another "
          + "one for the namespace."
      ])
  }

  @Test("Names for which nothing sensible exists are an error that names both places (G7)")
  func conditions() throws {
    let schema = """
      type Query { any: Any other: Int }
      union Any = Book | book
      type Book { id: ID }
      type book { id: ID }
      """
    func findings(_ document: String) throws -> [String] {
      let generator = Generator(
        schema: [try SourceFile(path: "s.graphqls", parsing: schema)],
        documents: [try SourceFile(path: "A.graphql", parsing: document)])
      return generator.findings.map(\.description)
    }
    let parts = try findings("query A { any { ... on Book { id } ... on book { id } } }")
    #expect(
      parts == [
        """
        A.graphql:1:36: error: Two selections of this object have the name "asBook" in Swift. Write \
        one of them as a fragment with a name of its own, and spread it.
        A.graphql:1:17: note: The other one is here.
        """
      ])
    let type = try findings("query A { any { AsBook: __typename ... on Book { id } } }")
    #expect(type.count == 1 && type[0].contains("have the name \"AsBook\" in Swift."))
    let escaped =
      "query A { ...Type } fragment Type on Query { other } fragment Type_ on Query { other }"
    #expect(
      try findings(escaped) == [
        """
        A.graphql:1:54: error: The Swift type "Type_" has two definitions. Rename one of them.
        A.graphql:1:21: note: The other one is here.
        """
      ])
  }
}

@Suite("Settings of names and identifiers")
struct NameSettingTests {
  private func files(
    _ configure: (inout GenerationConfiguration) -> Void
  ) throws -> (text: String, findings: [String]) {
    let schema = """
      type Query { post_of(post_id: ID!): Post }
      type Post { id: ID! created_at: String post_kind: Post_Kind owner_name: Owner }
      type Owner { full_name: String }
      enum Post_Kind { LONG_READ }
      input Post_Filter { post_id: ID }
      input Post_By @oneOf { post_id: ID post_kind: Post_Kind }
      """
    let document = """
      query Read($post_id: ID!) {
        post_of(post_id: $post_id) { id created_at post_kind owner_name { full_name } }
      }
      """
    var configuration = GenerationConfiguration()
    configuration.schemaTypes = .all
    configuration.normalizedCache = true
    configure(&configuration)
    let generator = Generator(
      schema: [try SourceFile(path: "s.graphqls", parsing: schema)],
      documents: [try SourceFile(path: "A.graphql", parsing: document)],
      configuration: configuration)
    return (generator.files.map(\.text).joined(), generator.findings.map(\.description))
  }

  @Test("In camel case, names in Swift differ from those that are sent (G10)")
  func camel() throws {
    let text = try files { $0.casing = .camel }.text
    for line in [
      "var postId: String", "variables.write(\"post_id\", postId)",
      "createdAt: fields.value(\"created_at\")",
      "var ownerName: OwnerName?", "struct OwnerName: SelectionData", "case longRead",
      "var postOf: FieldName", "FieldName(\"post_of\")", "case postKind(Schema.Post_Kind)",
      "fields.write(\"post_kind\", value)", "fields.write(\"created_at\", createdAt)",
    ] { #expect(text.contains(line), "\(line)") }
  }

  @Test("Names are those of the schema if camel case is off (G10)")
  func schema() throws {
    let text = try files { $0.casing = .schema }.text
    #expect(text.contains("case LONG_READ\n") && text.contains("var created_at: String?"))
    let usual = try files { _ in }.text
    #expect(usual.contains("case longRead\n") && usual.contains("var created_at: String?"))
  }

  @Test("ID has the type of the configuration, in data, variables and input objects (G10)")
  func ids() throws {
    let text = try files { $0.ids = "Kit.PostID" }.text
    for line in [
      "import Kit\n", "var post_id: Kit.PostID\n", "variables.encode(\"post_id\", post_id)",
      "var id: Kit.PostID\n", "id: fields.decode(\"id\")", "SelectionData, Identifiable",
      "var post_id: Input<Kit.PostID>\n", "case post_id(Kit.PostID)\n",
      "FieldName<Schema.Post, Kit.PostID>",
    ] { #expect(text.contains(line), "\(line)") }
    let usual = try files { _ in }.text
    #expect(try files { $0.ids = "String" }.text == usual)
    #expect(try files { $0.ids = "Swift.String" }.text.contains("id: fields.value(\"id\")"))
  }

  @Test("A module uses the type of ID of the modules below (G10)")
  func inheritedIDs() throws {
    var below = GenerationConfiguration()
    (below.namespace, below.access, below.ids) = ("Kit", .public, "Base.Key")
    let generator = Generator(
      schema: [],
      documents: [try SourceFile(path: "A.graphql", parsing: "query A { id }")],
      dependencies: [
        GenerationModule(
          name: "Kit",
          schema: [try SourceFile(path: "/kit/s.graphqls", parsing: "type Query { id: ID }")],
          documents: [], configuration: below)
      ])
    #expect(generator.files.first?.text.contains("var id: Base.Key?") == true)
  }

  @Test("The types of built-in scalars cannot be chosen by \"scalars\" (G7)")
  func builtIn() throws {
    let text = #"{"scalars": {"ID": "Kit.PostID", "Int": "Swift.Int32"}}"#
    let configuration = try GenerationConfiguration(parsing: text, path: "weir.json")
    #expect(
      try files { $0 = configuration }.findings == [
        "weir.json:1:14: error: The Swift type of \"ID\" cannot be chosen here. Write \"ids\": "
          + "\"Kit.PostID\" beside \"scalars\".",
        "weir.json:1:34: error: The Swift type of \"Int\" cannot be chosen here. Give the field a "
          + "scalar of its own in the schema.",
      ])
  }

  @Test("A scalar of files is JSON in data, which servers send (G10)")
  func uploads() throws {
    let schema = "scalar Upload type Query { a(file: Upload): Upload b: Upload! }"
    let generator = Generator(
      schema: [try SourceFile(path: "s.graphqls", parsing: schema)],
      documents: [
        try SourceFile(path: "A.graphql", parsing: "query A($f: Upload) { a(file: $f) b }")
      ])
    let text = try #require(generator.files.first?.text)
    #expect(text.contains("var f: Input<Weir.Upload>") && text.contains("var a: JSONValue?"))
    #expect(text.contains("var b: JSONValue\n"))
  }
}
