import Foundation
import GraphQLValidation
import Testing
import Weir
import WeirGeneration

@testable import WeirTool

@Suite("weir manifest, init and explain, and the arguments", .timeLimit(.minutes(10)))
struct ProjectVerbTests {
  @Test("A manifest has the texts that the client sends, in both formats (T7)")
  func manifest() async throws {
    let workspace = try Workspace.project([
      "Feed/Named.graphql": "query Named { books { ...BookRow @unmask } }"
    ])
    // As generated types make their operations.
    let row = GraphQLDocument("fragment BookRow on Book{id title}")
    let feed = GraphQLOperation(
      GraphQLDocument("query Feed($first:Int!){books(first:$first){...BookRow}}", fragments: [row]),
      variables: ["first": 1])
    let named = GraphQLOperation(
      GraphQLDocument("query Named{books{...BookRow}}", fragments: [row]))
    #expect(await workspace.run("manifest", "-o", "apollo.json").code == 0)
    #expect(await workspace.run("manifest", "--format", "relay", "-o", "relay.json").code == 0)
    for file in ["apollo.json", "relay.json"] {
      let text = try #require(workspace[file])
      let manifest = try JSON(parsing: text).decode(PersistedManifest.self)
      #expect(manifest.entries.count == 3)
      #expect(manifest.id(of: feed) == PersistedManifest(hashing: [feed]).entries[0].id)
      #expect(manifest.id(of: named) == PersistedManifest(hashing: [named]).entries[0].id)
    }
    #expect(workspace["apollo.json"]?.contains("apollo-persisted-query-manifest") == true)
    let wrong = await workspace.run("manifest", "--format", "yaml")
    #expect(wrong.code == 2)
    #expect(
      wrong.diagnostics == ["error: --format must be one of: apollo, relay. It is \"yaml\"."])
  }

  @Test("A manifest of documents with errors is not written (T7)")
  func manifestErrors() async throws {
    let workspace = try Workspace.project(["Feed/W.graphql": "query W { no }"])
    #expect(await workspace.run("manifest", "-o", "m.json").code == 1)
    #expect(workspace["m.json"] == nil)
  }

  @Test("A new configuration is read again, and does not replace another one (T7)")
  func initialize() async throws {
    let workspace = try Workspace()
    let first = await workspace.run("init")
    #expect(first.code == 0 && first.output.first == "weir.json")
    let text = try #require(workspace["weir.json"])
    #expect(try GenerationConfiguration(parsing: text, path: "") == GenerationConfiguration())
    let again = await workspace.run("init")
    #expect(again.code == 2)
    #expect(again.diagnostics == ["weir.json: error: The file exists. Replace it with --force."])
    #expect(await workspace.run("init", "--force").code == 0)
  }

  @Test("Apollo's configuration becomes a configuration, and remarks name everything else (T7)")
  func apollo() async throws {
    let workspace = try Workspace([
      "apollo.json": """
      {"schemaNamespace": "Shop",
       "input": {"operationSearchPaths": ["**/*.graphql"],
         "schemaSearchPaths": ["./api/*.graphqls", "../x.graphqls"]},
       "output": {"testMocks": {"absolute": {}}, "operations": {"inSchemaModule": {}},
         "schemaTypes": {"path": ".", "moduleType": {"embeddedInTarget":
           {"name": "App", "accessModifier": "public"}}}},
       "options": {"schemaDocumentation": "exclude", "cocoapodsCompatibleImportStatements": false,
         "conversionStrategies": {"enumCases": "none"}},
       "experimentalFeatures": {}, "operationManifest": {"path": "ops.json"},
       "schemaDownload": {"downloadMethod": {"introspection": {"endpointURL": "https://e.com"}}}}
      """
    ])
    let run = await workspace.run("init", "--from", "apollo.json")
    #expect(run.code == 0)
    #expect(
      workspace["weir.json"] == """
        {
          "namespace": "Shop",
          "access": "public",
          "documentation": false,
          "casing": "schema",
          "manifest": "ops.json",
          "schema": ["api/*.graphqls"]
        }

        """)
    for word in [
      "../x.graphqls", "testMocks", "cocoapodsCompatibleImportStatements", "experimentalFeatures",
      "operationManifest", "weir schema fetch https://e.com", ".fragments.bookRow",
    ] {
      #expect(run.output.contains { $0.contains(word) }, "\(word)")
    }
  }

  @Test("Apollo's paths become relative to the folder of the new configuration (T7)")
  func apolloPaths() async throws {
    let workspace = try Workspace(["Sources/App/App.swift": "", "ios/a.txt": ""])
    let documents = [
      "./Sources/App/**/*.graphql", "Sources/*/Feed/*.graphql", "**/App/Old/*.graphql",
      "Sources/Kit/*.graphql",
    ]
    let text = { (prefix: String) in
      let documents = documents.map { #""\#(prefix)\#($0)""# }.joined(separator: ", ")
      return """
        {"schemaNamespace": "Shop", "operationManifest": {"path": "\(prefix)ops.json"},
         "input": {"schemaSearchPaths": ["\(prefix)**/*.graphqls"],
           "operationSearchPaths": [\(documents)]}}
        """
    }
    // In the folder of the package, in another one, and with whole paths.
    for (file, prefix) in [
      ("apollo.json", ""), ("ios/apollo.json", "../"), ("ios/apollo.json", "\(workspace.folder)/"),
    ] {
      try workspace.write(text(prefix), to: file)
      let run = await workspace.run("init", "--force", "--root", "Sources/App", "--from", file)
      #expect(run.code == 0)
      let written = try #require(workspace["Sources/App/weir.json"])
      #expect(
        written.contains(
          #""documents": ["**/*.graphql", "Feed/*.graphql", "**/App/Old/*.graphql", "Old/*.graphql"]"#
        ))
      #expect(!written.contains(#""schema""#))
      #expect(written.contains(#""manifest": "../../ops.json""#) == !prefix.hasPrefix("/"))
      let remarks = run.output.filter { $0.contains("is outside of the folder") }
      #expect(remarks.count == 1)
      #expect(remarks.first?.contains("Sources/Kit/*.graphql") == true)
    }
  }

  @Test("A namespace in lower case begins with an upper-case letter, as Apollo writes it (T7)")
  func apolloNamespace() async throws {
    let workspace = try Workspace(["a.json": #"{"schemaNamespace": "shopAPI"}"#])
    #expect(await workspace.run("init", "--from", "a.json").code == 0)
    #expect(workspace["weir.json"]?.contains(#""namespace": "ShopAPI""#) == true)
  }

  @Test("One casing stands for two of Apollo, which is remarked if they differ (T7)")
  func apolloCasing() async throws {
    let casing = #"{"enumCases": "none", "fieldAccessors": "camelCase"}"#
    let workspace = try Workspace([
      "a.json": #"{"schemaNamespace": "S", "options": {"conversionStrategies": \#(casing)}}"#
    ])
    let run = await workspace.run("init", "--from", "a.json")
    #expect(run.code == 0)
    #expect(workspace["weir.json"]?.contains(#""casing": "camel""#) == true)
    #expect(
      run.output.contains(
        "options.conversionStrategies: The casing \"camel\" changes values of enumerations, too."))
  }

  @Test(
    "A file that is not Apollo's configuration is an error at its place (T7)",
    arguments: [
      ("[", "a.json:1:2: error: Expected a value."),
      ("{}", "a.json:1:1: error: Expected an object with \"schemaNamespace\"."),
      (
        #"{"schemaNamespace": "A b"}"#,
        "a.json:1:21: error: \"A b\" is not the name of a Swift type or module."
      ),
      (
        #"{"schemaNamespace": "Foundation"}"#,
        "a.json:1:21: error: Swift or generated code needs the name \"Foundation\". Choose another "
          + "one for the namespace."
      ),
      (#"{"schemaNamespace": "self"}"#, "a.json:1:21: error: "),
    ])
  func apolloErrors(text: String, message: String) async throws {
    let workspace = try Workspace(["a.json": text])
    let run = await workspace.run("init", "--from", "a.json")
    #expect(run.code == 2)
    #expect(run.diagnostics.count == 1)
    #expect(run.diagnostics[0].hasPrefix(message))
    #expect(workspace["weir.json"] == nil)
  }

  @Test("Every rule of the article is explained, and no other (T7)")
  func explain() async throws {
    let workspace = try Workspace()
    let article = try Workspace.source("GraphQLValidation/Documentation.docc/Validation.md")
    let rules = Self.names(inTablesOf: article)
    #expect(await workspace.run("explain").output == [rules.sorted().joined(separator: "\n")])
    for rule in rules {
      let run = await workspace.run("explain", rule)
      #expect(run.code == 0)
      #expect(run.output.first?.hasPrefix("\(rule)\n\n") == true)
    }
    // As a project has it, not the specification: the generator does not apply this rule.
    for (rule, level) in [
      "fragments-must-be-used": "off", "argument-names": "error", "require-key": "warning",
      "unused-field-alias": "off",
      "unique-members": "warning, because schemas of real servers break such rules; weir schema "
        + "check reports an error",
    ] {
      let run = await workspace.run("explain", rule)
      #expect(run.output.last?.contains("Level: \(level). ") == true, "\(rule)")
    }
    for rule in ["field-selections", "no-typename-alias"] {
      let run = await workspace.run("explain", rule)
      #expect(run.output.last?.contains("Level: error, which weir.json cannot change") == true)
    }
    let wrong = await workspace.run("explain", "field-selection")
    #expect(wrong.code == 2)
    #expect(wrong.diagnostics[0].contains("Did you mean \"field-selections\""))
  }

  /// The names in the first columns of an article's tables.
  private static func names(inTablesOf article: some StringProtocol) -> [String] {
    let rows = article.split(separator: "\n").filter { $0.hasPrefix("| `") }
      .compactMap { $0.split(separator: "|").first }
    return rows.joined(separator: ",").matches(of: /`([a-zA-Z-]+)`/).map { String($0.1) }
  }

  @Test("The article lists every setting of the configuration, and no other (T3)")
  func settings() throws {
    let article = try Workspace.source("Weir/Documentation.docc/TypesFromDocuments.md")
    let section = try #require(article.split(separator: "\n### Settings\n").last)
    let table = try #require(section.split(separator: "\n### ").first)
    #expect(
      Self.names(inTablesOf: table).sorted()
        == GenerationConfiguration.Setting.allCases.map(\.rawValue).sorted())
  }

  @Test("Every verb has help, which names its options (T8)")
  func help() async throws {
    let workspace = try Workspace()
    let all = await workspace.run("--help")
    #expect(all.code == 0)
    for verb in Tool.verbs {
      #expect(all.output[0].contains("  \(verb.name)  "))
      let run = await workspace.run(verb.name.split(separator: " ").map(String.init) + ["--help"])
      #expect(run.code == 0)
      #expect(verb.note.isEmpty || run.output[0].contains(verb.note))
      for option in verb.allOptions { #expect(run.output[0].contains("  \(option.name)")) }
    }
    #expect(await workspace.run().code == 2)
  }

  @Test(
    "Mistakes in the arguments are named (T8)",
    arguments: [
      (["generat"], "error: Unknown verb \"generat\". Did you mean \"generate\"? See weir --help."),
      (["schema"], "error: Choose one of: schema fetch, schema print, schema check, schema diff."),
      (
        ["generate", "--chek"],
        "error: Unknown option \"--chek\". Did you mean \"--check\" or \"--help\"?"
      ),
      (["generate", "--output"], "error: --output needs a value: --output DIR."),
      (["generate", "--check=1"], "error: --check takes no value."),
      (["generate", "--check", "--check"], "error: --check can be given only once."),
      (["schema", "diff", "a"], "error: Expected these arguments: OLD NEW."),
      (["init", "a"], "error: Unexpected argument \"a\"."),
      (
        ["validate", "--diagnostics", "xml"],
        "error: --diagnostics must be one of: text, json. It is \"xml\"."
      ),
    ])
  func arguments(arguments: [String], message: String) async throws {
    let run = try await Workspace().run(arguments)
    #expect(run.code == 2)
    #expect(run.diagnostics == [message])
  }

  #if os(Linux) || os(macOS)
    @Test("The process has the exit code, data on its output, and diagnostics on its error (T8)")
    func process() async throws {
      let workspace = try Workspace.project()
      let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      let process = Process()
      process.executableURL = folder.appending(path: "weir")
      process.currentDirectoryURL = URL(filePath: workspace.folder)
      process.arguments = ["schema", "check", "none.graphqls"]
      let (output, errors) = (Pipe(), Pipe())
      (process.standardOutput, process.standardError) = (output, errors)
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 3)
      #expect(try output.fileHandleForReading.readToEnd() ?? Data() == Data())
      let text = String(
        decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      #expect(text == "\(workspace.folder)/none.graphqls: error: The file cannot be read.\n")
    }
  #endif
}
