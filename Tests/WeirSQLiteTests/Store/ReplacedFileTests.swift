import Foundation
import Testing
import Weir
import WeirNormalized
import WeirSQLite
import WeirTesting

/// A file that is replaced while a store uses it.
@Suite("Replaced files of stores", .timeLimit(.minutes(10)))
struct ReplacedFileTests {
  private static func data(_ root: String, _ field: String, _ value: JSONValue) -> JSONValue {
    [root: ["__typename": "Post", "id": "1", field: value]]
  }

  @Test("Nothing is read with names of another file that was here before (N9.3)")
  func names() async throws {
    let (file, other) = (try TestFile(inMemory: true), try TestFile(inMemory: true))
    let failures = Locked<[StorageError.Code]>([])
    var configuration = NormalizedCacheConfiguration()
    configuration.onStorageError = { error in failures.withLock { $0.append(error.code) } }
    let storage = file.storage { $0.externalChangeInterval = nil }
    let store = NormalizedStore(configuration, storage: storage)
    try store.write(
      Self.data("post", "title", "mine"), for: GraphQLOperation("{ post { id title } }"))
    try await store.flush()
    // The same numbers stand for other names.
    let replacement = other.storage()
    let writer = NormalizedStore(storage: replacement)
    try writer.write(
      Self.data("last", "secret", "theirs"), for: GraphQLOperation("{ last { id secret } }"))
    try await writer.flush()
    replacement.close()
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: file.url.path + suffix)
    }
    try FileManager.default.moveItem(at: other.url, to: file.url)
    for _ in 0..<2 {
      let last = await store.load(GraphQLOperation("{ last { id title } }"))
      #expect(last == nil)
    }
    #expect(failures.withLock(\.self) == [.failed])
    #expect(throws: StorageError.self) { try storage.load(["Post:1"]) }
    // Everything can still be removed.
    try storage.removeAll()
    #expect(try storage.load(["Post:1"]) == [nil])
  }
}
