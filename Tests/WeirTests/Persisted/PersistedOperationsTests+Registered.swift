import Foundation
import Testing
import Weir

extension PersistedOperationsTests {
  // MARK: Registered

  private static let apollo = """
    {"format":"apollo-persisted-query-manifest","version":1,"operations":[
      {"id":"h1","name":"Hello","type":"query","body":"query   Hello { hello }"},
      {"id":"c1","name":"Change","type":"mutation","body":"mutation Change { hello }"}]}
    """
  private static let relay =
    ##"{"h1":"query Hello { # text\n hello }","c1":"mutation Change {hello}"}"##

  @Test("A registered document is sent as its identifier", arguments: [apollo, relay])
  func registered(manifest: String) async throws {
    let transport = ScriptedTransport(#"{"data":{"hello":"x"}}"#)
    let client = try client(transport) {
      $0.manifest = try JSON(parsing: manifest).decode(PersistedManifest.self)
    }
    _ = await client.query(hello)
    _ = await client.mutate(change)
    _ = await client.query(hello.with { $0.prefersGET = true })
    #expect(
      transport.requests.prefix(2).map(\.text) == [
        #"{"operationName":"Hello","documentId":"h1"}"#,
        #"{"operationName":"Change","documentId":"c1"}"#,
      ])
    #expect(
      transport.requests.last?.url.absoluteString
        == "https://example.org/graphql?documentId=h1&operationName=Hello")
  }

  @Test("A registered document can be sent as a hash, and the server's miss is then an error")
  func registeredAsHash() async throws {
    let transport = ScriptedTransport(HashServer.notFound)
    let client = try client(transport) {
      $0.manifest = try JSON(parsing: Self.apollo).decode(PersistedManifest.self)
      $0.identification = .persistedQuery
    }
    let error = await client.query(hello).error
    #expect(error?.graphQLErrors.map(\.message) == ["PersistedQueryNotFound"])
    #expect(
      transport.requests.map(\.text) == [
        #"{"operationName":"Hello","extensions":{"persistedQuery":{"sha256Hash":"h1","version":1}}}"#
      ])
  }

  @Test("An unregistered document is sent as a hash, as text, or refused")
  func unregistered() async throws {
    let other = GraphQLOperation("query Other { hello }")
    let manifest = try JSON(parsing: Self.apollo).decode(PersistedManifest.self)
    for (choice, requests) in [
      (PersistedOperationsConfiguration.Unregistered.automatic, ["hash", "hash+text"]),
      (.text, ["text"]), (.refused, []),
    ] {
      let server = HashServer()
      let client = try client(server.transport) {
        ($0.manifest, $0.unregistered) = (manifest, choice)
      }
      let error = await client.query(other).error
      #expect(error?.code == (choice == .refused ? .unregisteredDocument : nil))
      #expect(server.requests == requests)
    }
  }

  @Test("A registered text without __typename does not match, and the error mentions it")
  func withoutTypename() async throws {
    let posts = GraphQLOperation("query Posts { posts { ...P } } fragment P on Post { id }")
    let bare = try PersistedManifest([.init(id: "1", text: "query Posts { posts { id } }")])
    #expect(bare.id(of: posts) == nil)
    let halfBare = "query Posts { posts { ...P __typename } } fragment P on Post { id }"
    #expect(try PersistedManifest([.init(id: "1", text: halfBare)]).id(of: posts) == nil)
    let transport = ScriptedTransport("")
    let client = try client(transport) { ($0.manifest, $0.unregistered) = (bare, .refused) }
    #expect(await client.query(posts).error?.message.contains("__typename") == true)
    let parts = posts.text.components(separatedBy: "\n\n")
    #expect(parts.count == 2)
    for text in [posts.text, "# first\n" + parts.reversed().joined(separator: " ")] {
      #expect(try PersistedManifest([.init(id: "2", text: text)]).id(of: posts) == "2")
    }
  }

  @Test("Documents whose texts only look the same have identifiers of their own")
  func lookalikes() throws {
    let operations = ["caf\u{E9}", "cafe\u{301}"].map {
      GraphQLOperation(GraphQLDocument("{ post(slug: \"\($0)\") { id } }"))
    }
    let manifest = PersistedManifest(hashing: operations)
    #expect(manifest.entries.count == 2)
    for (operation, entry) in zip(operations, manifest.entries) {
      #expect(manifest.id(of: operation) == entry.id)
    }
  }

  @Test("A manifest of an app's own operations contains them all and survives encoding")
  func ownManifest() throws {
    let posts = GraphQLOperation("query Posts { posts { id author { name } } }")
    let broken = GraphQLOperation("query {")
    let manifest = PersistedManifest(hashing: [hello, posts, broken, hello])
    let read = try JSON(parsing: JSON.encode(manifest)).decode(PersistedManifest.self)
    for manifest in [manifest, read] {
      #expect(manifest.entries.count == 2)
      for operation in [hello, posts] {
        #expect(
          manifest.id(of: operation) == SHA256Digest.hexadecimal(of: Array(operation.text.utf8)))
      }
    }
  }

  @Test(
    "An invalid manifest is a decoding error",
    arguments: [#"{"a":"query {"}"#, #"{"a":1}"#, "[]", #"{"a":"fragment F on X { y }"}"#])
  func badManifest(text: String) throws {
    let json = try JSON(parsing: text)
    #expect(throws: (any Error).self) { try json.decode(PersistedManifest.self) }
  }
}
