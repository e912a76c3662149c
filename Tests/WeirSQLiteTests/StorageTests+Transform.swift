import Foundation
import TestSupport
import Testing
import Weir
import WeirNormalized
import WeirSQLite
import WeirTesting

extension StorageTests {
  @Test("Values are sealed in the file, and a value that cannot be opened counts as missing (N9)")
  func transform() throws {
    let file = try TestFile()
    let storage = file.storage { $0.valueTransform = .exclusiveOr }
    try storage.put(StoredRecord("a", "plain text"), StoredRecord("b", "more"))
    storage.close()
    #expect(Data(file.bytes()).range(of: Data("plain text".utf8)) == nil)
    struct Refusal: Error {}
    let refusing = file.storage {
      $0.valueTransform = ValueTransform(
        seal: { _, _ in throw Refusal() },
        open: { value, key in
          guard key == Array("b".utf8) else { throw Refusal() }
          return value
        })
    }
    #expect(try refusing.load(["a", "b"]).map { $0 == nil } == [true, false])
    #expect(file.codes == [.damagedValues])
    let error = #expect(throws: StorageError.self) { try refusing.put(StoredRecord("a")) }
    #expect(error?.code == .failed)
    refusing.close()
    #expect(try file.storage { $0.valueTransform = .exclusiveOr }.text("a") == "plain text")
  }

  @Test("While the key of a transform cannot be read, calls throw, and nothing is missing (N9.3)")
  func unavailableKey() throws {
    let file = try TestFile(inMemory: true)
    let isLocked = Locked(false)
    let storage = file.storage { $0.valueTransform = .locked(while: isLocked) }
    try storage.put(StoredRecord("a"))
    isLocked.withLock { $0 = true }
    #expect(throws: StorageError(.notPermitted, "Locked")) { try storage.load(["a", "b"]) }
    #expect(throws: StorageError(.notPermitted, "Locked")) { try storage.put(StoredRecord("b")) }
    isLocked.withLock { $0 = false }
    #expect(try storage.load(["a", "b"]).map { $0 == nil } == [false, true])
    #expect(file.codes == [])
  }

  @Test("A store whose first read has met a locked key shows what it has saved later (N9.3)")
  func unavailableKeyInStore() async throws {
    let file = try TestFile(inMemory: true)
    let isLocked = Locked(false)
    func store() -> NormalizedStore {
      NormalizedStore(
        storage: file.storage { $0.valueTransform = .locked(while: isLocked) })
    }
    let first = store()
    try first.write(Todos.data, for: Todos.all)
    try await first.flush()
    let second = store()
    isLocked.withLock { $0 = true }
    #expect(await second.load(Todos.all) == nil)
    isLocked.withLock { $0 = false }
    let client = GraphQLClient([.normalizedCache(second)], configuration: .silent)
    let result = await client.query(Todos.all.with { $0.requestPolicy = .cacheOnly })
    #expect(result.data?["todos"]?.count == 3 && !result.isStale)
  }
}

extension ValueTransform {
  /// A transform whose key cannot be read for a while.
  static func locked(while isLocked: Locked<Bool>) -> ValueTransform {
    @Sendable func value(_ value: [UInt8], _ key: [UInt8]) throws -> [UInt8] {
      if isLocked.withLock(\.self) { throw StorageError(.notPermitted, "Locked") }
      return value
    }
    return ValueTransform(seal: value, open: value)
  }
}
