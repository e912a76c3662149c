import Foundation
import Testing

@Suite("Files and folders that arguments name", .timeLimit(.minutes(10)))
struct OperandTests {
  private static func workspace() throws -> Workspace {
    try Workspace([
      "v/s.graphqls": "type Query { a: Int }", "v/A.graphql": "query A { a }",
      "v/Wrong.gql": "query W { no }", "empty/note.txt": "",
    ])
  }

  @Test(
    "A file with another ending is refused, not ignored (T3)",
    arguments: [
      (["validate", "v/s.graphqls", "v/Wrong.gql"], "*.graphql, *.graphqls, *.json"),
      (["generate", "v/s.graphqls", "v/Wrong.gql"], "*.graphql, *.graphqls, *.json"),
      (["manifest", "v/s.graphqls", "v/Wrong.gql"], "*.graphql, *.graphqls, *.json"),
      (["format", "v/Wrong.gql"], "*.graphql, *.graphqls"),
      (
        ["schema", "diff", "v/s.graphqls", "v/s.graphqls", "--documents", "v/Wrong.gql"],
        "*.graphql"
      ),
    ])
  func endings(arguments: [String], known: String) async throws {
    let run = try await Self.workspace().run(arguments)
    #expect(run.code == 2)
    #expect(
      run.diagnostics == ["v/Wrong.gql: error: Only files \(known) can be read. Rename the file."])
  }

  @Test(
    "A path without a file is an error, whatever its ending (T3)",
    arguments: [
      ["validate", "v/s.graphqls", "v/none.gql"], ["validate", "v/s.graphqls", "v/none.graphql"],
      ["validate", "v/s.graphqls", "v/none"], ["format", "v/none"],
      ["schema", "diff", "v/s.graphqls", "v/s.graphqls", "--documents", "v/none"],
    ])
  func missing(arguments: [String]) async throws {
    let run = try await Self.workspace().run(arguments)
    #expect(run.code == 3)
    #expect(run.diagnostics.count == 1)
    #expect(run.diagnostics[0].hasPrefix("v/none"))
    #expect(run.diagnostics[0].hasSuffix(": error: The file cannot be read."))
  }

  @Test("The files of a folder are read, with its configuration (T3)")
  func folder() async throws {
    let workspace = try Self.workspace()
    #expect(await workspace.run("validate", "v").code == 0)
    try workspace.write("query B { no }", to: "v/deep/B.graphql")
    let wrong = await workspace.run("validate", "v")
    #expect(wrong.code == 1)
    #expect(wrong.diagnostics.count == 1)
    #expect(wrong.diagnostics[0].hasPrefix("v/deep/B.graphql:1:11: error: "))
    #expect(await workspace.run("validate", "v/s.graphqls", "v/A.graphql").code == 0)
    try workspace.write("{", to: "v/weir.json")
    #expect(await workspace.run("validate", "v").code == 2)
  }

  @Test("A folder without files is an error, and never stands for the current one (T3)")
  func empty() async throws {
    let workspace = try Self.workspace()
    for verb in ["validate", "format"] {
      let run = await workspace.run(verb, "empty")
      #expect(run.code == 1)
      #expect(run.diagnostics.count == 1)
      #expect(run.diagnostics[0].hasPrefix("empty: error: The folder has no files of the kind "))
    }
  }

  @Test("A file that is named twice counts once (T3)")
  func twice() async throws {
    let workspace = try Self.workspace()
    let schema = ["v/s.graphqls", "v/../v/s.graphqls", "v"]
    #expect(await workspace.run(["validate"] + schema + ["v/A.graphql"]).diagnostics == [])
    #expect(await workspace.run(["schema", "check"] + schema).diagnostics == [])
    #expect(await workspace.run("format", "v/A.graphql", "v/A.graphql").output == ["v/A.graphql"])
  }

  @Test("The result of an introspection is not replaced by its formatted schema (T6)")
  func formatIntrospection() async throws {
    let text = #"{"__schema": {"queryType": {"name": "Q"}, "types": []}}"#
    let workspace = try Workspace(["s.json": text])
    #expect(await workspace.run("format", "s.json").code == 2)
    #expect(workspace["s.json"] == text)
  }

  @Test(
    "A folder that cannot be read is an error, in a folder that can be, too (T3)",
    .enabled(if: getuid() != 0, "The superuser can read every folder."))
  func unreadable() async throws {
    let workspace = try Workspace.project([
      "Feed/Closed/B.graphql": "query B { no }", "App/A.graphql": "query A { no }",
    ])
    let closed = "\(workspace.folder)/Feed/Closed"
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: closed)
    defer {
      try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: closed)
    }
    let projects = [["validate"], ["validate", "."], ["format"], ["schema", "check"]]
    let dependent = ["validate", "--root", "App", "--dependency", "Feed=Feed"]
    for arguments in projects + [dependent] {
      let run = await workspace.run(arguments)
      #expect(run.code == 3)
      #expect(run.diagnostics == ["Feed/Closed: error: The folder cannot be read."])
    }
  }

  @Test("A link to a folder can be the root; links in a folder lead to files only (T3)")
  func links() async throws {
    let workspace = try Self.workspace()
    let link = { (path: String, target: String) in
      try FileManager.default.createSymbolicLink(
        atPath: "\(workspace.folder)/\(path)", withDestinationPath: target)
    }
    try link("linked", "v")
    try link("v/again", "../v")
    #expect(await workspace.run("validate", "--root", "linked").diagnostics == [])
    #expect(await workspace.run("validate", "linked").diagnostics == [])
    #expect(await workspace.run("schema", "check", "linked").diagnostics == [])
    #expect(await workspace.run("generate", "--root", "linked", "--output", "Out").code == 0)
    #expect(workspace.names("Out").contains("A.graphql.swift"))
    let below = ["--dependency", "Kit=linked"]
    try workspace.write("query Q { a }", to: "app/Q.graphql")
    try workspace.write(#"{"namespace": "App"}"#, to: "app/weir.json")
    #expect(await workspace.run(["validate", "--root", "app"] + below).diagnostics == [])
    try workspace.write("query Other { no }", to: "empty/Other.txt")
    try link("v/Other.graphql", "../empty/Other.txt")
    let run = await workspace.run("validate", "--root", "linked")
    #expect(run.code == 1)
    #expect(run.diagnostics.first?.hasPrefix("linked/Other.graphql:1:15: error: ") == true)
  }
}
