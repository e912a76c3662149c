import Foundation
import GraphQLLanguage
import GraphQLValidation
import WeirGeneration

/// The files that code is generated from.
struct SourceFolder {
  let root: URL
  /// The paths below the root, in the order of their bytes.
  private let schemaPaths: [String]
  private let documentPaths: [String]
  /// The paths of configurations in the folder.
  let configurationPaths: [String]

  /// Finds the files of a folder; with `files`, only those.
  init(_ path: String, files: [String] = []) throws(Failure) {
    root = URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL
    let rootPath = root.path.hasSuffix("/") ? root.path : root.path + "/"
    var paths: [String] = []
    if files.isEmpty {
      guard let found = FileManager.default.enumerator(atPath: root.path) else {
        throw Failure(.files, "\(root.path): error: The folder cannot be read.")
      }
      // Build systems keep copies of packages in hidden folders.
      for case let path as String in found where !("/" + path).contains("/.") { paths.append(path) }
    } else {
      for file in files {
        let path = URL(fileURLWithPath: file).standardizedFileURL.path
        paths.append(path.hasPrefix(rootPath) ? String(path.dropFirst(rootPath.count)) : path)
      }
    }
    paths.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    schemaPaths = paths.filter { $0.hasSuffix(".graphqls") }
    documentPaths = paths.filter { $0.hasSuffix(".graphql") }
    configurationPaths = paths.filter { ("/" + $0).hasSuffix("/weir.json") }
  }

  /// Reads and parses all files. All syntax errors are reported together. A document that defines
  /// types is a part of the schema, too. A module that depends on others need not have a schema.
  func parse(
    needsSchema: Bool = true, showsWholePaths: Bool = false
  ) throws(Failure) -> (schema: [SourceFile], documents: [SourceFile]) {
    let files = try parse(schemaPaths + documentPaths, showsWholePaths)
    let schema = Array(files.prefix(schemaPaths.count))
    let documents = files.dropFirst(schemaPaths.count)
    let definesTypes = { (file: SourceFile) in
      file.document.definitions.contains { !$0.isExecutable }
    }
    let whole = schema + documents.filter(definesTypes)
    guard !whole.isEmpty || !needsSchema else {
      throw Failure(
        .documents, "\(root.path): error: There is no schema: add it as a file *.graphqls.")
    }
    return (
      whole,
      documents.map {
        definesTypes($0) ? SourceFile(path: $0.path, document: Document(definitions: [])) : $0
      }
    )
  }

  /// Parses files on all processor cores.
  private func parse(
    _ paths: [String], _ showsWholePaths: Bool
  ) throws(Failure) -> [SourceFile] {
    var files: [SourceFile] = []
    var errors: [String] = []
    for result in paths.concurrentMap({ parse($0, showsWholePaths) }) {
      switch result {
      case .success(let file): files.append(file)
      case .failure(let failure) where failure.code == .documents: errors.append(failure.message)
      case .failure(let failure): throw failure
      }
    }
    guard errors.isEmpty else { throw Failure(.documents, errors.joined(separator: "\n")) }
    return files
  }

  private func parse(_ path: String, _ showsWholePaths: Bool) -> Result<SourceFile, Failure> {
    let full = fullPath(path)
    return Result { () throws(Failure) in
      let text = try Self.read(full)
      // Messages show the whole path, which Xcode opens; names of files depend on the short one.
      let path = showsWholePaths ? full : path
      if Self.isEmpty(text) { return SourceFile(path: path, document: Document(definitions: [])) }
      do throws(GraphQLSyntaxError) {
        return try SourceFile(path: path, parsing: text)
      } catch {
        throw Failure(
          .documents, "\(full):\(error.line):\(error.column): error: \(error.message)")
      }
    }
  }

  /// Whether a text has comments at most. A new document is empty before its author writes it.
  private static func isEmpty(_ text: String) -> Bool {
    var isComment = false
    for character in text {
      if character.isNewline {
        isComment = false
      } else if !isComment, !character.isWhitespace {
        guard character == "#" else { return false }
        isComment = true
      }
    }
    return true
  }

  /// Reads a text file.
  static func read(_ path: String) throws(Failure) -> String {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw Failure(.files, "\(path): error: The file cannot be read.")
    }
    guard let text = String(data: data, encoding: .utf8) else {
      throw Failure(.documents, "\(path): error: The file is not UTF-8 text.")
    }
    return text
  }

  /// The whole paths of all files that the generated code depends on.
  var inputs: [String] { (configurationPaths + schemaPaths + documentPaths).map(fullPath) }

  /// The place of a file in messages.
  func fullPath(_ path: String) -> String {
    path.hasPrefix("/") ? path : root.appendingPathComponent(path).path
  }
}
