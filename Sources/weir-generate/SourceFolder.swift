import Foundation
import GraphQLLanguage
import GraphQLValidation

/// The files that code is generated from.
struct SourceFolder {
  let root: URL
  /// The paths below the root, in the order of their bytes.
  private let schemaPaths: [String]
  private let documentPaths: [String]
  /// The paths of configurations in the folder.
  let configurationPaths: [String]

  init(_ arguments: Arguments) throws(Failure) {
    root = URL(fileURLWithPath: arguments.root, isDirectory: true).standardizedFileURL
    let rootPath = root.path.hasSuffix("/") ? root.path : root.path + "/"
    var paths: [String] = []
    if arguments.files.isEmpty {
      guard let found = FileManager.default.enumerator(atPath: root.path) else {
        throw Failure(.files, "\(root.path): error: The folder cannot be read.")
      }
      // Build systems keep copies of packages in hidden folders.
      for case let path as String in found where !("/" + path).contains("/.") { paths.append(path) }
    } else {
      for file in arguments.files {
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
    var errors: [String] = []
    let schema = try parse(schemaPaths, showsWholePaths, &errors)
    let documents = try parse(documentPaths, showsWholePaths, &errors)
    guard errors.isEmpty else { throw Failure(.documents, errors.joined(separator: "\n")) }
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

  private func parse(
    _ paths: [String], _ showsWholePaths: Bool, _ errors: inout [String]
  ) throws(Failure) -> [SourceFile] {
    var files: [SourceFile] = []
    for path in paths {
      let full = fullPath(path)
      let path = showsWholePaths ? full : path
      let text = try Self.read(full)
      do throws(GraphQLSyntaxError) {
        // Messages show the whole path, which Xcode opens; names of files depend on the short one.
        files.append(
          Self.isEmpty(text)
            ? SourceFile(path: path, document: Document(definitions: []))
            : try SourceFile(path: path, parsing: text))
      } catch {
        errors.append("\(full):\(error.line):\(error.column): error: \(error.message)")
      }
    }
    return files
  }

  /// Whether a text has comments at most. A new document is empty before its author writes it.
  private static func isEmpty(_ text: String) -> Bool {
    text.split(whereSeparator: \.isNewline).allSatisfy { line in
      line.first { !$0.isWhitespace }.map { $0 == "#" } ?? true
    }
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

  /// The place of a file in messages.
  func fullPath(_ path: String) -> String {
    path.hasPrefix("/") ? path : root.appendingPathComponent(path).path
  }
}
