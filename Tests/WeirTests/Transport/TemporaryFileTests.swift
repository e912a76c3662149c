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
      let (pid, id) = (ended.processIdentifier, UUID().uuidString)
      let own = "weir-upload-\(ProcessInfo.processInfo.processIdentifier)-\(id)"
      let left = ["weir-upload-\(pid)-\(id)", "weir-unread-\(pid)-\(id)"]
      let others = [
        "weir-notes.txt", "weir-upload-\(pid)-notes", "upload-\(pid)-\(id)",
        "weir-cache-\(pid)-\(id)",
      ]
      // As directories of apps or tests may be named, by chance.
      let folders = ["weir-sqlite-12345678-\(id)", "weir-upload-\(pid)-\(UUID().uuidString)"]
      for name in folders {
        try FileManager.default.createDirectory(
          at: directory.appending(path: name), withIntermediateDirectories: true)
      }
      for name in [own] + left + others {
        try Data().write(to: directory.appending(path: name))
      }
      FileManager.default.removeLeftovers(in: directory)
      let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      #expect(Set(names) == Set([own] + others + folders))
    }
  }
#endif
