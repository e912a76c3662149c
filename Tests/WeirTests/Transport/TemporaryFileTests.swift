#if os(Linux) || os(macOS)
  import Foundation
  import Testing
  import Weir

  @Suite("Temporary files")
  struct TemporaryFileTests {
    @Test("The files of processes that were killed are removed, and no others")
    func leftovers() throws {
      let directory = FileManager.default.temporaryDirectory.appending(
        path: "leftovers-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: directory) }
      let ended = Process()
      ended.executableURL = URL(filePath: "/bin/sh")
      ended.arguments = ["-c", "exit"]
      try ended.run()
      ended.waitUntilExit()
      let own = "weir-upload-\(ProcessInfo.processInfo.processIdentifier)-A-B"
      let left = "weir-upload-\(ended.processIdentifier)-A-B"
      let others = [
        "weir-notes.txt", "weir-upload-notes-A-B", "upload-\(ended.processIdentifier)-A-B",
      ]
      for name in [own, left] + others {
        try Data().write(to: directory.appending(path: name))
      }
      FileManager.default.removeLeftovers(in: directory)
      let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      #expect(Set(names) == Set([own] + others))
    }
  }
#endif
