import Foundation
import TestSupport
import Testing
import WeirNormalized
import WeirSQLite

@Suite("A process that is killed", .timeLimit(.minutes(10)))
struct KillTests {
  @Test("After a kill, commits are there, no batch is there in part, and the file is intact (N9.4)")
  func kill() async throws {
    let file = try TestFile()
    var random = SeededRandom(seed: UInt64(Stress.rounds(1)))
    var acknowledged = 0
    for _ in 0..<Stress.rounds(20) {
      acknowledged = try await OtherProcess("write", file.url)
        .killAmid(steps: 30, work: 200_000, &random)
      try check(file, acknowledged)
    }
    #expect(acknowledged >= Stress.rounds(20))
    #expect(file.diagnostics == [])
    #expect(file.files.filter { $0.contains("damaged") } == [])
  }

  private func check(_ file: TestFile, _ acknowledged: Int) throws {
    #expect(try file.integrity() == "ok")
    let storage = file.storage()
    defer { storage.close() }
    let keys = (0..<20).map { "shared:\($0)" }
    let values = Set(try storage.load(keys).map { $0?.value })
    let value = try #require(values.first ?? nil)
    #expect(values.count == 1, "A batch is there by half")
    let number = try #require(Int(String(decoding: value.prefix { $0 != 32 }, as: UTF8.self)))
    #expect(number >= acknowledged, "A commit is lost")
    let batches = Set(try storage.keys(in: .prefix("batch:")))
    #expect(batches == Set((max(1, number - 49)...number).map { "batch:\($0)" }))
    #expect(try storage.size().records == 20 + batches.count)
  }
}
