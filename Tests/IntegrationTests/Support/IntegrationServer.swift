import Foundation
import Weir

/// The server that integration tests talk to: a Python program (see `Server/server.py`), started
/// once per test process. It ends with the process, since its standard input ends then.
///
/// The first run makes a virtual environment in the user's cache folder, which later runs find.
struct IntegrationServer: Sendable {
  /// Why there is no server, in a sentence that says what is missing.
  struct Unavailable: Error, CustomStringConvertible {
    var description: String
  }

  let graphQLPort: Int
  let rawPort: Int

  /// The server of this process; waits until it listens.
  static func running() async throws -> IntegrationServer {
    try await starting.value
  }

  /// A server that a test has for itself, and may end; its GraphQL server has that port, or any.
  static func own(port: Int? = nil) async throws -> IntegrationServer {
    try await launch(ServerProgram(), port: port)
  }

  /// Ends the server, and waits until it has.
  func end() async throws {
    try await program.end()
  }

  private static let starting = Task { try await launch(ServerProgram()) }
  private let program: ServerProgram

  private static func launch(
    _ program: ServerProgram, port: Int? = nil
  ) async throws -> IntegrationServer {
    let line = try await program.start(port: port)
    let ports = line.split(separator: " ").compactMap { Int($0) }
    guard ports.count == 2 else {
      throw Unavailable(
        description: line.isEmpty
          ? "The integration tests need Python 3.10 or later: python3 was not found or did not run."
          : "The integration server did not start. \(line)")
    }
    return IntegrationServer(graphQLPort: ports[0], rawPort: ports[1], program: program)
  }
}

/// The child process and the pipes to it.
private final class ServerProgram: Sendable {
  private let input = Pipe()
  private let output = Pipe()

  /// Starts the program and waits for its first line; empty if it ended without one.
  func start(port: Int?) async throws -> String {
    guard let script = Bundle.module.url(forResource: "Server/start", withExtension: "py"),
      let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
    else {
      throw IntegrationServer.Unavailable(
        description: "The folder Server is not in the test bundle.")
    }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      [
        "python3", script.path(percentEncoded: false),
        caches.appending(path: "weir-integration-tests").path(percentEncoded: false),
      ] + (port.map { [String($0)] } ?? [])
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    // The parent's copies must go, or the pipe would never end if the program does.
    try output.fileHandleForWriting.close()
    try input.fileHandleForReading.close()
    // `Process` reports a child's end on the run loop of a thread that has none here, so its end is
    // seen by the end of its output. The read blocks: it has a thread of its own.
    return await withCheckedContinuation { continuation in
      Thread.detachNewThread { [output] in
        continuation.resume(returning: firstLine(of: output.fileHandleForReading))
      }
    }
  }

  /// The program ends when its input does; its output ends with it.
  func end() async throws {
    try input.fileHandleForWriting.close()
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { [output] in
        while let bytes = try? output.fileHandleForReading.read(upToCount: 4096), !bytes.isEmpty {}
        continuation.resume()
      }
    }
  }
}

private func firstLine(of file: FileHandle) -> String {
  var line = Data()
  while let byte = try? file.read(upToCount: 1), let byte = byte.first, byte != UInt8(ascii: "\n") {
    line.append(byte)
  }
  return String(decoding: line, as: UTF8.self)
}
