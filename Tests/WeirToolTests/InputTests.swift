import Foundation
import Testing
import WeirGeneration

@Suite("Schema and documents of a project", .timeLimit(.minutes(10)))
struct InputTests {
  private let introspected = """
    {"data": {"__schema": {"queryType": {"name": "Query"}, "types": [
      {"kind": "OBJECT", "name": "Query", "interfaces": [], "fields": [
        {"name": "title", "args": [], "type": {"kind": "SCALAR", "name": "String"}}]}]}}}
    """

  @Test("A result of introspection is a schema if weir.json names it, with extensions in SDL (T2)")
  func introspection() async throws {
    let workspace = try Workspace([
      "api/schema.json": introspected, "more.graphqls": "extend type Query { more: Int }",
      "other.json": "[1]", "A.graphql": "query A { title more }",
    ])
    let missing = await workspace.run("generate")
    #expect(missing.code == 1)
    try workspace.write(
      #"{"schema": ["api/*.json", "**/*.graphqls"]}"#, to: "weir.json")
    #expect(await workspace.run("generate").code == 0)
    #expect(workspace["Generated/A.graphql.swift"]?.contains("var more: Int?") == true)
    #expect(workspace["Generated/A.graphql.swift"]?.contains("var title: String?") == true)
  }

  @Test("A mistake in a result of introspection is an error at its place (T2)")
  func introspectionError() async throws {
    let workspace = try Workspace([
      "schema.json": introspected.replacing("\"title\"", with: "\"ti tle\""),
      "weir.json": #"{"schema": ["schema.json"]}"#, "A.graphql": "query A { title }",
    ])
    let run = await workspace.run("validate")
    #expect(run.code == 1)
    #expect(
      run.diagnostics == ["schema.json:3:14: error: \"ti tle\" is not a name of GraphQL."])
  }

