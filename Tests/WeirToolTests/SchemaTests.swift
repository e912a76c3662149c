import Testing

@testable import WeirTool

@Suite("weir schema print, check and diff", .timeLimit(.minutes(10)))
struct SchemaTests {
  @Test("A schema of several files and an introspection result is printed as one, sorted (T5)")
  func print() async throws {
    let workspace = try Workspace([
      "b.graphqls": "extend type Query { a: Int @deprecated(reason: \"No.\") } enum E { Z A }",
      "a.json": #"{"queryType": {"name": "Query"}, "types": [{"kind": "OBJECT", "name": "Query", "#
        + #""description": "Root", "fields": [{"name": "e", "type": {"name": "E"}}]}]}"#,
    ])
    let text =
      "enum E {\n  Z\n  A\n}\n\n\"\"\"Root\"\"\"\ntype Query {\n"
      + "  a: Int @deprecated(reason: \"No.\")\n  e: E\n}"
    let run = await workspace.run("schema", "print", "a.json", "b.graphqls")
    #expect(run.code == 0)
    #expect(run.output == [text])
    // A folder with a configuration is a schema, too.
    try workspace.write(#"{"schema": ["*.json", "*.graphqls"]}"#, to: "weir.json")
    #expect(await workspace.run("schema", "print").output == [text])
    #expect(await workspace.run("schema", "print", ".", "-o", "all.graphqls").output == [])
    #expect(workspace["all.graphqls"] == text + "\n")
  }

  @Test("A schema that breaks a rule fails the check at its place (T5)")
  func check() async throws {
    let workspace = try Workspace([
      "a.graphqls": "type Query { a: Unknown }", "b.graphqls": "type Query { a: Int }",
    ])
    let run = await workspace.run("schema", "check", "a.graphqls")
    #expect(run.code == 1)
    #expect(run.diagnostics == ["a.graphqls:1:17: error: Unknown type \"Unknown\". [known-types]"])
    #expect(await workspace.run("schema", "check", "b.graphqls").code == 0)
    #expect(await workspace.run("schema", "check", "missing.graphqls").code == 3)
    // In a folder, too, a document is not a part of the schema if a configuration says what is.
    try workspace.write("query {", to: "A.graphql")
    #expect(await workspace.run("schema", "check", ".").code == 1)
    try workspace.write(#"{"schema": ["b.graphqls"]}"#, to: "weir.json")
    #expect(await workspace.run("schema", "check", ".").diagnostics == [])
    #expect(await workspace.run("validate").code == 1)
  }

  /// Reports a change of a schema: the lines of the output, and the exit code.
  private func diff(_ old: String, _ new: String) async throws -> (lines: [String], code: Int32) {
    let base = "type Query { f: Int }\n"
    let workspace = try Workspace(["a.graphqls": base + old, "b.graphqls": base + new])
    let run = await workspace.run("schema", "diff", "a.graphqls", "b.graphqls")
    return (run.output, run.code)
  }

  @Test(
    "Changes that break clients are found (T5)",
    arguments: [
      ("scalar S", "", "S: The type was removed. [type-removed]"),
      (
        "scalar S", "enum S { A }",
        "S: The type was a scalar, and is an enumeration. [type-kind-changed]"
      ),
      (
        "type T { a: Int b: Int }", "type T { a: Int }",
        "T.b: The field was removed. [field-removed]"
      ),
      (
        "type T { a: Int! }", "type T { a: Int }",
        "T.a: The type changed from Int! to Int. [field-type-changed]"
      ),
      // A document may ask for other types of the interface, of which no object can be one any more.
      (
        "interface N { a: Int } type A implements N { a: Int } type T { n: N }",
        "interface N { a: Int } type A implements N { a: Int } type T { n: A }",
        "T.n: The type changed from N to A. [field-type-changed]"
      ),
      (
        "type T { a: [Int!] }", "type T { a: [Int] }",
        "T.a: The type changed from [Int!] to [Int]. [field-type-changed]"
      ),
      (
        "type T { a(x: Int, y: Int): Int }", "type T { a(y: Int): Int }",
        "T.a(x:): The argument was removed. [argument-removed]"
      ),
      (
        "type T { a: Int }", "type T { a(x: Int!): Int }",
        "T.a(x:): A required argument was added. [required-argument-added]"
      ),
      (
        "type T { a(x: Int): Int }", "type T { a(x: Int!): Int }",
        "T.a(x:): The type changed from Int to Int!. [argument-type-changed]"
      ),
      (
        "type T { a(x: Int! = 1): Int }", "type T { a(x: Int!): Int }",
        "T.a(x:): The default value changed from 1 to none. [default-value-changed]"
      ),
      (
        "input I { a: Int }", "input I { a: Int b: Int! }",
        "I.b: A required input field was added. [required-input-field-added]"
      ),
      (
        "input I { a: Int b: Int }", "input I { a: Int }",
        "I.b: The input field was removed. [input-field-removed]"
      ),
      (
        "input I { a: Int }", "input I @oneOf { a: Int }",
        "I: The type takes exactly one of its fields. [one-of-changed]"
      ),
      ("enum E { A B }", "enum E { A }", "E.B: The value was removed. [enum-value-removed]"),
      (
        "type A { a: Int } type B { a: Int } union U = A | B",
        "type A { a: Int } type B { a: Int } union U = A",
        "U: B is not a member any more. [union-member-removed]"
      ),
      (
        "interface N { a: Int } type T implements N { a: Int }",
        "interface N { a: Int } type T { a: Int }",
        "T: The type does not implement N any more. [interface-removed]"
      ),
      (
        "type Mutation { a: Int }",
        "type Changes { a: Int } schema { query: Query mutation: Changes }",
        "Mutation: The type was removed. [type-removed]"
      ),
      ("directive @d on FIELD", "", "@d: The directive was removed. [directive-removed]"),
      (
        "directive @d repeatable on FIELD", "directive @d on FIELD",
        "@d: The directive may occur only once in a place. [directive-not-repeatable]"
      ),
      (
        "directive @d on FIELD | QUERY", "directive @d on QUERY",
        "@d: The directive may not occur on FIELD any more. [directive-location-removed]"
      ),
    ])
  func breaking(old: String, new: String, line: String) async throws {
    let (lines, code) = try await diff(old, new)
    #expect(lines.first == "breaking: " + line)
    #expect(code == 1)
  }

  @Test(
    "Other changes do not fail (T5)",
    arguments: [
      ("enum E { A }", "enum E { A B }", "dangerous: E.B: The value was added. [enum-value-added]"),
      (
        "type A { a: Int } type B { a: Int } union U = A",
        "type A { a: Int } type B { a: Int } union U = A | B",
        "dangerous: U: B became a member. [union-member-added]"
      ),
      (
        "interface N { a: Int } type T { a: Int }",
        "interface N { a: Int } type T implements N { a: Int }",
        "dangerous: T: The type implements N. [interface-added]"
      ),
      (
        "type T { a: Int }", "type T { a(x: Int): Int }",
        "dangerous: T.a(x:): An optional argument was added. [optional-argument-added]"
      ),
      (
        "type T { a(x: Int = 1): Int }", "type T { a(x: Int = 2): Int }",
        "dangerous: T.a(x:): The default value changed from 1 to 2. [default-value-changed]"
      ),
      (
        "input I { a: Int }", "input I { a: Int b: Int! = 1 }",
        "dangerous: I.b: An optional input field was added. [optional-input-field-added]"
      ),
      (
        "scalar S", "scalar S @specifiedBy(url: \"x\")",
        "dangerous: S: The specification of the scalar changed. [scalar-specification-changed]"
      ),
      ("", "scalar S", "safe: S: The type was added. [type-added]"),
      (
        "type T { a: Int }", "type T { a: Int! }",
        "safe: T.a: The type changed from Int to Int!. [field-type-changed]"
      ),
      (
        "type T { a: Int }", "type T { a: Int b: Int }",
        "safe: T.b: The field was added. [field-added]"
      ),
      (
        "type T { a(x: [Int!]!): Int }", "type T { a(x: [Int!]): Int }",
        "safe: T.a(x:): The type changed from [Int!]! to [Int!]. [argument-type-changed]"
      ),
      (
        "type T { a: Int }", "type T { a: Int @deprecated(reason: \"Old.\") }",
        "safe: T.a: It is deprecated: Old. [deprecation-changed]"
      ),
      ("", "directive @d on FIELD", "safe: @d: The directive was added. [directive-added]"),
      (
        "input I @oneOf { a: Int }", "input I { a: Int }",
        "safe: I: The type takes any of its fields. [one-of-changed]"
      ),
    ])
  func harmless(old: String, new: String, line: String) async throws {
    let (lines, code) = try await diff(old, new)
    #expect(lines == [line])
    #expect(code == 0)
  }

  @Test("The order and the files of a schema are not a difference (T5)")
  func equal() async throws {
    let (lines, code) = try await diff(
      "type T { a: Int b: E } enum E { A }", "enum E { A } type T { b: E } extend type T { a: Int }"
    )
    #expect(lines == [])
    #expect(code == 0)
  }
}
