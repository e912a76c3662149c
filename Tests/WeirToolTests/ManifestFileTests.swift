import Foundation
import Testing
import Weir

@Suite("The manifest of the configuration", .timeLimit(.minutes(10)))
struct ManifestFileTests {
  private func workspace(_ more: [String: String] = [:]) throws -> Workspace {
    try Workspace.project(
      [
        "GraphQL/weir.json": #"{"namespace": "Library", "manifest": "api/operations.json"}"#
      ].merging(more) { $1 })
  }

  @Test("weir generate writes the manifest that the configuration names, and checks it (T7)")
  func generates() async throws {
    let workspace = try workspace()
    let missing = await workspace.run("generate", "--check")
    #expect(missing.code == 1)
    #expect(missing.diagnostics.contains { $0.hasPrefix("GraphQL/api/operations.json: error: ") })
    #expect(workspace["GraphQL/api/operations.json"] == nil)
    #expect(await workspace.run("generate").code == 0)
    let text = try #require(workspace["GraphQL/api/operations.json"])
    let manifest = try JSON(parsing: text).decode(PersistedManifest.self)
    #expect(manifest.entries.count == 2)
    #expect(await workspace.run("generate", "--check").code == 0)
    try workspace.write("query Titles { books { id } }", to: "Feed/Titles.graphql")
    let check = await workspace.run("generate", "--check")
    #expect(check.code == 1)
    #expect(
      check.diagnostics.last
        == "GraphQL/api/operations.json: error: The file is not up to date. Generate it again.")
    #expect(workspace["GraphQL/api/operations.json"] == text)
  }

  @Test("weir manifest writes the same file, or another one that -o names (T7)")
  func verb() async throws {
    let workspace = try workspace()
    #expect(await workspace.run("generate").code == 0)
    let text = try #require(workspace["GraphQL/api/operations.json"])
    try workspace.remove("GraphQL/api/operations.json")
    let run = await workspace.run("manifest")
    #expect(run.code == 0 && run.output.isEmpty)
    #expect(workspace["GraphQL/api/operations.json"] == text)
    try workspace.remove("GraphQL/api/operations.json")
    #expect(await workspace.run("manifest", "-o", "other.json").code == 0)
    #expect(workspace["other.json"] == text && workspace["GraphQL/api/operations.json"] == nil)
  }

  @Test(
    "Apollo's directive for local mutations is accepted, and never sent (T7)",
    arguments: [
      "", " directive @apollo_client_ios_localCacheMutation on QUERY | FRAGMENT_DEFINITION",
    ])
  func localCacheMutation(definition: String) async throws {
    let directive = "@apollo_client_ios_localCacheMutation"
    let workspace = try Workspace([
      "s.graphqls": "type Query { a: Int }\(definition)",
      "A.graphql": "query A \(directive) { ...F } fragment F on Query \(directive) { a }",
    ])
    let run = await workspace.run("generate")
    #expect(run.code == 0 && run.diagnostics == [])
    let text = try #require(workspace["Generated/A.graphql.swift"])
    #expect(text.contains("query A{") && text.contains("fragment F on Query{a}"))
    let manifest = await workspace.run("manifest").output.joined()
    #expect(manifest.contains("query A") && manifest.contains("fragment F"))
    #expect(!text.contains(directive) && !manifest.contains(directive))
  }

  private static let notAManifest =
    "GraphQL/api/operations.json: error: The file is not a manifest. Rename it, or replace it "
    + "with --force."

  @Test("A file that is not a manifest is replaced only by force (T7)")
  func foreign() async throws {
    let own = #"{"name": "mine"}"#
    let workspace = try workspace(["GraphQL/api/operations.json": own])
    let run = await workspace.run("generate")
    #expect(run.code == 3)
    #expect(run.diagnostics == [Self.notAManifest])
    #expect(workspace["GraphQL/api/operations.json"] == own)
    #expect(workspace.names("GraphQL/Generated") == [])
    #expect(await workspace.run("generate", "--force").code == 0)
    #expect(workspace["GraphQL/api/operations.json"] != own)
  }

  @Test("weir manifest, too, replaces a file that is not a manifest only by force (T7)")
  func foreignForVerb() async throws {
    let own = #"{"name": "mine"}"#
    let workspace = try workspace(["GraphQL/api/operations.json": own])
    let run = await workspace.run("manifest")
    #expect(run.code == 3)
    #expect(run.diagnostics == [Self.notAManifest])
    #expect(workspace["GraphQL/api/operations.json"] == own)
    #expect(await workspace.run("manifest", "--force").code == 0)
    #expect(await workspace.run("manifest").code == 0)
    #expect(workspace["GraphQL/api/operations.json"] != own)
  }

  @Test("The manifest that the configuration names is not in Relay's format (T7)")
  func relay() async throws {
    let workspace = try workspace()
    let run = await workspace.run("manifest", "--format", "relay")
    #expect(run.code == 2 && run.output.isEmpty)
    #expect(
      run.diagnostics == [
        "GraphQL/weir.json: error: The manifest has Apollo's format, which weir generate expects. "
          + "Name another file for --format relay: -o FILE."
      ])
    #expect(workspace["GraphQL/api/operations.json"] == nil)
    let named = await workspace.run("manifest", "--format", "relay", "-o", "relay.json")
    #expect(named.code == 0 && workspace["relay.json"] != nil)
  }

  @Test("The manifest is not a part of the schema, even if a pattern matches it (T7)")
  func schema() async throws {
    let workspace = try Workspace([
      "weir.json": #"{"schema": ["**/*.json"], "manifest": "operations.json"}"#,
      "schema.json": #"""
      {"__schema": {"queryType": {"name": "Query"}, "types": [{"kind": "OBJECT", "name": "Query",
        "fields": [{"name": "a", "args": [], "type": {"kind": "SCALAR", "name": "Int"}}]}]}}
      """#,
      "A.graphql": "query A { a }",
    ])
    #expect(await workspace.run("generate").diagnostics == [])
    #expect(await workspace.run("generate", "--check").code == 0)
  }

  @Test("A manifest that is also named as the schema is an error at its place (T7)")
  func schemaName() async throws {
    let workspace = try Workspace([
      "weir.json": #"{"schema": ["./schema.json"], "manifest": "schema.json"}"#,
      "schema.json": "{}", "A.graphql": "query A { a }",
    ])
    let run = await workspace.run("validate")
    #expect(run.code == 2)
    #expect(
      run.diagnostics == [
        "weir.json:1:43: error: \"./schema.json\" is also a file of the schema. Name another file."
      ])
  }

  @Test("Documents with errors write no manifest (T7)")
  func errors() async throws {
    let workspace = try workspace(["Feed/W.graphql": "query W { no }"])
    #expect(await workspace.run("generate").code == 1)
    #expect(workspace["GraphQL/api/operations.json"] == nil)
  }
}
