#if canImport(WeirCurl) && (os(Linux) || os(macOS))
  import Foundation

  /// A ``LoopbackServer`` in a process of its own, so that its work is not part of what is measured.
  final class ServerProcess: Sendable {
    /// The argument that makes this program a server.
    static let option = "--serve"

    let url: URL
    private let input = Pipe()

    /// Starts the server and waits until it listens.
    init() throws {
      let output = Pipe()
      let process = Process()
      process.executableURL = Bundle.main.executableURL
      process.arguments = [Self.option]
      process.standardInput = input
      process.standardOutput = output
      try process.run()
      try input.fileHandleForReading.close()
      try output.fileHandleForWriting.close()
      var line = Data()
      while line.last != UInt8(ascii: "\n"),
        let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty
      {
        line += byte
      }
      let text = String(decoding: line.dropLast(), as: UTF8.self)
      guard let url = URL(string: text) else {
        throw WrongAnswer(description: "The server's process did not start.")
      }
      self.url = url
    }

    /// Ends the process, which happens when its input ends.
    func stop() {
      try? input.fileHandleForWriting.close()
    }

    /// Is the server until the input ends.
    static func serve() throws {
      raiseDescriptorLimit()
      let server = try LoopbackServer(body: Payloads.post(1))
      FileHandle.standardOutput.write(Data("\(server.url)\n".utf8))
      while let bytes = try FileHandle.standardInput.read(upToCount: 4096), !bytes.isEmpty {}
    }

    /// Each idle connection takes a descriptor.
    static func raiseDescriptorLimit() {
      #if canImport(Darwin)
        let descriptors = RLIMIT_NOFILE
      #else
        let descriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      #endif
      var limit = rlimit()
      getrlimit(descriptors, &limit)
      limit.rlim_cur = limit.rlim_max
      setrlimit(descriptors, &limit)
    }
  }
#endif
