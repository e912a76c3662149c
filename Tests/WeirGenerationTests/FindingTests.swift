import GraphQLLanguage
import GraphQLValidation
import Testing
import WeirGeneration

@Suite("Findings of the generation")
struct FindingTests {
  private func findings(
    _ documents: String..., configure: (inout GenerationConfiguration) -> Void = { _ in }
  ) throws -> [String] {
    let schema = """
      type Query { post: Post, library: Post, node: Node }
      interface Node { id: ID! }
      type Post implements Node { id: ID! title: String author: Author }
      type Author { name: String! money: Money }
      scalar Money
      """
    var configuration = GenerationConfiguration()
    configuration.namespace = "Library"
    configure(&configuration)
    let generator = Generator(
      schema: [try SourceFile(path: "schema.graphqls", parsing: schema)],
      documents: try documents.enumerated().map {
        try SourceFile(path: "\($0).graphql", parsing: $1)
      }, configuration: configuration)
    #expect(generator.files.isEmpty == generator.findings.contains { $0.severity == .error })
    return generator.findings.map(\.description)
  }

  @Test("A type that would hide one of Swift is a warning, unless its name changes (G7)")
  func hiddenTypes() throws {
    let documents = """
      query task { post { id ...Row } }
      fragment Row on Post { id ...Date }
      fragment Date on Post { id }
      query String { post { id } }
      """
    func found(_ name: String, _ type: String, _ cure: String, _ place: String) -> String {
      "0.graphql:\(place): warning: The Swift type of \"\(name)\" hides the usual "
        + "\"\(type)\" from all code of its module. Rename it, for example to "
        + "\"\(cure)\". [hidden-swift-type]"
    }
    let task = found("task", "Task", "taskQuery", "1:7")
    let date = found("Date", "Date", "DateFields", "3:10")
    #expect(try findings(documents) == [task, date])
    #expect(try findings(documents) { $0.scalars["Money"] = "Date" } == [task])
    #expect(try findings(documents) { $0.lint["hidden-swift-type"] = .off } == [])
  }

  @Test("A file without declarations imports nothing, which the compiler would warn about (G7)")
  func empty() throws {
    var configuration = GenerationConfiguration()
    configuration.access = .public
    let generator = Generator(
      schema: [try SourceFile(path: "s.graphqls", parsing: "type Query { a: Int }")],
      documents: [
        try SourceFile(path: "A.graphql", parsing: "query A { a }"),
        SourceFile(path: "B.graphql", document: Document(definitions: [])),
      ], configuration: configuration)
    let importing = generator.files.filter { $0.text.contains("public import Weir\n") }
    #expect(importing.map(\.name) == ["A.graphql.swift", "WeirSchema.swift"])
  }

  @Test("A line break in the name of a file adds no line to its code (G7)")
  func fileName() throws {
    let generator = Generator(
      schema: [try SourceFile(path: "s.graphqls", parsing: "type Query { a: Int }")],
      documents: [try SourceFile(path: "B/A\nlet b = 1.graphql", parsing: "query A { a }")])
    let text = try #require(generator.files.first).text
    #expect(text.hasPrefix("// @generated from A\\nlet b = 1.graphql by weir. Do not edit.\n"))
  }

  @Test(
    "Conformances within a package import nothing for it, which the compiler would warn about (G7)",
    arguments: [(GenerationConfiguration.Access.package, "internal"), (.public, "public")])
  func conformances(access: GenerationConfiguration.Access, modifier: String) throws {
    var configuration = GenerationConfiguration()
    configuration.access = access
    let generator = Generator(
      schema: [try SourceFile(path: "s.graphqls", parsing: "type Query { a: A } enum A { B }")],
      documents: [try SourceFile(path: "a.graphql", parsing: "query A { a }")],
      configuration: configuration)
    let text = try #require(generator.files.first { $0.name == "WeirEnums.swift" }).text
    #expect(text.contains("\n\(modifier) import Weir\n"))
  }

