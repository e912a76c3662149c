import GraphQLLanguage
import GraphQLValidation
import Testing
import Weir
import WeirGeneration

@testable import WeirTool

@Suite("Fragments that fragments of other modules spread")
struct NeededFragmentTests {
  private static let feed =
    "fragment UserRow on User { id name } fragment FeedCard on User { friend { ...UserRow } }"
  private static let profile =
    "fragment UserRow on User { id email } fragment ProfileCard on User { ...UserRow }"

  private func base() throws -> GenerationModule {
    try .named(
      "Base",
      schema: """
        type Query { me: User }
        type User { id: ID! name(size: Int): String email: String friend: User }
        """)
  }

  /// The files of an app above modules.
  private func app(
    _ document: String, _ modules: [GenerationModule]
  ) throws -> GenerationProject.Parsed {
    GenerationProject.Parsed(
      schema: [], documents: [try SourceFile(path: "a.graphql", parsing: document)],
      modules: modules)
  }

  private func generator(_ parsed: GenerationProject.Parsed) -> Generator {
    Generator(
      schema: parsed.schema, documents: parsed.documents, dependencies: parsed.modules)
  }

  @Test("A name that two modules have concerns only documents that need it (G7)")
  func unused() throws {
    let parsed = try app(
      "query Home { me { id name } }",
      [base(), .named("FeedUI", Self.feed), .named("ProfileUI", Self.profile)])
    #expect(generator(parsed).findings == [])
    let manifest = try PersistedManifest(parsed, GenerationConfiguration())
    #expect(manifest.entries.count == 1)
  }

  @Test("A fragment needs the one of its own module, in any order of the modules (G7)")
  func ownModule() throws {
    let modules = try [base(), .named("ProfileUI", Self.profile), .named("FeedUI", Self.feed)]
    for modules in [modules, modules.reversed()] {
      let parsed = try app(
        "query Home($x: Boolean!) { me { ...FeedCard @include(if: $x) } }", modules)
      #expect(generator(parsed).errors == [])
      let text = try #require(generator(parsed).text("a.graphql.swift"))
      #expect(text.contains("fields.part(has: \"friend.id friend.name\")"))
      let manifest = try PersistedManifest(parsed, GenerationConfiguration())
      #expect(manifest.entries.first?.text.contains("email") == false)
    }
  }

  @Test("Two fragments of one name that a request needs are an error (G7)")
  func different() throws {
    let parsed = try app(
      "query Home { me { ...FeedCard ...ProfileCard } }",
      [base(), .named("FeedUI", Self.feed), .named("ProfileUI", Self.profile)])
    #expect(
      generator(parsed).errors == [
        """
        a.graphql:1:31: error: The fragment "ProfileCard" needs "UserRow", of which the modules FeedUI \
        and ProfileUI have different ones. Rename one of them.
        /FeedUI/a.graphql:1:1: note: One is here.
        /ProfileUI/a.graphql:1:1: note: One is here.
        """
      ])
    let same = try app(
      "query Home { me { ...FeedCard ...ProfileCard } }",
      [
        base(), .named("FeedUI", Self.feed),
        .named("ProfileUI", Self.profile.replacing("email", with: "name")),
      ])
    #expect(generator(same).findings == [])
    #expect(try PersistedManifest(same, GenerationConfiguration()).entries.count == 1)
  }

  @Test("A fragment that nothing needs is not validated (G7)")
  func otherVariables() throws {
    let feed = "fragment UserRow on User { name(size: $size) }"
    let parsed = try app(
      "query Home { me { ...ProfileCard } }",
      [
        base(), .named("FeedUI", feed, json: #"{"namespace": "FeedUI"}"#),
        .named("ProfileUI", Self.profile),
      ])
    #expect(generator(parsed).findings == [])
  }

  @Test("A fragment of a module that was not named is an error (G7)")
  func missing() throws {
    let kit = try GenerationModule.named(
      "Kit", "fragment KitRow on User { id ...BaseRow }", schema: base().schema[0].text)
    let parsed = try app("query All { me { id } } query Home { me { ...KitRow } }", [kit])
    #expect(
      generator(parsed).errors == [
        """
        a.graphql:1:43: error: The fragment "KitRow" needs "BaseRow", which none of the modules below \
        has. Name the missing one: --dependency MODULE=DIR.
        /Kit/a.graphql:1:1: note: It is spread here.
        """
      ])
  }
}
