import Foundation
import Testing

@Suite("Files that the command writes", .timeLimit(.minutes(10)))
struct WrittenFileTests {
  private static func workspace() throws -> Workspace {
    try Workspace.project(["old.txt": "type Query { a: Int }\n"])
  }

  @Test(
    "Data for a pipe goes into it, also by a link (T1)", arguments: ["pipe", "linked"])
  func pipe(name: String) async throws {
    let workspace = try Self.workspace()
    let path = "\(workspace.folder)/pipe"
    #expect(mkfifo(path, 0o600) == 0)
    try FileManager.default.createSymbolicLink(
      atPath: "\(workspace.folder)/linked", withDestinationPath: "pipe")
    // Its buffer is large enough for the text, and it has a reader before it is written.
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    try #require(reader >= 0)
    let handle = FileHandle(fileDescriptor: reader, closeOnDealloc: true)
    let run = await workspace.run("schema", "print", "old.txt", "-o", name)
    #expect(run.code == 0 && run.diagnostics == [])
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    let data = try handle.readToEnd() ?? Data()
    #expect(String(decoding: data, as: UTF8.self).hasPrefix("type Query {"))
  }

  @Test("A file is replaced as a whole, in a folder that is created for it (T1)")
  func regular() async throws {
    let workspace = try Self.workspace()
    for _ in 0..<2 {
      let run = await workspace.run("schema", "print", "old.txt", "-o", "new/deep/s.graphqls")
      #expect(run.code == 0 && run.diagnostics == [])
    }
    #expect(workspace["new/deep/s.graphqls"] == "type Query {\n  a: Int\n}\n")
    #expect(workspace.names("new/deep") == ["s.graphqls"])
  }

  @Test("A link to nothing gives a new file no permissions (T1)")
  func dangling() async throws {
    let workspace = try Self.workspace()
    let path = "\(workspace.folder)/linked"
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "nowhere/s")
    #expect(await workspace.run("schema", "print", "old.txt", "-o", "linked").code == 0)
    #expect(workspace["linked"]?.hasPrefix("type Query {") == true)
    #expect(!FileManager.default.isExecutableFile(atPath: path))
  }

  private static let isFile =
    "A folder is needed here, but a file has its name. Rename it, or name another folder."

  @Test(
    "An obstacle to a file is named with the cure (T8)",
    arguments: [
      (["generate", "--output", "old.txt"], "old.txt: error: \(isFile)"),
      (["generate", "--output", "old.txt/deep/Out"], "old.txt: error: \(isFile)"),
      (["schema", "print", "GraphQL", "-o", "old.txt/s"], "old.txt: error: \(isFile)"),
      (
        ["schema", "print", "GraphQL", "-o", "Feed"],
        "Feed: error: A folder has this name. Rename it, or name another file."
      ),
    ])
  func obstacles(arguments: [String], message: String) async throws {
    let workspace = try Self.workspace()
    let run = await workspace.run(arguments)
    #expect(run.code == 3)
    #expect(run.diagnostics == [message])
  }

  @Test("An obstacle to the manifest is named, too (T8)")
  func manifest() async throws {
    let workspace = try Self.workspace()
    try workspace.write(#"{"manifest": "schema.graphqls/m.json"}"#, to: "GraphQL/weir.json")
    let run = await workspace.run("manifest")
    #expect(run.code == 3)
    #expect(run.diagnostics == ["GraphQL/schema.graphqls: error: \(Self.isFile)"])
  }

  @Test(
    "A folder that permits no writing is named (T8)",
    .enabled(if: getuid() != 0, "The superuser can write to every folder."))
  func permissions() async throws {
    let workspace = try Self.workspace()
    let folder = "\(workspace.folder)/Feed"
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
    defer {
      try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
    }
    let created = await workspace.run("generate", "--output", "Feed/Out")
    #expect(created.code == 3)
    #expect(
      created.diagnostics == [
        "Feed: error: The folder permits no writing. Change its permissions, or name another folder."
      ])
    let formatted = await workspace.run("format", "Feed")
    #expect(formatted.code == 3)
    #expect(
      formatted.diagnostics == [
        "Feed/Feed.graphql: error: The file cannot be written, because its folder permits no changes. "
          + "Change the folder's permissions, or name another one."
      ])
  }
}