  @Test("A finding about a schema from introspection points to the name of the element (T2)")
  func introspectionFinding() async throws {
    let workspace = try Workspace([
      "schema.json": introspected.replacing(
        "\"args\": []",
        with: """
          "args": [{"name": "first", "type": {"kind": "SCALAR", "name": "Int"},
            "defaultValue": "true"}]
          """)
    ])
    let run = await workspace.run("schema", "check", "schema.json")
    #expect(run.code == 1)
    #expect(
      run.diagnostics == [
        "schema.json:3:41: error: Query.title(first:) has invalid default value: Int cannot represent "
          + "non-integer value: true [default-values]"
      ])
  }

  @Test("An unknown root type in a result of introspection is an error at its name (T2)")
  func introspectionRoot() async throws {
    let workspace = try Workspace([
      "schema.json": introspected.replacing("\"Query\"}", with: "\"Q\"}")
    ])
    let run = await workspace.run("schema", "check", "schema.json")
    #expect(run.diagnostics == ["schema.json:1:46: error: Unknown type \"Q\". [known-types]"])
  }

  @Test(
    "A path that matches nothing, or is outside of the folder, is an error at its place (T3)",
    arguments: [
      (#"{"schema": ["none.json"]}"#, "weir.json:1:13: error: No file in "),
      (
        #"{"documents": ["*.graphql", "no/*.graphql"]}"#,
        "weir.json:1:29: error: No document *.graphql in "
      ),
      (
        #"{"schema": ["../a.graphqls"]}"#,
        "weir.json:1:13: error: \"../a.graphqls\" is outside of the folder."
      ),
      (#"{"schema": []}"#, "weir.json:1:12: error: Name at least one file."),
      (
        #"{"schema": "a.graphqls"}"#,
        "weir.json:1:12: error: Expected a list: [\"a.graphqls\"]."
      ),
      (
        #"{"documents": ["a.graphqls"]}"#, "weir.json:1:16: error: No document *.graphql in "
      ),
      (#"{"access": "public",}"#, "weir.json:1:21: error: Expected a name in quotes."),
      (
        #"{"keys": {"Query": ["a", "a"]}}"#,
        "weir.json:1:26: error: The field \"a\" occurs twice in the key."
      ),
      (
        #"{"lint": {"deprecatd": "off"}}"#,
        "weir.json:1:11: error: Unknown rule \"deprecatd\". Did you mean \"deprecated\"?"
      ),
      (
        #"{"lint": {"root-typs": "off"}}"#,
        "weir.json:1:11: error: Unknown rule \"root-typs\". Did you mean \"root-types\"?"
      ),
      (
        #"{"lint": {"fragment-spreads-must-not-form-cycles": "warning"}}"#,
        "weir.json:1:11: error: No types can be generated from documents that break the rule "
          + "\"fragment-spreads-must-not-form-cycles\", so its findings are always errors."
      ),
      (
        #"{"lint": {"no-typename-alias": "off"}}"#,
        "weir.json:1:11: error: No types can be generated from documents that break the rule"
      ),
      (
        #"{"lint": {"field-selections": "warning"}}"#,
        "weir.json:1:11: error: No types can be generated from documents that break the rule"
      ),
    ])
  func configuration(text: String, message: String) async throws {
    let workspace = try Workspace([
      "weir.json": text, "a.graphqls": "type Query { a: Int }", "A.graphql": "query A { a }",
    ])
    let run = await workspace.run("validate")
    #expect(run.code == 2)
    #expect(run.diagnostics.count == 1)
    #expect(run.diagnostics[0].hasPrefix(message))
  }

  @Test(
    "A schema that breaks a rule is a warning, unless the configuration has another level (T3)",
    arguments: [
      ("{}", 0, 1, "warning"), (#"{"lint": {"unique-members": "warning"}}"#, 0, 1, "warning"),
      (#"{"lint": {"unique-members": "error"}}"#, 1, 1, "error"),
      (#"{"lint": {"unique-members": "off"}}"#, 0, 0, nil),
    ])
  func schemaRule(text: String, code: Int32, strictCode: Int32, severity: String?) async throws {
    let workspace = try Workspace([
      "weir.json": text, "s.graphqls": "type Query { a: Int a: Int }", "A.graphql": "query A { a }",
    ])
    let run = await workspace.run("validate")
    #expect(run.code == code)
    #expect(
      run.diagnostics.map { String($0.prefix { $0 != "F" }) }
        == (severity.map { ["s.graphqls:1:14: \($0): "] } ?? []))
    #expect(await workspace.run("validate", "--strict").code == strictCode)
  }

  @Test("The message for a directive that the schema uses and does not define names the cure (T3)")
  func unknownDirective() async throws {
    let workspace = try Workspace([
      "s.graphqls": "type Query { a: Int @aws_auth }", "A.graphql": "query A { a }",
    ])
    #expect(
      await workspace.run("validate").diagnostics == [
        "s.graphqls:1:21: warning: Unknown directive \"@aws_auth\". Define it in a *.graphqls file. "
          + "[directives-are-defined]"
      ])
    try workspace.write("directive @aws_auth on FIELD_DEFINITION", to: "aws.graphqls")
    #expect(await workspace.run("validate", "--strict").code == 0)
  }

  @Test("A document that no pattern matches has an empty file, as a build system expects (T3)")
  func documents() async throws {
    let workspace = try Workspace([
      "weir.json": #"{"documents": ["Feed/**"]}"#, "a.graphqls": "type Query { a: Int }",
      "Feed/Deep/A.graphql": "query A { a }", "Other/B.graphql": "query B { unknown }",
    ])
    #expect(await workspace.run("generate").code == 0)
    #expect(workspace["Generated/Feed-Deep-A.graphql.swift"]?.contains("struct A") == true)
    #expect(workspace["Generated/Other-B.graphql.swift"]?.contains("struct") == false)
  }

  @Test("Operations in a file of the schema are an error: they would get no types (T3)")
  func operationInSchema() async throws {
    let workspace = try Workspace([
      "a.graphqls": "type Query { a: Int }",
      "Mixed.graphql": "extend type Query { b: Int }\nquery A { a }",
    ])
    let run = await workspace.run("generate")
    #expect(run.code == 1)
    #expect(
      run.diagnostics == [
        "Mixed.graphql:2:1: error: This file is a part of the schema, whose operations and fragments "
          + "get no Swift types. Move them into a file of their own."
      ])
  }

  @Test("A folder that does not exist is named (T3)")
  func missingFolder() async throws {
    let run = try await Workspace.project().run("validate", "--root", "none")
    #expect(run.code == 3)
    #expect(run.diagnostics[0].hasSuffix("none: error: The folder cannot be read."))
  }

  @Test("A configuration that is not text is a wrong configuration (T3)")
  func configurationWithoutText() async throws {
    let workspace = try Workspace.project()
    let path = "\(workspace.folder)/GraphQL/weir.json"
    try Data([0xff, 0xfe, 0x7b]).write(to: URL(filePath: path))
    let run = await workspace.run("validate")
    #expect(run.code == 2)
    #expect(run.diagnostics == ["GraphQL/weir.json: error: The file is not UTF-8 text."])
  }

  @Test("Files in hidden folders are not part of a project (T3)")
  func hidden() async throws {
    let workspace = try Workspace.project([
      ".build/checkouts/x/weir.json": "{", ".build/checkouts/x/X.graphql": "query {",
    ])
    #expect(await workspace.run("validate").code == 0)
  }

  @Test("Two configurations in one folder are an error, unless one is chosen (T3)")
  func twoConfigurations() async throws {
    let workspace = try Workspace.project(["Other/weir.json": "{}"])
    let run = await workspace.run("validate")
    #expect(run.code == 2)
    #expect(run.diagnostics[0].contains("GraphQL/weir.json, Other/weir.json"))
    let chosen = await workspace.run("validate", "--config", "GraphQL/weir.json", "--root", ".")
    #expect(chosen.code == 0)
  }

  @Test(
    "Patterns match names and folders (T3)",
    arguments: [
      ("*.graphqls", "a.graphqls", true), ("*.graphqls", "x/a.graphqls", false),
      ("**/*.graphqls", "a.graphqls", true), ("**/*.graphqls", "x/y/a.graphqls", true),
      ("x/**/a.*", "x/a.b", true), ("x/**", "x/y/z", true), ("x/**", "y/x", false),
      ("a?c*e", "abcde", true), ("a?c*e", "ac.e", false), ("*a*b", "xaab", true),
      ("./a", "a", true),
    ])
  func patterns(pattern: String, path: String, matches: Bool) {
    #expect(FilePattern(stringLiteral: pattern).matches(path) == matches)
  }
}
