import Testing
import Weir
import WeirNormalized
@testable import WeirRecords
import WeirTesting

/// How long data of an earlier run may be used.
@Suite("Ages of saved data", .timeLimit(.minutes(10)))
struct StoredAgeTests {
  private static let todos = GraphQLOperation("{ todos { id text } }")

  /// A store over data that was written some hours before it was made, with a server that is down. The
  /// system's clock goes on meanwhile, so anything shorter could fail on a busy machine.
  private func client(
    after hours: Int, clock: ManualClock = ManualClock()
  ) async throws -> GraphQLClient {
    var configuration = NormalizedCacheConfiguration()
    configuration.timeToLive["Todo"] = .seconds(10 * 3600)
    configuration.staleIfError = .seconds(60 * 3600)
    let medium = MemoryRecordStorage()
    let past = ManualClock()
    let first = NormalizedStore(
      configuration, storage: MemoryRecordStorage(sharing: medium), clock: past)
    past.advance(by: .seconds(-3600 * hours))
    try first.write(
      ["todos": [["__typename": "Todo", "id": "1", "text": "a"]]] as JSONValue, for: Self.todos)
    try await first.flush()
    let second = NormalizedStore(
      configuration, storage: MemoryRecordStorage(sharing: medium), clock: clock)
    await second.load()
    let server = ScriptedExchange.immediate { _ in .failure("down") }
    return GraphQLClient([.normalizedCache(second), server])
  }

  @Test("Data that has expired before a start is stale from the start on (N8.1)")
  func expired() async throws {
    #expect(try await client(after: 5).peek(Self.todos)?.isStale == false)
    #expect(try await client(after: 15).peek(Self.todos)?.isStale == true)
  }

  @Test("Data that was saved while the clock was far ahead is stale from the start on (N8.1)")
  func clockAhead() async throws {
    for hours in [-740, -3600] {
      #expect(try await client(after: hours).peek(Self.todos)?.isStale == true)
    }
    // Another process may have another clock, and a longer time to live.
    for hours in [-1, -700] {
      #expect(try await client(after: hours).peek(Self.todos)?.isStale == false)
    }
  }

  @Test("An exchange may keep data for longer than other types' times to live (N8.1)")
  func longRetention() async throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.timeToLive["Todo"] = .seconds(3600)
    let medium = MemoryRecordStorage()
    func store() -> NormalizedStore {
      NormalizedStore(configuration, storage: MemoryRecordStorage(sharing: medium))
    }
    let notes = GraphQLOperation("{ notes { id text } }")
    let first = store()
    let keeping = MapExchange(result: { _, result in
      var result = result
      result.retention = .seconds(10 * 3600)
      return result
    })
    let server = ScriptedExchange.immediate { _ in
      .data(#"{"notes":[{"__typename":"Note","id":"1","text":"a"}]}"#)
    }
    _ = await GraphQLClient([.normalizedCache(first), keeping, server]).query(notes)
    try await first.flush()
    let second = store()
    await second.load()
    #expect(second.explain(notes).status == .complete)
  }

  @Test("Data is overdue since it has expired, not since the start (N8.1)")
  func overdue() async throws {
    let kept = try await client(after: 60).query(Self.todos)
    #expect(kept.error != nil && kept.data != nil)
    let dropped = try await client(after: 3600).query(Self.todos)
    #expect(dropped.error != nil && dropped.data == nil)
  }

  @Test("With a manual clock, data expires between two runs as the test advances it (N8.1)")
  func manualClock() async throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.timeToLive["Todo"] = .seconds(10 * 3600)
    let (medium, clock) = (MemoryRecordStorage(), ManualClock())
    func store() -> NormalizedStore {
      NormalizedStore(configuration, storage: MemoryRecordStorage(sharing: medium), clock: clock)
    }
    let first = store()
    try first.write(
      ["todos": [["__typename": "Todo", "id": "1", "text": "a"]]] as JSONValue, for: Self.todos)
    try await first.flush()
    for isStale in [false, true] {
      clock.advance(by: .seconds(6 * 3600))
      let next = store()
      await next.load()
      #expect(next.explain(Self.todos).status == (isStale ? .stale : .complete))
    }
  }

  @Test("Any number is accepted as an age (N9.6)")
  func hostile() throws {
    var names = RecordNames()
    names.add("flag", 0)
    for last: UInt8 in [0x7F, 0x80] {
      let age = [UInt8](repeating: last | 0x80, count: 9) + [last == 0x80 ? 1 : 0]
      var decoder = RecordDecoder(catalog: Catalog(.init()), version: 1, names: names)
      var records = RecordState(seed: 0)
      // One field: its name, its age, and false.
      decoder.begin([1, 1] + age + [2])
      let change = try decoder.read(into: RootType.query.reference, &records, replaces: true)
      #expect(change.slots != 0 && decoder.isAtEnd)
    }
  }
}
