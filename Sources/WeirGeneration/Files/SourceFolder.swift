package import Foundation

/// The files that code is generated from.
package struct SourceFolder {
  package let root: URL
  /// The paths below the root of all files that can be sources, in the order of their bytes.
  let paths: [String]
  /// What to do besides, in messages about files that are missing.
  let hint: String

  /// Finds the files of a folder.
  ///
  /// - Parameters:
  ///   - root: the folder to which the paths of documents are relative.
  ///   - files: the files to use; if empty, all in the folder, without hidden folders.
  ///   - hint: what to do besides, in messages about files that are missing.
  /// - Throws: a failure for a folder that cannot be read.
  init(root: String, files: [String], hint: String = "") throws(ToolFailure) {
    self.hint = hint
    self.root = URL(fileURLWithPath: root, isDirectory: true).standardizedFileURL
    let rootPath = Self.prefix(self.root.path)
    let wholePaths =
      files.isEmpty
      ? try Self.files(in: self.root.path)
      : files.map { URL(fileURLWithPath: $0).standardizedFileURL.path }
    let paths = wholePaths.map {
      $0.hasPrefix(rootPath) ? String($0.dropFirst(rootPath.count)) : $0
    }
    self.paths = paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The beginning of all paths in a folder.
  private static func prefix(_ folder: String) -> String {
    folder.hasSuffix("/") ? folder : folder + "/"
  }

  /// The place of a file in messages, which Xcode opens.
  package func fullPath(_ path: String) -> String {
    path.hasPrefix("/") ? path : root.appendingPathComponent(path).path
  }

  /// Reads a text file. If it is not text, the failure has the given code.
  package static func read(
    _ path: String, notText: ToolFailure.Code = .documents
  ) throws(ToolFailure) -> String {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw ToolFailure(.files, "The file cannot be read.", path: path)
    }
    guard let text = String(data: data, encoding: .utf8) else {
      throw ToolFailure(notText, "The file is not UTF-8 text.", path: path)
    }
    return text
  }
}

// MARK: - Configuration

extension SourceFolder {
  static func isConfiguration(_ path: String) -> Bool {
    path == "weir.json" || path.hasSuffix("/weir.json")
  }

  /// Returns a path that was given, otherwise the only `weir.json` of the folder; nil if there is none.
  func configurationPath(_ named: String?) throws(ToolFailure) -> String? {
    if let named { return named }
    let found = paths.filter(Self.isConfiguration)
    guard found.count < 2 else {
      throw ToolFailure(
        .usage,
        "The folder has several configurations: \(found.joined(separator: ", ")). Keep one, or choose "
          + "one with --config, and its documents with --root.", path: root.path)
    }
    return found.first.map(fullPath)
  }

  /// Returns the configuration for files that do not contain one: the nearest `weir.json` in the folders
  /// from each file up to the root; nil if there is none.
  package static func configuration(
    around files: [String], root: String
  ) throws(ToolFailure) -> String? {
    if files.contains(where: isConfiguration) { return nil }
    let rootPrefix = prefix(root)
    var found: Set<String> = []
    for start in Set(files.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }) {
      let folders = sequence(first: start) { folder in
        folder.path.hasPrefix(rootPrefix) && folder.path != root
          ? folder.deletingLastPathComponent() : nil
      }
      let paths = folders.lazy.map { prefix($0.path) + "weir.json" }
      if let path = paths.first(where: FileManager.default.fileExists) { found.insert(path) }
    }
    guard found.count < 2 else {
      throw ToolFailure(
        .usage,
        "The files have several configurations: \(found.sorted().joined(separator: ", ")). Choose one "
          + "with --config.", path: root)
    }
    return found.first
  }

  /// Reads a configuration; without a path, the default one.
  static func configuration(
    _ path: String?
  ) throws(ToolFailure) -> GenerationConfiguration {
    guard let path else { return GenerationConfiguration() }
    let text = try read(path, notText: .usage)
    do throws(GenerationFinding) {
      // The whole path: others are relative to the folder of the documents.
      return try GenerationConfiguration(
        parsing: text, path: URL(fileURLWithPath: path).standardizedFileURL.path)
    } catch {
      throw ToolFailure(.usage, [error])
    }
  }
}

extension GenerationConfiguration {
  /// The whole path of the manifest; nil without one.
  package var manifestPath: String? {
    manifest.map {
      URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent($0)
        .standardizedFileURL.path
    }
  }
}
