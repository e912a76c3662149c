import Foundation
import TestSupport
import Testing
import Weir
import WeirNormalized
import WeirSQLite

/// Reads the rounds that the other process writes (see `StoreRounds`) through a store of this one.
@Suite("A process that is killed while its store is written to", .timeLimit(.minutes(10)))
struct KilledStoreTests {
  @Test("Flushed data is there after a kill, and no write is there in part (N9.4)")
  func kill() async throws {
    let file = try TestFile()
    var random = SeededRandom(seed: UInt64(Stress.rounds(1)) + 7)
    var promised = 0
    for round in 0..<Stress.rounds(20) {
      promised = try await OtherProcess("write rounds", file.url)
        .killAmid(steps: 6, work: 400_000, &random)
      #expect(try file.integrity() == "ok")
      try await check(file, promised, "Round \(round)")
    }
    #expect(promised >= Stress.rounds(20))
    #expect(file.diagnostics == [])
    #expect(file.files.filter { $0.contains("damaged") } == [])
  }

  private func check(_ file: TestFile, _ promised: Int, _ comment: Comment) async throws {
    let storage = file.storage()
    let store = NormalizedStore(storage: storage)
    let data = try #require(
      await store.load(Self.query("rows { id number text box { number } } latest")))
    let latest = Int(try #require(data["latest"]?.int))
    #expect(latest >= promised, comment)
    let rows = (0..<20).compactMap { data["rows"]?[$0] }
    let numbers = rows.flatMap { [$0["number"]?.int, $0["box"]?["number"]?.int] }
    #expect(Set(numbers) == [Int64(latest)] && rows.count == 20, comment)
    #expect(Set(rows.map { $0["text"]?.string?.count }) == [latest % 400], comment)
    let entries = max(1, latest - 49)...latest
    let fields = entries.map { "e\($0): \(Self.entry($0))" }
    let all = await store.load(Self.query(fields.joined(separator: " ")))
    #expect(entries.allSatisfy { all?["e\($0)"]?["number"]?.int == Int64($0) }, comment)
    // An odd round removes its data in a separate transaction.
    let gone = [latest + 1, latest - 51] + (latest % 2 == 0 ? [latest - 50] : [])
    for number in gone {
      #expect(await store.load(Self.query(Self.entry(number))) == nil, comment)
    }
    try await store.flush()
    storage.close()
  }

  private static func query(_ fields: String) -> GraphQLOperation {
    GraphQLOperation(GraphQLDocument("{ \(fields) }"))
  }

  private static func entry(_ number: Int) -> String {
    "entry(number: \(number)) { id number }"
  }
}

@Suite("Stores and storages that are made and closed repeatedly", .timeLimit(.minutes(10)))
struct StoreResourcesTests {
  #if os(Linux)
    // In a separate process, because other tests use descriptors and memory, too.
    @Test(
      "Opening, writing and closing leaves no descriptor, thread or memory behind (N9)",
      arguments: [("open and close", 200), ("open and commit", 1_000)])
    func resources(task: String, rounds: Int) async throws {
      let file = try TestFile(inMemory: true)
      let said = try await OtherProcess(
        task, file.url, "\(Stress.rounds(Stress.factor > 1 ? 1_000 : rounds))"
      ).lines()
      let numbers = Dictionary(
        uniqueKeysWithValues: said.compactMap { line -> (String, Int)? in
          let words = line.split(separator: " ")
          return words.last.flatMap { Int($0) }.map { (String(words[0]), $0) }
        })
      #expect(numbers["descriptors"] == 0, "\(said)")
      #expect(try #require(numbers["threads"]) <= 4, "\(said)")
      #expect(try #require(numbers["kilobytes"]) < 8 << 10, "\(said)")
      if task == "open and commit" { #expect(numbers["records"] == 10) }
    }
  #endif
}
