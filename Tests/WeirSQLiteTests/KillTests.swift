import Foundation
import Testing
import WeirNormalized
import WeirSQLite

@Suite("A process that is killed", .timeLimit(.minutes(10)))
struct KillTests {
  @Test("N9.4 What was committed is there, no batch is there by half, and the file is whole")
  func kill() throws {
    let file = try TestFile()
    var random = Seeded(UInt64(stress))
    var acknowledged = 0
    for _ in 0..<(20 * stress) {
      acknowledged = try killedWriter(file, &random, after: acknowledged)
      try check(file, acknowledged)
    }
    #expect(acknowledged >= 20 * stress)
    #expect(file.diagnostics == [])
    #expect(file.files.filter { $0.contains("damaged") } == [])
  }

  /// Kills a writer after some of its commits and some more work; returns the last one it told of.
  private func killedWriter(
    _ file: TestFile, _ random: inout Seeded, after last: Int
  ) throws -> Int {
    let writer = try OtherProcess("write", file.url)
    var acknowledged = last
    for _ in 0..<Int.random(in: 1...30, using: &random) {
      let line = writer.line() ?? "nothing"
      acknowledged = try #require(Int(line), "The writer said: \(line)")
    }
    // A moment within the next commits.
    var left = Int.random(in: 0...200_000, using: &random)
    while left > 0 { left -= 1 }
    writer.kill()
    while let line = writer.line() { acknowledged = Int(line) ?? acknowledged }
    return acknowledged
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
