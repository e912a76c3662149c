import Foundation
import TestSupport
import Testing

#if os(Linux) || os(macOS)
  /// A process that runs the program `StorageWriter` on a file.
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
      // The child has its own copies. Copies in this process would keep the pipes open.
      try output.fileHandleForWriting.close()
      try input.fileHandleForReading.close()
    }

    deinit {
      kill()
    }

    /// Returns the next line of output; nil at the end.
    func line() async -> String? {
      while true {
        if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
          let line = String(decoding: buffer[..<end], as: UTF8.self)
          buffer.removeSubrange(...end)
          return line
        }
        let more = await more()
        if more.isEmpty { return nil }
        buffer += more
      }
    }

    /// Waits for output on a thread of its own, because other tests need those of the pool. If the test
    /// is out of time, the process is killed, which ends the wait.
    private func more() async -> Data {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          Thread.detachNewThread { [output] in
            continuation.resume(returning: output.fileHandleForReading.availableData)
          }
        }
      } onCancel: { [identifier = process.processIdentifier] in
        Foundation.kill(identifier, SIGKILL)
      }
    }

    /// Returns all remaining lines.
    func lines() async -> [String] {
      var lines: [String] = []
      while let line = await line() { lines.append(line) }
      process.waitUntilExit()
      return lines
    }

    /// Makes the process continue, by closing its standard input.
    func release() {
      try? input.fileHandleForWriting.close()
    }

    /// Kills the process with SIGKILL, and waits until it has ended.
    func kill() {
      if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
      process.waitUntilExit()
    }

    /// The path of the program, which is built beside the tests.
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
#else
  /// Without other processes, the tests that need one fail.
  final class OtherProcess {
    init(_ task: String, _ url: URL, _ arguments: String...) throws {
      throw CocoaError(.featureUnsupported)
    }

    func line() async -> String? { nil }
    func lines() async -> [String] { [] }
    func release() {}
    func kill() {}
  }
#endif

extension OtherProcess {
  /// Kills the process after a random number of steps, whose numbers it prints, and a random delay.
  ///
  /// - Parameters:
  ///   - steps: The maximum number of steps.
  ///   - work: The maximum delay, in iterations of an empty loop.
  ///   - random: The source of the random numbers.
  /// - Returns: the last number that the process printed.
  /// - Throws: an error if the process prints something else.
  func killAmid(steps: Int, work: Int, _ random: inout SeededRandom) async throws -> Int {
    var last = 0
    for _ in 0..<Int.random(in: 1...steps, using: &random) {
      let line = await line() ?? "nothing"
      last = try #require(Int(line), "The writer said: \(line)")
    }
    var left = Int.random(in: 0...work, using: &random)
    while left > 0 { left -= 1 }
    kill()
    while let line = await line() { last = Int(line) ?? last }
    return last
  }
}
