import WeirGeneration

extension ToolEnvironment {
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
      let files =
        SourceFolder.isFolder(path)
        ? try SourceFolder.files(in: path, endings: endings) : [path]
      guard !files.isEmpty else {
        throw ToolFailure(.documents, "The folder has no files of the kind \(known).", path: path)
      }
      guard files.allSatisfy({ SourceFolder.hasEnding($0, endings) }) else {
        throw ToolFailure(.usage, "Only files \(known) can be read. Rename the file.", path: path)
      }
      found += files
    }
    var seen: Set<String> = []
    return found.filter { seen.insert($0).inserted }
  }
}
