import Foundation

/// `swift run -c release Benchmarks`: measures, prints a table, and fails if an answer is wrong or
/// a case exceeds its budget.
@main
struct Benchmarks {
  static func main() async {
    exit(await status())
  }

  /// Runs outside of the main actor. The names of cases that run on it say so.
  @concurrent
  private static func status() async -> Int32 {
    do {
      #if canImport(WeirCurl) && (os(Linux) || os(macOS))
        if CommandLine.arguments.dropFirst() == [ServerProcess.option] {
          try ServerProcess.serve()
          return 0
        }
      #endif
      return try await run(Options(Array(CommandLine.arguments.dropFirst())))
    } catch let error as UsageError {
      complain("\(error) Try --help.")
      return 64
    } catch {
      complain("\(error)")
      return 1
    }
  }

  private static func run(_ options: Options) async throws -> Int32 {
    if options.showsHelp {
      print(Options.help)
      return 0
    }
    let selection = try Selection(options)
    if options.listsOnly {
      for name in selection.names { print(name) }
      return 0
    }
    if let seconds = options.profileSeconds {
      try await selection.profile(for: .seconds(seconds))
      return 0
    }
    let former = try options.compareFile.map { file throws(UsageError) in
      try ResultFile(reading: file)
    }
    let report = try await selection.measure(options.isQuick ? .quick : .full)
    print(Table(report).text)
    if let former { print(Comparison(of: report.measurements, with: former).text) }
    if let file = options.jsonFile { try write(try ResultFile(report).bytes, to: file) }
    if let file = options.plotFile { try write(Array(Plot(report).svg.utf8), to: file) }
    for excess in report.excesses { complain("Over budget: \(excess)") }
    guard report.excesses.isEmpty else { return 1 }
    #if os(Linux)
      if !Counts.areAvailable {
        complain("Nothing could be counted, so no budget was checked.")
        return 1
      }
    #endif
    return 0
  }

  private static func write(_ bytes: [UInt8], to file: String) throws {
    try Data(bytes).write(to: URL(filePath: file))
  }

  private static func complain(_ message: String) {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
  }
}
