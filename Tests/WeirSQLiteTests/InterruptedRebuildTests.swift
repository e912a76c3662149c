import Foundation
import Testing
import WeirNormalized

@testable import WeirSQLite

@Suite("The rebuild of a damaged file that cannot be completed", .timeLimit(.minutes(10)))
struct InterruptedRebuildTests {
  /// Makes a file with 500 records, with a damaged page, that was not closed.
  private func damagedFile(page: Int = 8) throws -> TestFile {
    let file = try TestFile()
    try DamageTests.fill(file)
    var bytes = file.bytes()
    bytes.replaceSubrange(4096 * page..<4096 * (page + 1), with: repeatElement(0xEE, count: 4096))
    try file.write(bytes)
    try file.write([1], "-wal")
    return file
  }

  @Test("A disk without room for a new file leaves the damaged one for the next attempt (N9.3)")
  func full() async throws {
    let file = try damagedFile()
    let said = try await OtherProcess("rebuild limited", file.url, "100").lines()
    #expect(said.contains("open full"), "\(said)")
    #expect(file.files.filter { $0.contains("damaged") } == [])
    #expect(try DamageTests.expectUse(file, "full") > 400)
    #expect(file.codes == [.quarantined])
  }

  @Test("A disk without room for the records gets an empty file, which works (N9.3)")
  func fullOfRecords() async throws {
    let file = try damagedFile()
    let said = try await OtherProcess("rebuild limited", file.url, "60000").lines()
    #expect(said.contains("open ok"), "\(said)")
    #expect(file.files.filter { $0.contains("damaged") }.count > 0)
    #expect(try DamageTests.expectUse(file, "full of records") == 0)
  }

  @Test(
    "Removal reaches a damaged file, whatever room the disk has (N9.5)", arguments: [100, 60_000],
    [0, 8])
  func removed(bytes: Int, page: Int) async throws {
    let file = try damagedFile(page: page)
    #expect(Data(file.bytes()).range(of: Data("Todo:1".utf8)) != nil)
    _ = try await OtherProcess("rebuild limited", file.url, "\(bytes)", "remove").lines()
    #expect(file.files.filter { $0.contains("damaged") } == [])
    #expect(Data(file.bytes()).range(of: Data("Todo:1".utf8)) == nil)
    let storage = file.storage()
    defer { storage.close() }
    #expect(try storage.keys(in: .all) == [])
  }

  /// How far a process has come that was killed.
  enum Step: CaseIterable { case log, all, newFile }

  @Test(
    "After a process is killed, the next one salvages the records (N9.4)", arguments: Step.allCases)
  func killed(after step: Step) throws {
    let file = try damagedFile()
    let damaged = try DatabaseFile(file.url).quarantine()
    switch step {
    case .log: try FileManager.default.moveItem(atPath: damaged.path, toPath: file.url.path)
    case .all: break
    case .newFile: try file.write([])
    }
    #expect(try DamageTests.expectUse(file, "\(step)") > 400)
    #expect(file.codes == [.quarantined])
    #expect(file.files.filter { $0.hasSuffix("unfinished") } == [])
  }
}
