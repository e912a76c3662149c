import Foundation
import Testing
import Weir
import WeirNormalized
import WeirSQLite

/// A path that is a symbolic link to the database, as of a volume that is mounted elsewhere.
@Suite("A symbolic link to a file", .timeLimit(.minutes(10)))
struct LinkedFileTests {
  private let file: TestFile
  private let links: URL
  private let link: URL

  init() throws {
    file = try TestFile()
    links = file.directory.appendingPathComponent("links")
    link = links.appendingPathComponent("cache.sqlite")
    try FileManager.default.createDirectory(at: links, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: link.path, withDestinationPath: "second.sqlite")
    try FileManager.default.createSymbolicLink(
      atPath: links.appendingPathComponent("second.sqlite").path,
      withDestinationPath: "../cache.sqlite")
  }

  /// The links that are still there, and anything else beside them.
  private var filesBesideLink: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: links.path).sorted()
    }
  }

  @Test("Only the owner can read a target that did not exist (N9.7)")
  func permissions() throws {
    let storage = SQLiteStorage(fileURL: link)
    try storage.put(StoredRecord("a"))
    let attributes = try FileManager.default.attributesOfItem(atPath: file.url.path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    #expect(try filesBesideLink == ["cache.sqlite", "second.sqlite"])
    #expect(try file.storage().text("a") == "value")
  }

  @Test("Damage sets the target aside, and a removal deletes it (N9.3, N9.5)")
  func damage() throws {
    try DamageTests.fill(file)
    var bytes = file.bytes()
    bytes.replaceSubrange(4096 * 8..<4096 * 9, with: repeatElement(0xEE, count: 4096))
    try file.write(bytes)
    try file.write([1], "-wal")
    let storage = SQLiteStorage(fileURL: link)
    #expect(try storage.keys(in: .all).count > 400)
    #expect(file.files.contains("cache.sqlite.damaged-1"))
    try storage.removeAll()
    storage.close()
    for name in file.files where name != "links" {
      let data = try Data(contentsOf: file.directory.appendingPathComponent(name))
      #expect(data.range(of: Data("Todo:1".utf8)) == nil, "\(name)")
    }
    #expect(!file.files.contains("cache.sqlite.damaged-1"))
    #expect(try filesBesideLink == ["cache.sqlite", "second.sqlite"])
  }

  @Test("Links that lead in circles are an error (N9.3)")
  func circle() throws {
    let second = links.appendingPathComponent("second.sqlite")
    try FileManager.default.removeItem(at: second)
    try FileManager.default.createSymbolicLink(
      atPath: second.path, withDestinationPath: "cache.sqlite")
    #expect(throws: StorageError.self) { try SQLiteStorage(fileURL: link).open() }
  }
}
