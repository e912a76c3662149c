import Foundation
import WeirGeneration

/// Generates Swift types from a GraphQL schema and documents.
@main
struct WeirGenerate {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.contains("--help") || arguments.contains("-h") {
      print(Arguments.help)
      return
    }
    do throws(Failure) {
      try run(Arguments(arguments))
    } catch {
      FileHandle.standardError.write(Data("\(error.message)\n".utf8))
      exit(error.code.rawValue)
    }
  }

  private static func run(_ arguments: Arguments) throws(Failure) {
    guard let output = arguments.output else {
      throw Failure(.usage, "--output is missing. See weir-generate --help.")
    }
    let run = try Run(arguments)
    let folder = OutputFolder(path: output)
    if arguments.isCheck {
      let (files, warnings) = try run.generate()
      report(warnings)
      return try check(folder.changed(files), in: folder)
    }
    try folder.locked { () throws(Failure) in
      // Only now: another run may have written the files meanwhile.
      let stamp = arguments.stamp.flatMap { Stamp(path: $0, run) }
      if let warnings = stamp?.warnings(in: folder.url) { return report(warnings) }
      let (files, warnings) = try run.generate()
      try folder.write(folder.changed(files))
      try stamp?.write(files.map(\.name), in: folder.url, warnings: warnings)
      report(warnings)
    }
  }

  private static func check(
    _ changed: [GeneratedFile], in folder: OutputFolder
  ) throws(Failure) {
    guard changed.isEmpty else {
      let names = changed.map { "\(folder.url.appendingPathComponent($0.name).path): error: " }
      throw Failure(
        .documents,
        names.map { $0 + "The file is not up to date. Generate it again." }.joined(separator: "\n"))
    }
  }

  private static func report(_ warnings: String) {
    FileHandle.standardError.write(Data(warnings.utf8))
  }
}
