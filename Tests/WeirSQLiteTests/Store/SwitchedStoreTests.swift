import Foundation
import TestSupport
import Testing
import Weir
import WeirNormalized
import WeirSQLite

/// A user logs out while the data of the session is in a file.
@Suite("Sessions over a file", .timeLimit(.minutes(10)))
struct SwitchedStoreTests {
  private static let me = GraphQLOperation("{ me { id name } }")

  /// The keys in the file, except for the knowledge about the API.
  private static let userRecords =
    "SELECT count(*) FROM records WHERE key <> CAST('LEARNED' AS BLOB)"

  private static func client(_ store: NormalizedStore) -> GraphQLClient {
    GraphQLClient([
      .normalizedCache(store),
      .fallback { _ in
        OperationResult(
          data: try JSON(parsing: #"{"me":{"__typename":"User","id":"1","name":"secret"}}"#))
      },
    ])
  }

  @Test("After a durable switch, no kill brings the old user's data back (S3)")
  func kill() async throws {
    let file = try TestFile()
    for _ in 0..<Stress.rounds(5) {
      let process = try OtherProcess("log out", file.url)
      #expect(await process.line() == "saved")
      #expect(await process.line() == "switched")
      process.kill()
      let storage = file.storage()
      #expect(await NormalizedStore(storage: storage).load(Self.me) == nil)
      storage.close()
      for suffix in ["", "-wal", "-shm"] {
        let found = Data(file.bytes(suffix)).range(of: Data("secret".utf8))
        #expect(found == nil, "the file \(suffix)")
      }
    }
  }

  @Test("A removal that cannot be committed is an error, and the session begins all the same (S3)")
  func busy() async throws {
    let file = try TestFile()
    let store = NormalizedStore(storage: file.hastyStorage())
    let client = Self.client(store)
    _ = await client.query(Self.me)
    try await store.flush()
    let old = client.session
    let process = try OtherProcess("hold", file.url)
    #expect(await process.line() == "held")
    await #expect(throws: StorageError.self) { try await client.switchSession(durably: true) }
    #expect(client.session > old)
    #expect(client.peek(Self.me) == nil)
    process.release()
    #expect(await process.lines() == [])
    try await client.switchSession(durably: true)
    #expect(try file.sql(Self.userRecords) == "0")
  }

  @Test("A composed chain waits for the removal, too (S3)")
  func composed() async throws {
    let file = try TestFile()
    let store = NormalizedStore(storage: file.storage())
    let client = GraphQLClient([
      ComposeExchange([.dedup, ComposeExchange([.normalizedCache(store)])]),
      .fallback { _ in
        OperationResult(data: try JSON(parsing: #"{"me":{"__typename":"User","id":"1"}}"#))
      },
    ])
    let result = await client.query(GraphQLOperation("{ me { id } }"))
    #expect(result.error == nil && !result.isDegraded)
    try await store.flush()
    #expect(
      try file.sql(Self.userRecords) != "0", "\(store.dump()) \(file.codes) \(file.files)")
    try await client.switchSession(durably: true)
    #expect(try file.sql(Self.userRecords) == "0")
  }
}
