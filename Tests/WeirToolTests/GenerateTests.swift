import Foundation
import GraphQLValidation
import Testing
import WeirGeneration

@Suite("weir generate and weir validate", .timeLimit(.minutes(10)))
struct GenerateTests {
  private let files = [
    "Feed-Feed.graphql.swift", "Feed-Titles.graphql.swift", "WeirCache.swift", "WeirEnums.swift",
    "WeirInputs.swift", "WeirSchema.swift",
  ]

  @Test("Files are written beside the configuration, equal to those of the plugin (T1)")
  func generates() async throws {
    let workspace = try Workspace.project()
    let run = await workspace.run("generate")
    #expect(run.code == 0 && run.output.isEmpty && run.diagnostics.isEmpty)
    #expect(workspace.names("GraphQL/Generated") == files)
    // The plugin's tool lists the files of the target.
    let project = try GenerationProject(
      root: workspace.folder, configuration: "\(workspace.folder)/GraphQL/weir.json",
      files: ["Feed/Feed.graphql", "Feed/Titles.graphql", "GraphQL/schema.graphqls"].map {
        "\(workspace.folder)/\($0)"
      })
    let (generated, _) = try project.generate()
    #expect(generated.map(\.name).sorted() == files)
    for file in generated { #expect(workspace["GraphQL/Generated/\(file.name)"] == file.text) }
  }

  /// The module App above the modules Kit and More, the latter in the folder `more`.
  private static func modules(
    more: String, _ others: [String: String] = [:]
  ) throws -> Workspace {
    let files = [
      "Kit/weir.json": #"{"namespace": "Kit", "access": "public"}"#,
      "Kit/schema.graphqls": "type Query { a: Int, b: Int }",
      "Kit/A.graphql": "fragment A on Query { a }",
      "\(more)/weir.json": #"{"namespace": "More", "access": "public"}"#,
      "\(more)/B.graphql": "fragment B on Query { b }",
      "App/weir.json": #"{"namespace": "App"}"#,
      "App/All.graphql": "query All { ...A ...B }",
    ]
    return try Workspace(files.merging(others) { $1 })
  }

  @Test("Fragments of the modules below are imported, not generated again (T1)")
  func dependencies() async throws {
    let workspace = try Self.modules(more: "More")
    let generate = ["generate", "--root", "App", "--dependency", "Kit=Kit"]
    let missing = await workspace.run(generate)
    #expect(missing.code == 1 && missing.diagnostics.contains { $0.contains("\"B\"") })
    let run = await workspace.run(generate + ["--dependency", "More=More"])
    #expect(run.code == 0)
    let text = try #require(workspace["App/Generated/All.graphql.swift"])
    #expect(text.contains("import Kit\n") && text.contains("import More\n"))
    #expect(!text.contains("struct A:") && !text.contains("struct B:"))
    let more = ["--root", "App", "--dependency", "Kit=Kit", "--dependency", "More=More"]
    #expect(await workspace.run(["validate"] + more).code == 0)
    let manifest = await workspace.run(["manifest"] + more)
    #expect(manifest.code == 0)
    let output = manifest.output.joined()
    #expect(output.contains("fragment A on Query") && output.contains("fragment B on Query"))
    let unnamed = await workspace.run(["generate", "--root", "App", "--dependency", "Kit"])
    #expect(unnamed.code == 2)
  }

  @Test("Of a module below, only the named files count: its target can exclude others (T1)")
  func dependencyFiles() async throws {
    let workspace = try Self.modules(
      more: "Kit/More",
      ["Kit/Old/weir.json": "{}", "Kit/Old/A.graphql": "fragment A on Query { b }"])
    let modules = ["--dependency", "Kit=Kit", "--dependency", "More=Kit/More"]
    let files = ["weir.json", "schema.graphqls", "A.graphql", "More/weir.json", "More/B.graphql"]
      .flatMap { ["--dependency-file", "Kit/\($0)"] }
    let run = await workspace.run(["generate", "--root", "App"] + modules + files)
    #expect(run.code == 0 && run.diagnostics == [])
    let text = try #require(workspace["App/Generated/All.graphql.swift"])
    #expect(text.contains("import Kit\n") && text.contains("import More\n"))
    #expect(await workspace.run(["validate", "--root", "App"] + modules).code == 2)
    let outside = ["--dependency-file", "App/All.graphql"]
    let wrong = await workspace.run(["validate", "--root", "App"] + modules + files + outside)
    #expect(wrong.code == 2)
    #expect(
      wrong.diagnostics.first?.hasSuffix(
        "App/All.graphql: error: The file is in the folder of no --dependency.") == true)
  }

