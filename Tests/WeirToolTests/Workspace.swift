import Foundation
import Weir
import WeirSupport
import WeirTesting

@testable import WeirTool

/// A temporary folder in which the tool runs. It is removed with the workspace.
final class Workspace: Sendable {
  /// The result of one run.
  struct Run {
    let code: Int32
    /// The lines of the standard output.
    let output: [String]
    /// The lines of the standard error, without the path of the folder.
    let diagnostics: [String]
  }

  let folder: String

  init(_ files: [String: String] = [:]) throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "weir-\(UUID().uuidString)")
    folder = url.standardizedFileURL.path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (path, text) in files { try write(text, to: path) }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// A project with a schema, a configuration and two documents.
  static func project(_ more: [String: String] = [:]) throws -> Workspace {
    let files = [
      "GraphQL/schema.graphqls": """
      type Query { books(first: Int! = 10): [Book!]! }
      type Book { id: ID! title: String! genre: Genre! @deprecated }
      enum Genre { FICTION SELF_HELP }
      """,
      "GraphQL/weir.json": #"{"namespace": "Library"}"#,
      "Feed/Feed.graphql": """
      query Feed($first: Int!) { books(first: $first) { ...BookRow } }
      fragment BookRow on Book { id title }
      """,
      "Feed/Titles.graphql": "query Titles { books { title } }",
    ]
    return try Workspace(files.merging(more) { $1 })
  }

  /// The text of a file in the folder `Sources` of this package.
  static func source(_ path: String) throws -> String {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    return try String(contentsOf: folder.appending(path: "../../Sources/\(path)"), encoding: .utf8)
  }

  func write(_ text: String, to path: String) throws {
    let url = URL(filePath: folder).appending(path: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  func remove(_ path: String) throws {
    try FileManager.default.removeItem(atPath: "\(folder)/\(path)")
  }

  /// The text of a file; nil if there is none.
  subscript(path: String) -> String? {
    FileManager.default.contents(atPath: "\(folder)/\(path)").map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// The names of the files in a folder.
  func names(_ path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(path)")) ?? []).sorted()
  }

  /// Runs the tool in this process.
  func run(
    _ arguments: String..., variables: [String: String] = [:],
    transport: any HTTPTransport = Unreachable()
  ) async -> Run {
    await run(arguments, variables: variables, transport: transport)
  }

  /// Runs the tool in this process.
  func run(
    _ arguments: [String], variables: [String: String] = [:],
    transport: any HTTPTransport = Unreachable()
  ) async -> Run {
    let (output, diagnostics) = (Locked([String]()), Locked([String]()))
    let environment = ToolEnvironment(
      folder: folder, variables: variables, transport: transport,
      write: { line in output.withLock { $0.append(line) } },
      report: { line in diagnostics.withLock { $0.append(line) } })
    let code = await Tool.run(arguments, in: environment)
    let relative = { (lines: [String]) in
      lines.map { $0.replacingOccurrences(of: self.folder + "/", with: "") }
    }
    return Run(
      code: code, output: relative(output.withLock { $0 }),
      diagnostics: relative(diagnostics.withLock { $0 }))
  }
}

/// A network that no test may use.
struct Unreachable: HTTPTransport {
  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    throw URLError(.notConnectedToInternet)
  }
}