  @Test(
    "Two documents whose types would be in one file are an error that names both (G7)",
    arguments: [
      (
        "a-b/c.graphql", "a/b-c.graphql",
        "The types for two documents would be in one file \"a-b-c.graphql.swift\"."
      ),
      (
        "Feed/List.graphql", "feed-list.graphql",
        "The types for two documents would be in the files \"feed-list.graphql.swift\" and "
          + "\"Feed-List.graphql.swift\", which are one file on macOS."
      ),
    ])
  func fileNames(first: String, second: String, message: String) throws {
    let generator = Generator(
      schema: [try SourceFile(path: "s.graphqls", parsing: "type Query { a: Int }")],
      documents: [
        try SourceFile(path: first, parsing: "query A { a }"),
        try SourceFile(path: second, parsing: "query B { a }"),
      ])
    #expect(generator.files.isEmpty)
    #expect(
      generator.findings.map(\.description) == [
        """
        \(second): error: \(message) Rename one of them.
        \(first): note: The other one is here.
        """
      ])
  }

  @Test("Errors of the validation name the file and the place (G7)")
  func validation() throws {
    #expect(
      try findings("query A { post { titel } }") == [
        "0.graphql:1:18: error: Cannot query field \"titel\" on type \"Post\". "
          + "Did you mean \"title\"? [field-selections]"
      ])
  }

  @Test("A fragment may be in another file, and may be unused (G7)")
  func fragments() throws {
    let row = "fragment Row on Post { title }"
    #expect(try findings("query A { post { ...Row } }", row) == [])
    #expect(try findings("query A { post { id } }", row) == [])
  }

  @Test("Two definitions of one Swift name are an error that names both places (G7)")
  func names() throws {
    #expect(
      try findings("query Row { post { id } }", "fragment row on Post { title }") == [
        """
        1.graphql:1:1: error: The Swift type "Row" has two definitions. Rename one of them.
        0.graphql:1:1: note: The other one is here.
        """
      ])
    #expect(
      try findings("query Library { post { id } }") == [
        "0.graphql:1:1: error: \"Library\" is also the namespace of the schema's types. Rename one "
          + "of them; the namespace is set in weir.json."
      ])
  }

  @Test(
    "A namespace whose name generated code needs is an error (G7)",
    // The property of `Identifiable`, that of object types, and what a type condition on one becomes.
    arguments: ["Input", "class", "id", "on", "AsPost", "asNode"])
  func namespace(name: String) throws {
    let found = try findings("query A { post { id } }") { $0.namespace = name }
    #expect(
      found == [
        "weir.json: error: Swift or generated code needs the name \"\(name)\". Choose another one "
          + "for the namespace."
      ])
  }

  @Test("An operation without a name is an error (G7)")
  func anonymous() throws {
    #expect(
      try findings("{ post { id } }") == [
        "0.graphql:1:1: error: An operation needs a name, which becomes the name of its Swift type."
      ])
  }

  @Test("A field and a fragment with the same property are an error that names both places (G7)")
  func properties() throws {
    let row = "fragment Author on Post { title }"
    #expect(
      try findings("query A { post { author { name } ...Author } }", row) == [
        """
        0.graphql:1:18: error: The type for these fields would be named "Author" like a fragment \
        that is used here. Give the field an alias, or rename the fragment.
        1.graphql:1:1: note: The fragment is here.
        """,
        """
        0.graphql:1:34: error: Two selections of this object have the name "author" in Swift. Give \
        one of them an alias.
        0.graphql:1:18: note: The other one is here.
        """,
      ])
    #expect(
      try findings("query A { node { on: id ... on Post { title } } }").count == 1)
    #expect(
      try findings("query A { node { asPost: id ... on Post { title } } }").count == 1)
    #expect(try findings("query A { post { a: author { name } A: author { name } } }") == [])
  }

  @Test("An unknown custom scalar is a warning (G7)")
  func scalars() throws {
    let document = "query A { post { author { money } } }"
    #expect(
      try findings(document) == [
        "schema.graphqls:5:1: warning: The scalar \"Money\" has no Swift type and becomes a "
          + "JSONValue. Name its type in weir.json: \"scalars\": {\"Money\": \"…\"}."
      ])
    #expect(try findings(document) { $0.scalars["Money"] = "Kit.Money" } == [])
  }

  @Test(
    "An input object that no request can give is an error where the code would need it (G7)",
    arguments: [
      ("query Q($x: X) { a(x: $x) }", ["X"]), ("query Q($p: P) { b(p: $p) }", ["P", "Y"]),
      ("query Q($o: O) { c(o: $o) }", ["O"]), ("query Q { a }", []),
    ])
  func endlessInputs(document: String, types: [String]) throws {
    let schema = """
      type Query { a(x: X): Int b(p: P): Int c(o: O): Int }
      input X { x: X! }
      input Y { x: Y!, list: [P!]! }
      input O @oneOf { o: O }
      input P { y: Y! o: Int }
      """
    let generator = Generator(
      schema: [try SourceFile(path: "s.graphqls", parsing: schema)],
      documents: [try SourceFile(path: "a.graphql", parsing: document)])
    let errors = generator.findings.filter { $0.severity == .error }
    #expect(
      errors.map(\.message).sorted()
        == types.map {
          "No request can give the input object \"\($0)\", because its values never end. Ask the "
            + "server for a nullable field, or do not use it."
        })
    #expect(generator.files.isEmpty != types.isEmpty)
  }

  @Test(
    "Configured imports are public only where a type could need it, for the compiler warns (G7)",
    arguments: [("Kit.Money", "internal"), ("Money", "public"), ("Int53", "public")])
  func configuredImports(type: String, access: String) throws {
    var configuration = GenerationConfiguration()
    configuration.access = .public
    configuration.imports = ["Helpers"]
    configuration.scalars["Money"] = type
    let schema = "type Query { money: Money e: E } scalar Money enum E { A }"
    let generator = Generator(
      schema: [try SourceFile(path: "s.graphqls", parsing: schema)],
      documents: [
        try SourceFile(path: "a.graphql", parsing: "query A { money }"),
        try SourceFile(path: "b.graphql", parsing: "query B { e }"),
      ], configuration: configuration)
    let imports = generator.files.compactMap { file in
      file.text.split(separator: "\n").first { $0.hasSuffix(" import Helpers") }
    }
    #expect(imports[0] == "\(access) import Helpers" && imports.count == 4)
    #expect(imports.dropFirst().allSatisfy { $0 == "internal import Helpers" })
  }

  @Test("A file without declarations imports nothing (G7)")
  func imports() throws {
    var configuration = GenerationConfiguration()
    configuration.access = .public
    let generator = Generator(
      schema: [try SourceFile(path: "schema.graphqls", parsing: "type Query { a: Int }")],
      documents: [try SourceFile(path: "a.graphql", parsing: "query A { a }")],
      configuration: configuration)
    let importing = generator.files.filter { $0.text.contains("import ") }.map(\.name)
    #expect(importing == ["a.graphql.swift", "WeirSchema.swift"])
  }

  @Test("Line breaks in a description do not end its comment, and zeros are left out (G7)")
  func injection() throws {
    let schema = "type Query { \"a\\r\\nb\\u2028c\\u000Bd\\u0000\" a: Int }"
    let generator = Generator(
      schema: [try SourceFile(path: "schema.graphqls", parsing: schema)],
      documents: [try SourceFile(path: "a.graphql", parsing: "query A { a }")])
    let lines = generator.files[0].text.split(whereSeparator: \.isNewline)
    #expect(lines.filter { $0.hasSuffix("/// b") || $0.hasSuffix("/// d") }.count == 2)
    #expect(!lines.contains("b") && !lines.contains("c") && !lines.contains("d"))
    #expect(!generator.files[0].text.contains("\0"))
  }
}

