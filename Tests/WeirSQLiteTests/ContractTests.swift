import Foundation
import TestSupport
import Testing
import Weir
import WeirNormalized
import WeirSQLite
import WeirTesting

@Suite("The storage contract", .timeLimit(.minutes(10)))
struct ContractTests {
  @Test("The storage in memory fulfils the contract")
  func memory() async {
    let contract = RecordStorageContract(make: { MemoryRecordStorage() }) { other in
      guard let other = other as? MemoryRecordStorage else { throw CancellationError() }
      return MemoryRecordStorage(sharing: other)
    }
    #expect(await contract.violations() == [])
  }

  @Test("The SQLite storage fulfils the contract (N9)", arguments: [false, true])
  func sqlite(isSealed: Bool) async throws {
    let files = Locked<[TestFile]>([])
    let change: @Sendable (inout SQLiteConfiguration) -> Void = { configuration in
      if isSealed { configuration.valueTransform = .exclusiveOr }
    }
    let contract = RecordStorageContract {
      let file = try TestFile(inMemory: true)
      files.withLock { $0.append(file) }
      return file.storage(change)
    } another: { other in
      guard let other = other as? SQLiteStorage,
        let file = files.withLock({ $0.first { $0.url == other.fileURL } })
      else { throw CancellationError() }
      return file.storage(change)
    }
    #expect(await contract.violations() == [])
    #expect(files.withLock { $0.flatMap(\.diagnostics) } == [])
  }

  @Test("A stream of changes ends if it begins while the storage is closed")
  func closing() async {
    let storages = (0..<Stress.rounds(20_000)).map { _ in MemoryRecordStorage() }
    let arrived = Locked([0, 0])
    // Two threads wait for each other, so that they use each storage at the same time.
    @Sendable func meet(_ round: Int, as side: Int) {
      arrived.withLock { $0[side] = round }
      while arrived.withLock({ $0[1 - side] < round }) { sched_yield() }
    }
    Thread.detachNewThread {
      for (round, storage) in storages.enumerated() {
        meet(round + 1, as: 0)
        // At each moment of the other thread's work.
        var delay = round % 4_000
        while delay > 0 { delay -= 1 }
        storage.close()
      }
    }
    let streams = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          returning: storages.enumerated().map { round, storage in
            meet(round + 1, as: 1)
            return storage.externalChanges()
          })
      }
    }
    for stream in streams {
      for await _ in stream {}
    }
  }

  @Test("The contract detects a storage that reports too much or too little")
  func reports() async {
    let contract = RecordStorageContract(make: { Careless() }) { other in
      guard let other = other as? Careless else { throw CancellationError() }
      return Careless(sharing: other)
    }
    #expect(
      Set(await contract.violations().map(\.rule)) == [
        "A collection is not reported as a change",
        "Keys that only look the same are not mixed up in a notification",
      ])
  }

  @Test("The contract detects a storage that keeps nothing")
  func violations() async {
    let violations = await RecordStorageContract(make: { Forgetful() }).violations()
    #expect(violations.count >= 5)
    #expect(violations.map(\.rule).contains("A record replaces the former one"))
  }
}

extension ValueTransform {
  /// Keeps the length, so that the sizes are those of the plain values.
  static let exclusiveOr = ValueTransform(
    seal: { value, key in value.map { $0 ^ UInt8(truncatingIfNeeded: key.count + 1) } },
    open: { value, key in value.map { $0 ^ UInt8(truncatingIfNeeded: key.count + 1) } })
}

/// A storage that keeps nothing.
private final class Forgetful: RecordStorage {
  func names() -> [UInt32: String] { [:] }
  func register(_ names: [String]) -> [UInt32] { names.map { _ in 1 } }
  func load(_ keys: [String]) -> [StoredRecord?] { keys.map { _ in nil } }
  func commit(_ batch: RecordBatch) {}
  func keys(in selection: RecordSelection) -> [String] { [] }
  func removeAll() {}
  func size() -> StorageSize { StorageSize(records: 0, bytes: 0) }
  func collect(toBytes bytes: Int, keeping: Set<String>, atMost limit: Int) -> [String] { [] }
  func externalChanges() -> AsyncStream<Set<String>?> { AsyncStream { $0.finish() } }
  func close() {}
}

/// A storage that reports keys in a set, in which lookalikes are one, and what a collection removes.
private final class Careless: ForwardingStorage {
  private final class Hub: Sendable {
    typealias Listener = (owner: Int, stream: AsyncStream<Set<String>?>.Continuation)
    let listeners = Locked<[Listener]>([])
    let owners = Locked(0)
  }

  private let memory: MemoryRecordStorage
  var base: any RecordStorage { memory }
  private let hub: Hub
  private let number: Int

  private init(_ memory: MemoryRecordStorage, _ hub: Hub) {
    (self.memory, self.hub) = (memory, hub)
    number = hub.owners.withLock { owners in
      owners += 1
      return owners
    }
  }

  convenience init() { self.init(MemoryRecordStorage(), Hub()) }

  convenience init(sharing other: Careless) {
    self.init(MemoryRecordStorage(sharing: other.memory), other.hub)
  }

  private func report(_ keys: Set<String>?) {
    for listener in hub.listeners.withLock(\.self) where listener.owner != number {
      listener.stream.yield(keys)
    }
  }

  func commit(_ batch: RecordBatch) throws(StorageError) {
    try memory.commit(batch)
    report(Set(batch.removedKeys + batch.records.map(\.key)))
  }

  func removeAll() throws(StorageError) {
    try memory.removeAll()
    report(nil)
  }

  func collect(
    toBytes bytes: Int, keeping: Set<String>, atMost limit: Int
  ) throws(StorageError) -> [String] {
    let removed = try memory.collect(toBytes: bytes, keeping: keeping, atMost: limit)
    report(Set(removed))
    return removed
  }

  func externalChanges() -> AsyncStream<Set<String>?> {
    let (stream, continuation) = AsyncStream.makeStream(of: Set<String>?.self)
    hub.listeners.withLock { $0.append((number, continuation)) }
    if (try? memory.size()) == nil { continuation.finish() }
    return stream
  }

  func close() {
    memory.close()
    for listener in hub.listeners.withLock(\.self) where listener.owner == number {
      listener.stream.finish()
    }
  }
}
