import Foundation
import WeirGeneration

extension ToolEnvironment {
  /// The ends of the names of files that can be sources of a project.
  static let sourceEndings: Set = ["graphql", "graphqls", "json"]

  /// Finds the files that arguments name: files themselves, or folders with files.
  ///
  /// - Returns: the whole path of each file, once.
  /// - Throws: a failure for a path without a file, a file with another ending, and a folder without
  ///   files, none of which an author names on purpose.
  func sources(
    _ names: [String], endings: Set<String>
  ) throws(ToolFailure) -> [String] {
    let known = endings.sorted().map { "*.\($0)" }.joined(separator: ", ")
    var found: [String] = []
    for path in names.map(self.path) {
      guard fileExists(path) else {
        throw ToolFailure(.files, "The file cannot be read.", path: path)
      }
      let files = isFolder(path) ? try files(in: path, endings: endings) : [path]
      guard !files.isEmpty else {
        throw ToolFailure(.documents, "The folder has no files of the kind \(known).", path: path)
      }
      guard files.allSatisfy({ Self.hasEnding($0, endings) }) else {
        throw ToolFailure(.usage, "Only files \(known) can be read. Rename the file.", path: path)
      }
      found += files
    }
    var seen: Set<String> = []
    return found.filter { seen.insert($0).inserted }
  }

  /// The whole paths of the files in a folder, without those of hidden folders and of links to folders,
  /// so that no file has two paths and no search is endless.
  ///
  /// - Throws: a failure for the first folder that cannot be read.
  func files(
    in folder: String, endings: Set<String> = sourceEndings
  ) throws(ToolFailure) -> [String] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw ToolFailure(.files, "The folder cannot be read.", path: folder)
    }
    var files: [String] = []
    for name in names.sorted() where !name.hasPrefix(".") {
      let path = "\(folder)/\(name)"
      if isFolder(path) {
        if !isLink(path) { files += try self.files(in: path, endings: endings) }
      } else if Self.hasEnding(name, endings) {
        files.append(path)
      }
    }
    return files
  }

  private static func hasEnding(_ path: String, _ endings: Set<String>) -> Bool {
    endings.contains { path.hasSuffix(".\($0)") }
  }

  private func isLink(_ path: String) -> Bool {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
  }
}
