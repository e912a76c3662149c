import Foundation
import Weir

/// The server that the integration tests use: a Python program (see `Server/server.py`) that is
/// started once per test process. It ends with the process, because its standard input ends then.
///
/// The first run creates a virtual environment in the user's cache folder; later runs reuse it.
struct IntegrationServer: Sendable {
  /// The server could not be started; the description says what is missing.
  struct Unavailable: Error, CustomStringConvertible {
    var description: String
  }

  let graphQLPort: Int
  let rawPort: Int
  let securePort: Int
  let http2Port: Int
  let socketPort: Int
  let secureSocketPort: Int

  /// The server of this process; waits until it listens.
  static func running() async throws -> IntegrationServer {
    try await starting.value
  }

  /// Starts a server for one test, which may stop it. Its GraphQL server listens on `port`, or on
  /// any port.
  static func own(port: Int? = nil) async throws -> IntegrationServer {
    try await launch(ServerProgram(), port: port)
  }

  /// Stops the server and waits until it has ended.
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
    guard ports.count == 6 else {
      throw Unavailable(
        description: line.isEmpty
          ? "The integration tests need Python 3.10 or later: python3 was not found or did not run."
          : "The integration server did not start. \(line)")
    }
    return IntegrationServer(
      graphQLPort: ports[0], rawPort: ports[1], securePort: ports[2], http2Port: ports[3],
      socketPort: ports[4], secureSocketPort: ports[5], program: program)
  }
}

/// The child process and its pipes.
private final class ServerProgram: Sendable {
  private let input = Pipe()
  private let output = Pipe()

  /// Starts the program and returns its first line of output; empty if it ended without one.
  func start(port: Int?) async throws -> String {
    #if os(Linux) || os(macOS)
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
      // The parent must close its copies: otherwise the pipe would not end with the program.
      try output.fileHandleForWriting.close()
      try input.fileHandleForReading.close()
      // `Process` reports a child's end on the run loop of its thread, and there is none here. The
      // end of the output marks the end of the program. The read blocks, so it has its own thread.
      return await withCheckedContinuation { continuation in
        Thread.detachNewThread { [output] in
          continuation.resume(returning: firstLine(of: output.fileHandleForReading))
        }
      }
    #else
      throw IntegrationServer.Unavailable(description: "This system has no child processes.")
    #endif
  }

  /// Ends the program by ending its input, and waits for the end of its output.
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
