#if os(Linux)
  import Foundation
  import Testing
  import Weir
  import WeirNormalized

  @testable import WeirSQLite

  @Suite("A collection after which the file cannot shrink", .timeLimit(.minutes(10)))
  struct FailedShrinkTests {
    private static let records = (0..<400).map {
      StoredRecord("Todo:\($0)", String(repeating: "x", count: 4_000))
    }

    @Test("The keys that it has removed are returned, and the file shrinks later (N8.2, N9.3)")
    func fullDisk() async {
      await #expect(processExitsWith: .success) {
        // The size of the log when nothing is in the way.
        let usual = try TestFile(inMemory: true)
        let unlimited = usual.storage()
        try unlimited.commit(RecordBatch(records: Self.records))
        let all = try unlimited.collect(toBytes: 800_000, keeping: [], atMost: 1_000)
        let size = usual.bytes("-wal").count

        let file = try TestFile(inMemory: true)
        let storage = file.storage()
        try storage.commit(RecordBatch(records: Self.records))
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: rlim_t(size - 10_000), rlim_max: rlim_t(size + 10_000_000))
        try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
        let removed = try storage.collect(toBytes: 800_000, keeping: [], atMost: 1_000)
        #expect(removed.count == all.count && !removed.isEmpty)
        #expect(try storage.load(removed).allSatisfy { $0 == nil })
        #expect(try storage.size().records == Self.records.count - removed.count)
        limit.rlim_cur = limit.rlim_max
        try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
        let before = try storage.freePages()
        #expect(try !storage.collect(toBytes: 700_000, keeping: [], atMost: 1_000).isEmpty)
        #expect(try storage.freePages() < before)
        #expect(file.codes == [])
      }
    }
  }

  extension SQLiteStorage {
    /// The number of pages that could be returned to the file system.
    fileprivate func freePages() throws(StorageError) -> Int64 {
      try perform { (_, connection) throws(StorageError) in
        try connection.integer("PRAGMA freelist_count") ?? 0
      }
    }
  }
#endif
