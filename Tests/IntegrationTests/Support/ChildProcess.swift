#if os(Linux)
  import Foundation

  /// Runs some of these tests in a process of its own.
  ///
  /// If the test is out of time, the process is killed.
  ///
  /// - Parameters:
  ///   - filter: Which tests run.
  ///   - environment: Variables that the process gets beside the environment of this one.
  /// - Returns: The status with which the process has ended.
  /// - Throws: An error if the process cannot be started, or is killed.
  func status(ofChild filter: String, _ environment: [String: String]) async throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["--testing-library", "swift-testing", "--filter", filter]
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let (ends, end) = AsyncStream.makeStream(of: Int32.self)
    process.terminationHandler = {
      end.yield($0.terminationStatus)
      end.finish()
    }
    try process.run()
    for await status in ends { return status }
    // The task was cancelled.
    kill(process.processIdentifier, SIGKILL)
    throw CancellationError()
  }
#endif
