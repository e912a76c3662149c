import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Keys that closures compute from hand-written fragments, and keys of unusual values.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct OtherKeyTests {
  @Test("A key closure finds the entities within a fragment that is written by hand (N1.2, N5.1)")
  func fragment() async throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.schema = try GraphQLSchema(
      sdl: """
        type Query { title: Author book: Book }
        type Book { id: ID title: String author: Author }
        type Author { code: ID name: String }
        """)
    configuration.keys["Author"] = .computed { $0["code"]?.string }
    let store = StoreKind.store(configuration)
    let card = try GraphQLFragment("fragment B on Book { title author { code name } }")
    try store.update {
      try $0.write(
        ["title": "t", "author": ["code": "7", "name": "n"]], for: card, of: Entity("Book", id: "1")
      )
    }
    let name = try GraphQLFragment("fragment N on Author { name }")
    #expect(store.read(name, of: Entity("Author", id: "7"))?["name"]?.string == "n")
  }

  @Test("A Boolean that is the whole key is a key for responses and redirects alike (N1.1, N1.2)")
  func boolean() async throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.keys["Flag"] = .field("isOn")
    configuration.fields["Query.flag"] = .redirecting(to: "Flag", idFrom: "isOn")
    let store = StoreKind.store(configuration)
    let server = ScriptedExchange.immediate { _ in
      .data(#"{"flags":[{"__typename":"Flag","isOn":true,"n":1}]}"#)
    }
    let client = GraphQLClient([.cache(store), server])
    _ = await client.query(GraphQLOperation("{ flags { isOn n } }"))
    let flag = GraphQLOperation("{ flag(isOn: true) { isOn n } }")
    #expect(store.read(flag)?["flag"]?["n"]?.int == 1)
    let card = try GraphQLFragment("fragment F on Flag { isOn n }")
    try store.update {
      try $0.write(["isOn": true, "n": 2], for: card, of: Entity("Flag", id: "true"))
    }
    #expect(store.read(flag)?["flag"]?["n"]?.int == 2)
    #expect(throws: StoreError.self) {
      try store.update {
        try $0.write(["isOn": false, "n": 2], for: card, of: Entity("Flag", id: "true"))
      }
    }
  }
}
