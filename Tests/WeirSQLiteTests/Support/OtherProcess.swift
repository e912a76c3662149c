import Foundation
import Testing

/// The program `StorageWriter` at work on a file.
final class OtherProcess {
  private let process = Process()
  private let output = Pipe()
  private let input = Pipe()
  private var buffer: [UInt8] = []

  init(_ task: String, _ url: URL, _ arguments: String...) throws {
    process.executableURL = try Self.program()
    process.arguments = [task, url.path] + arguments
    process.standardOutput = output
    process.standardInput = input
    try process.run()
    // The child has its own copies; ours would keep the pipes open.
    try output.fileHandleForWriting.close()
    try input.fileHandleForReading.close()
  }

  deinit {
    kill()
  }

  /// The next line; nil at the end.
  func line() -> String? {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: buffer[..<end], as: UTF8.self)
        buffer.removeSubrange(...end)
        return line
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      buffer += more
    }
  }

  /// All lines that are left.
  func lines() -> [String] {
    var lines: [String] = []
    while let line = line() { lines.append(line) }
    process.waitUntilExit()
    return lines
  }

  /// Lets it go on from where it waits.
  func release() {
    try? input.fileHandleForWriting.close()
  }

  /// Ends it with SIGKILL, and waits until it is gone.
  func kill() {
    if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// Kills it after some of its steps, each of which it tells the number of, and some more work.
  ///
  /// - Parameters:
  ///   - steps: the most steps.
  ///   - work: how long it may go on, in turns of an empty loop.
  ///   - random: says how many, and how long.
  /// - Returns: the last number that it told.
  /// - Throws: what was told is no number.
  func killAmid(steps: Int, work: Int, _ random: inout Seeded) throws -> Int {
    var last = 0
    for _ in 0..<Int.random(in: 1...steps, using: &random) {
      let line = line() ?? "nothing"
      last = try #require(Int(line), "The writer said: \(line)")
    }
    var left = Int.random(in: 0...work, using: &random)
    while left > 0 { left -= 1 }
    kill()
    while let line = line() { last = Int(line) ?? last }
    return last
  }

  /// It is built beside the tests.
  private static func program() throws -> URL {
    var directory = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    for _ in 0..<6 {
      let program = directory.appendingPathComponent("StorageWriter")
      if FileManager.default.isExecutableFile(atPath: program.path) { return program }
      directory.deleteLastPathComponent()
    }
    throw CocoaError(.fileNoSuchFile)
  }
}