@Suite("Configuration of the generation")
struct ConfigurationTests {
  @Test("All keys are read (G7)")
  func keys() throws {
    let text = """
      {"namespace": "Library", "access": "public", "documentation": false,
       "scalars": {"Money": "Kit.Money"}, "imports": ["Kit"],
       "lint": {"deprecated": "off"}, "ids": "Foundation.UUID", "casing": "camel",
       "manifest": "../operations.json"}
      """
    let configuration = try GenerationConfiguration(parsing: text, path: "weir.json")
    #expect(configuration.namespace == "Library" && configuration.access == .public)
    #expect(configuration.scalars == ["Money": "Kit.Money"] && configuration.imports == ["Kit"])
    #expect(!configuration.documentation && configuration.lint == ["deprecated": .off])
    #expect(configuration.ids == "Foundation.UUID" && configuration.casing == .camel)
    #expect(configuration.manifest == "../operations.json")
  }

  @Test(
    "A mistake is an error with its place (G7)",
    arguments: [
      ("{\n  \"namespce\": \"A\"}", "weir.json:2:3: error: Unknown key \"namespce\"."),
      ("{\"access\": \"open\"}", "weir.json:1:12: error: The access level must be one of"),
      ("{\"namespace\": 1}", "weir.json:1:15: error: Expected a string."),
      (
        "{\"namespace\": \"a b\"}", "weir.json:1:15: error: \"a b\" is not the name of a Swift type"
      ),
      ("{\"scalars\": {\"A\": \"B; import C\"}}", "weir.json:1:19: error: \"B; import C\" is not"),
      (
        "{\"access\": \"public\", \"access\": \"public\"}",
        "weir.json:1:22: error: The key \"access\""
      ),
      ("{\"ids\": \"Int\"}", "weir.json:1:9: error: Values of ID are strings in responses"),
      ("{\"ids\": \"Swift.UInt8\"}", "weir.json:1:9: error: Values of ID are strings in"),
      ("{\"ids\": \"Kit.\"}", "weir.json:1:9: error: \"Kit.\" is not the name of a Swift type"),
      ("{\"namespace\": \"_\"}", "weir.json:1:15: error: \"_\" is not the name"),
      ("{\"ids\": {}}", "weir.json:1:9: error: Expected a string."),
      (
        "{\"casing\": \"snake\"}",
        "weir.json:1:12: error: \"casing\" must be one of \"camel\", \"values\", \"schema\"."
      ),
      ("{\"manifest\": \"/a.json\"}", "weir.json:1:14: error: \"/a.json\" must be relative"),
      ("{\"manifest\": \"weir.json\"}", "weir.json:1:14: error: \"weir.json\" is not a name for a"),
      ("{\"manifest\": \"a.swift\"}", "weir.json:1:14: error: \"a.swift\" is not a name for a"),
      ("{\"lint\": {\"a\": \"on\"}}", "weir.json:1:16: error: The level must be"),
      ("[]", "weir.json:1:1: error: The configuration must be an object."),
      ("{\"access\"", "weir.json:1:10: error: Expected \":\"."),
      ("{} x", "weir.json:1:4: error: Expected the end of the file."),
    ])
  func mistakes(_ text: String, _ message: String) {
    let error = #expect(throws: GenerationFinding.self) {
      try GenerationConfiguration(parsing: text, path: "weir.json")
    }
    #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
  }
}
