import Foundation
import Testing

@testable import WeirGeneration

@Suite("The folder of generated files")
struct OutputFolderTests {
  private let header = "// @generated from feed.graphql by weir. Do not edit.\n"

  @Test("A file of another case that is the same one on the volume is not stale (T1)")
  func sameFile() throws {
    let workspace = try Workspace(["Out/feed.graphql.swift": header])
    let folder = "\(workspace.folder)/Out"
    let files = [GeneratedFile(name: "feed.graphql.swift", text: header)]
    // One file with two names, as a volume has it that does not distinguish capital letters.
    try FileManager.default.linkItem(
      atPath: "\(folder)/feed.graphql.swift", toPath: "\(folder)/Feed.graphql.swift")
    #expect(OutputFolder(path: folder).stale(files) == [])
  }

  @Test("A file of another case that differs from the new one is stale (T1)")
  func anotherFile() throws {
    let workspace = try Workspace([
      "Out/feed.graphql.swift": header, "Out/Feed.graphql.swift": header,
    ])
    let files = [GeneratedFile(name: "feed.graphql.swift", text: header)]
    let folder = OutputFolder(path: "\(workspace.folder)/Out")
    #expect(folder.stale(files) == ["Feed.graphql.swift"])
  }
}
