import Foundation

/// The options on the command line.
struct Options {
  var filters: [String] = []
  var isQuick = false
  var listsOnly = false
  var showsHelp = false
  var jsonFile: String?
  var compareFile: String?
  var plotFile: String?
  /// How long each case runs for a profiler; nil to measure.
  var profileSeconds: Int?

  static let help = """
    Measures Weir, and compares it with work that everybody knows.

    swift run -c release Benchmarks [options]

      --filter TEXT     measures only the case TEXT or, if there is none, all cases whose names
                        contain TEXT; may be given several times
      --quick           takes about 30 seconds on an idle machine: leaves out slow cases, and
                        its figures are rough
      --list            prints the names of the cases and measures nothing
      --json FILE       writes the figures to FILE
      --compare FILE    compares with figures that --json has written earlier
      --plot FILE.svg   draws the figures: time against size, and a bar for each case
      --profile SECONDS runs each case for that time and measures nothing, for use with perf or
                        valgrind
      --help            prints this text

    The exit status is 1 if an answer is wrong or a case exceeds its budget, and 64
    if an option is invalid.
    """

  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--quick": isQuick = true
      case "--list": listsOnly = true
      case "--help", "-h": showsHelp = true
      case "--filter": filters.append(try Self.value(of: argument, &rest))
      case "--json": try Self.set(&jsonFile, argument, &rest)
      case "--compare": try Self.set(&compareFile, argument, &rest)
      case "--profile": profileSeconds = try Self.seconds(try Self.value(of: argument, &rest))
      case "--plot": try Self.set(&plotFile, argument, &rest)
      default: throw UsageError("Unknown option: \(argument).")
      }
    }
    for file in [jsonFile, plotFile].compactMap({ $0 }) { try Self.checkWritable(file) }
    if let plotFile, !plotFile.hasSuffix(".svg") {
      throw UsageError("--plot writes SVG, so the file name must end in .svg: \(plotFile).")
    }
  }

  /// Whether the filters select a case, given the names of all cases.
  func includes(_ name: String, among all: Set<String>) -> Bool {
    filters.isEmpty
      || filters.contains { filter in
        all.contains(filter)
          ? name == filter : name.range(of: filter, options: .caseInsensitive) != nil
      }
  }

  private static func set(
    _ value: inout String?, _ option: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    guard value == nil else { throw UsageError("\(option) was given twice.") }
    value = try Self.value(of: option, &rest)
  }

  private static func seconds(_ text: String) throws(UsageError) -> Int {
    guard let seconds = Int(text), seconds > 0 else {
      throw UsageError("--profile needs a number of seconds, not \(text).")
    }
    return seconds
  }

  private static func value(
    of option: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    guard let value = rest.popFirst(), !value.isEmpty, !value.hasPrefix("--") else {
      throw UsageError("\(option) needs a value.")
    }
    return value
  }

  /// Checks before the run, so that no figures are lost at its end.
  private static func checkWritable(_ file: String) throws(UsageError) {
    let url = URL(filePath: file)
    let files = FileManager.default
    var isDirectory: ObjCBool = false
    let exists = files.fileExists(atPath: url.path, isDirectory: &isDirectory)
    let folder = url.deletingLastPathComponent().path
    let target = exists ? url.path : folder
    guard !isDirectory.boolValue, files.isWritableFile(atPath: target),
      exists || files.fileExists(atPath: folder)
    else {
      throw UsageError("The file \(file) cannot be written.")
    }
  }
}

/// An invalid command line.
struct UsageError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
