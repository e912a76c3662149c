import Foundation
import Testing
import WeirGeneration

@Suite("The configuration for files that arguments name", .timeLimit(.minutes(10)))
struct ConfigurationSearchTests {
  private let files = ["GraphQL/schema.graphqls", "Feed/Feed.graphql"]

  @Test(
    "Files have the configuration in the folders around them (T3)",
    arguments: [[], ["--root", "."], ["--root", "GraphQL"]])
  func around(options: [String]) async throws {
    let workspace = try Workspace.project()
    let run = await workspace.run(["generate", "--output", "Out"] + options + files)
    #expect(run.code == 0 && run.diagnostics == [])
    #expect(workspace["Out/WeirSchema.swift"]?.contains("enum Library {") == true)
  }

  @Test("The configuration in the root is that of files in deeper folders (T3)")
  func root() async throws {
    let workspace = try Workspace([
      "App/weir.json": #"{"lint": {"deprecated": "error"}}"#,
      "App/api/s.graphqls": "type Query { a: Int @deprecated }",
      "App/deep/Q.graphql": "query Q { a }", "weir.json": #"{"namespace": "Other"}"#,
    ])
    let files = ["App/api/s.graphqls", "App/deep/Q.graphql"]
    #expect(await workspace.run(["validate"] + files).code == 1)
    #expect(await workspace.run(["validate", "--root", "App"] + files).code == 1)
    // The folders above the root belong to another project.
    #expect(await workspace.run(["validate", "--root", "App/deep"] + files).code == 0)
    try workspace.write("{}", to: "own.json")
    #expect(await workspace.run(["validate", "--config", "own.json"] + files).code == 0)
  }

  @Test("A folder with its configuration is what it is as the root (T3)")
  func folder() async throws {
    let workspace = try Workspace([
      "Sources/App/weir.json": #"{"schema": ["api/*.graphqls"]}"#,
      "Sources/App/api/s.graphqls": "type Query { a: Int }",
      "Sources/App/A.graphql": "query A { a }",
    ])
    #expect(await workspace.run("validate", "Sources/App").diagnostics == [])
    #expect(await workspace.run("generate", "--root", "Sources/App").code == 0)
    let names = workspace.names("Sources/App/Generated")
    #expect(names.contains("A.graphql.swift"))
    #expect(await workspace.run("generate", "--check", "Sources/App").diagnostics == [])
    #expect(await workspace.run("generate", "Sources/App/").code == 0)
    #expect(workspace.names("Sources/App/Generated") == names)
    // The configuration around a folder stays that of the folder, and its paths stay, too.
    try workspace.remove("Sources/App/weir.json")
    try workspace.write(#"{"schema": ["Sources/*/api/*.graphqls"]}"#, to: "weir.json")
    #expect(await workspace.run("validate", "Sources/App").diagnostics == [])
    #expect(await workspace.run("validate", "Sources/App", "weir.json").diagnostics == [])
  }

  @Test("Files with different configurations are an error (T3)")
  func several() async throws {
    let workspace = try Workspace.project(["Feed/weir.json": "{}"])
    let run = await workspace.run(["validate"] + files)
    #expect(run.code == 2)
    #expect(
      run.diagnostics.first?.hasSuffix(
        "error: The files have several configurations: Feed/weir.json, GraphQL/weir.json. Choose one "
          + "with --config.") == true, "\(run.diagnostics)")
    #expect(await workspace.run(["validate", "--config", "Feed/weir.json"] + files).code == 0)
    // One of the files is the configuration.
    #expect(await workspace.run(["validate", "Feed/weir.json"] + files).code == 0)
  }

  @Test("A file that is missing among those of the arguments is an error with the cure (T3)")
  func missing() async throws {
    let hint = " If you name files, name all of the project, those of the schema, too."
    let workspace = try Workspace.project()
    let run = await workspace.run("validate", "Feed/Feed.graphql")
    #expect(run.code == 1 && run.diagnostics.count == 1)
    #expect(run.diagnostics[0].contains("There is no schema."))
    #expect(run.diagnostics[0].hasSuffix(hint))
    try workspace.write(#"{"schema": ["**/schema.graphqls"]}"#, to: "weir.json")
    let configured = await workspace.run("validate", "Feed/Feed.graphql")
    #expect(configured.code == 2 && configured.diagnostics.count == 1)
    #expect(configured.diagnostics[0].hasPrefix("weir.json:1:13: error: No file in "))
    #expect(configured.diagnostics[0].hasSuffix(hint))
  }

  @Test("A build lists all files of a target, so no other configuration is found (T3)")
  func excluded() throws {
    let workspace = try Workspace.project()
    let project = try GenerationProject(
      root: workspace.folder, files: files.map { "\(workspace.folder)/\($0)" })
    #expect(project.configurationPath == nil)
  }
}
