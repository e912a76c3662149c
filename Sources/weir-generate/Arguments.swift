import WeirGeneration

/// The arguments of the command line.
struct Arguments {
  /// The folder to which the paths of documents are relative.
  var root = "."
  var output: String?
  var configuration: String?
  /// The schema and the documents; empty for all files in the folder.
  var files: [String] = []
  /// Whether the module depends on WeirNormalized; the configuration takes precedence.
  var isNormalized = false
  /// The file with which a run finds that nothing has changed.
  var stamp: String?
  /// The modules that this one depends on, with their folders, as `MODULE=DIR`.
  var dependencies: [String] = []
  /// The files of these modules; all in the folder of one that has none here.
  var dependencyFiles: [String] = []

  static let help = """
    Generates Swift types from a GraphQL schema and documents.

    USAGE: weir-generate --output DIR [--root DIR] [OPTIONS] [FILE…]

      --output DIR   the folder for the generated files
      --root DIR     the folder of the schema (*.graphqls) and the documents (*.graphql);
                     by default, the current folder
      --config FILE  the configuration; by default, the only weir.json in the folder, if there is one
      --normalized-cache
                     also generate what a normalized cache knows, if the configuration does not
                     say whether to do so; the code then needs WeirNormalized
      --dependency MODULE=DIR
                     a module that this one depends on, with its folder; its fragments can be
                     spread
      --dependency-file FILE
                     a file of such a module; by default all in its folder
      --stamp FILE   a file with which the next run finds that nothing has changed
      FILE           the files to use; by default, all in the folder
      --help         show this text

    EXIT CODES: 0 fine, 1 errors in the schema or the documents, 2 wrong arguments or configuration,
    3 a file cannot be read or written.
    """

  /// Parses the arguments.
  init(_ arguments: some Sequence<String>) throws(ToolFailure) {
    var rest = arguments.makeIterator()
    while let argument = rest.next() {
      switch argument {
      case "--output": output = try Self.value(of: argument, rest.next())
      case "--root": root = try Self.value(of: argument, rest.next())
      case "--config":
        guard configuration == nil else {
          throw ToolFailure(.usage, "--config can be given only once.")
        }
        configuration = try Self.value(of: argument, rest.next())
      case "--stamp": stamp = try Self.value(of: argument, rest.next())
      case "--dependency": dependencies.append(try Self.value(of: argument, rest.next()))
      case "--dependency-file":
        dependencyFiles.append(try Self.value(of: argument, rest.next()))
      case "--normalized-cache": isNormalized = true
      case _ where argument.hasPrefix("-"):
        throw ToolFailure(.usage, "Unknown argument \"\(argument)\". See weir-generate --help.")
      default: files.append(argument)
      }
    }
  }

  private static func value(of name: String, _ value: String?) throws(ToolFailure) -> String {
    guard let value, !value.isEmpty else { throw ToolFailure(.usage, "\(name) needs a value.") }
    return value
  }
}
