import Foundation

extension SourceFolder {
  /// The ends of the names of files that can be sources of a project.
  package static let endings: Set = ["graphql", "graphqls", "json"]

  /// The whole paths of the files in a folder, without those of hidden folders, such as `.build`, and of
  /// links to folders: no file has two paths, and no search is endless.
  ///
  /// - Throws: a failure for the first folder that cannot be read.
  package static func files(
    in folder: String, endings: Set<String> = endings
  ) throws(ToolFailure) -> [String] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw ToolFailure(.files, "The folder cannot be read.", path: folder)
    }
    var files: [String] = []
    for name in names.sorted() where !name.hasPrefix(".") {
      let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      if isFolder(path) {
        if !isLink(path) { files += try self.files(in: path, endings: endings) }
      } else if hasEnding(path, endings) {
        files.append(path)
      }
    }
    return files
  }

  package static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  package static func hasEnding(_ path: String, _ endings: Set<String>) -> Bool {
    endings.contains { path.hasSuffix(".\($0)") }
  }

  private static func isLink(_ path: String) -> Bool {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
  }
}
