import Foundation

/// What the command line asks for.
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
    Measures what Weir is for, beside work that everybody knows.

    swift run -c release Benchmarks [options]

      --filter TEXT     only the case of that name, or those whose name contains TEXT; may be
                        given several times
      --quick           a run of under 20 seconds, without the slowest cases; its figures are rough
      --list            names the cases, and measures nothing
      --json FILE       writes the figures to FILE
      --compare FILE    compares with figures that --json has written before
      --plot FILE.svg   draws the figures: bars, and cost against size
      --profile SECONDS runs each case for so long and measures nothing, for perf or valgrind
      --help            this text

    It ends with 1 if an answer is wrong or a budget of allocations is passed, with 64 if the
    options are wrong.
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
      default: throw UsageError("There is no option \(argument).")
      }
    }
    for file in [jsonFile, plotFile].compactMap({ $0 }) { try Self.checkWritable(file) }
    if let plotFile, !plotFile.hasSuffix(".svg") {
      throw UsageError("--plot draws SVG, so the name of its file has to end in .svg.")
    }
  }

  /// Whether a case is asked for, among all that there are.
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
    guard value == nil else { throw UsageError("\(option) is given twice.") }
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

  /// Before the run, so that its figures are not lost at its end.
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
      throw UsageError("\(file) cannot be written.")
    }
  }
}

/// The command line is wrong.
struct UsageError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