  @Test("Only files that change are written, and only generated files are removed (T1)")
  func stale() async throws {
    let workspace = try Workspace.project()
    #expect(await workspace.run("generate").code == 0)
    let path = "\(workspace.folder)/GraphQL/Generated/Feed-Feed.graphql.swift"
    let old = Date(timeIntervalSince1970: 1_000)
    try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: path)
    try workspace.remove("Feed/Titles.graphql")
    try workspace.write("let own = 1\n", to: "GraphQL/Generated/Own.swift")
    let check = await workspace.run("generate", "--check")
    #expect(check.code == 1)
    #expect(
      check.diagnostics == [
        "GraphQL/Generated/Feed-Titles.graphql.swift: error: The file has no document any more. "
          + "Generate again."
      ])
    #expect(await workspace.run("generate").code == 0)
    #expect(!workspace.names("GraphQL/Generated").contains("Feed-Titles.graphql.swift"))
    #expect(workspace["GraphQL/Generated/Own.swift"] == "let own = 1\n")
    let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    #expect(date == old)
    #expect(await workspace.run("generate", "--check").code == 0)
  }

  @Test("A file that was not generated is replaced only by force (T1)")
  func force() async throws {
    let own = "// mine\n"
    let workspace = try Workspace.project(["GraphQL/Generated/WeirEnums.swift": own])
    let run = await workspace.run("generate")
    #expect(run.code == 3)
    #expect(
      run.diagnostics == [
        "GraphQL/Generated/WeirEnums.swift: error: The file was not generated. Rename it, or replace "
          + "it with --force."
      ])
    #expect(workspace.names("GraphQL/Generated") == ["WeirEnums.swift"])
    #expect(await workspace.run("generate", "--force").code == 0)
    #expect(workspace["GraphQL/Generated/WeirEnums.swift"]?.contains("@generated") == true)
  }

  @Test("A changed file fails the check, and nothing is written (T1)")
  func check() async throws {
    let workspace = try Workspace.project()
    #expect(await workspace.run("generate", "--output", "Out").code == 0)
    try workspace.write("query Titles { books { id } }", to: "Feed/Titles.graphql")
    let before = workspace["Out/Feed-Titles.graphql.swift"]
    let run = await workspace.run("generate", "--output=Out", "--check")
    #expect(run.code == 1)
    #expect(
      run.diagnostics == [
        "Out/Feed-Titles.graphql.swift: error: The file is not up to date. Generate it again."
      ])
    #expect(workspace["Out/Feed-Titles.graphql.swift"] == before)
  }

  @Test("An error in a document writes nothing, and names the place (T1)")
  func documentError() async throws {
    let workspace = try Workspace.project(["Feed/Wrong.graphql": "query W { books { titel } }"])
    let message =
      "Feed/Wrong.graphql:1:19: error: Cannot query field \"titel\" on type \"Book\". Did you mean "
      + "\"title\"? [field-selections]"
    for verb in ["generate", "validate"] {
      let run = await workspace.run(verb)
      #expect(run.code == 1)
      #expect(run.diagnostics == [message])
    }
    #expect(workspace.names("GraphQL/Generated") == [])
  }

  @Test("A syntax error hides only what its own file may define or use (T1)")
  func syntaxError() async throws {
    let workspace = try Workspace.project([
      "X.graphql": "# Rows\nfragment X on Book { id",
      "Feed/Wrong.graphql": "query W($first: Int) { books { ...X titel } }",
    ])
    for verb in ["generate", "validate", "manifest"] {
      let run = await workspace.run(verb)
      #expect(run.code == 1)
      #expect(
        run.diagnostics.map { String($0.prefix { $0 != "," }) } == [
          "X.graphql:2:24: error: Expected Name",
          "Feed/Wrong.graphql:1:37: error: Cannot query field \"titel\" on type \"Book\". Did you mean "
            + "\"title\"? [field-selections]",
        ])
    }
    #expect(workspace.names("GraphQL/Generated") == [])
  }

  @Test(
    "With a syntax error in what may be the schema, documents have no other errors (T1)",
    arguments: [
      ("GraphQL/more.graphqls", "extend type Book { titel: String"),
      ("More.graphql", "\n# Titles\nextend type Book { titel: String"),
    ])
  func schemaSyntaxError(path: String, text: String) async throws {
    let workspace = try Workspace.project([
      path: text, "Feed/Right.graphql": "query R { books { titel } }",
      "Feed/Other.graphql": "query O {",
    ])
    let run = await workspace.run("validate")
    #expect(run.code == 1)
    #expect(
      Set(run.diagnostics.map { String($0.prefix { $0 != ":" }) }) == ["Feed/Other.graphql", path])
    #expect(run.diagnostics.count == 2)
  }

  @Test("Warnings are reported unless quiet, fail only if strict, and can be JSON (T1)")
  func warnings() async throws {
    let workspace = try Workspace.project(["Feed/Old.graphql": "query Old { books { genre } }"])
    let warning =
      "Feed/Old.graphql:1:21: warning: The field Book.genre is deprecated. No longer supported "
      + "[deprecated]"
    #expect(await workspace.run("validate").diagnostics == [warning])
    #expect(await workspace.run("generate").diagnostics == [warning])
    #expect(await workspace.run("generate", "--quiet").diagnostics == [])
    #expect(await workspace.run("validate").code == 0)
    #expect(await workspace.run("validate", "--strict").code == 1)
    let json = await workspace.run("validate", "--diagnostics", "json")
    #expect(
      json.diagnostics == [
        #"{"file":"Feed/Old.graphql","line":1,"column":21,"endLine":1,"endColumn":26,"#
          + #""severity":"warning","rule":"deprecated","message":"The field Book.genre is "#
          + #"deprecated. No longer supported","suggestions":[],"related":[]}"#
      ])
  }

  @Test("A validation says how many documents are valid by which schema, unless quiet (T1)")
  func summary() async throws {
    let workspace = try Workspace.project(["Feed/Old.graphql": "query Old { books { genre } }"])
    let run = await workspace.run("validate")
    #expect(run.output == ["3 documents are valid by the schema in GraphQL/schema.graphqls."])
    let quiet = await workspace.run("validate", "--quiet")
    #expect(quiet.code == 0 && quiet.output == [] && quiet.diagnostics == [])
    let strict = await workspace.run("validate", "--quiet", "--strict")
    #expect(strict.code == 1 && strict.output == [] && strict.diagnostics.count == 1)
    #expect(await workspace.run("validate", "--diagnostics", "json").output == [])
    let modules = try Self.modules(more: "More")
    let app = await modules.run(
      "validate", "--root", "App", "--dependency", "Kit=Kit", "--dependency", "More=More")
    #expect(app.output == ["1 document is valid by the schema in the module Kit."])
  }

  @Test("A syntax error, and a finding of the generator, are JSON with a rule (T1)")
  func jsonErrors() async throws {
    let workspace = try Workspace.project([
      "A.graphql": "query A { books {", "B.graphql": "query B { books { id } }",
    ])
    let syntax = await workspace.run("validate", "--diagnostics=json")
    #expect(syntax.code == 1)
    #expect(syntax.diagnostics.count == 1)
    #expect(syntax.diagnostics[0].hasPrefix(#"{"file":"A.graphql","line":1,"column":18,"#))
    #expect(syntax.diagnostics[0].contains(#""rule":"syntax""#))
    try workspace.write("query b { books { id } }", to: "A.graphql")
    let name = await workspace.run("validate", "--diagnostics=json")
    #expect(name.diagnostics[0].contains(#""rule":"generation""#))
    #expect(name.diagnostics[0].contains(#""related":[{"file":"A.graphql","line":1,"column":1,"#))
  }

  @Test("Timings name the steps (T1)")
  func timings() async throws {
    let run = try await Workspace.project().run("generate", "--timings")
    #expect(
      run.diagnostics.map { $0.prefix { $0 != ":" } } == [
        "find files", "generate", "compare and write",
      ])
  }

  @Test("Runs at the same time do not disturb each other (T1)")
  func concurrent() async throws {
    let workspace = try Workspace.project()
    #expect(await workspace.run("generate").code == 0)
    let text = try #require(workspace["GraphQL/Generated/Feed-Titles.graphql.swift"])
    for _ in 0..<5 {
      for number in 0..<100 {
        try workspace.write(text, to: "GraphQL/Generated/Old\(number).graphql.swift")
      }
      await withTaskGroup(of: Workspace.Run.self) { group in
        for _ in 0..<4 { group.addTask { await workspace.run("generate") } }
        for await run in group { #expect(run.code == 0, "\(run.diagnostics)") }
      }
      #expect(workspace.names("GraphQL/Generated") == files)
    }
  }
}
