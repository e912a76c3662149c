package import Foundation

/// The folder of the generated files.
package struct OutputFolder {
  package let url: URL

  package init(path: String) {
    url = URL(fileURLWithPath: path, isDirectory: true)
  }

  package func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  private func contents(_ name: String) -> Data? {
    FileManager.default.contents(atPath: path(name))
  }

  /// Returns the files that differ from those in the folder, or are missing there.
  package func changed(_ files: [GeneratedFile]) -> [GeneratedFile] {
    files.filter { contents($0.name) != Data($0.text.utf8) }
  }

  /// Returns the names of generated files in the folder that are not among the given ones, because
  /// their documents were renamed or removed.
  package func stale(_ files: [GeneratedFile]) -> [String] {
    let current = Set(files.map(\.name))
    let lowerCase = Dictionary(
      files.map { ($0.name.lowercased(), $0.name) }, uniquingKeysWith: { first, _ in first })
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    return names.filter { name in
      guard name.hasSuffix(".swift"), !current.contains(name), isGenerated(name) else {
        return false
      }
      // The volume may not distinguish capital letters: then this is the current file.
      return lowerCase[name.lowercased()].map { !isSameFile($0, name) } ?? true
    }.sorted()
  }

  private func isSameFile(_ first: String, _ second: String) -> Bool {
    var (one, other) = (stat(), stat())
    return stat(path(first), &one) == 0 && stat(path(second), &other) == 0
      && one.st_ino == other.st_ino && one.st_dev == other.st_dev
  }

  /// Returns those of the files that would replace one that was not generated.
  package func foreign(_ files: [GeneratedFile]) -> [GeneratedFile] {
    files.filter { FileManager.default.fileExists(atPath: path($0.name)) && !isGenerated($0.name) }
  }

  private func isGenerated(_ name: String) -> Bool {
    contents(name).map(FileText.isGenerated) ?? false
  }

  /// Does something while no other run of the tool does it with the same folder, which is created.
  package func locked(_ body: () throws(ToolFailure) -> Void) throws(ToolFailure) {
    try WrittenFile.createFolder(url.path)
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw ToolFailure(.files, "The folder cannot be opened.", path: url.path)
    }
    // The system ends the lock with this process, however it ends. Where a folder cannot be locked, each
    // file is still replaced as a whole.
    flock(descriptor, LOCK_EX)
    defer { close(descriptor) }
    try body()
  }

  /// Writes files, each under another name first, so that no reader sees half of it.
  package func write(_ files: [GeneratedFile]) throws(ToolFailure) {
    for file in files { try WrittenFile.write(file.text, to: path(file.name)) }
  }

  /// Removes files of the folder.
  package func remove(_ names: [String]) throws(ToolFailure) {
    for name in names { try WrittenFile.remove(path(name)) }
  }

  /// Returns an error for each file that is not as it would be generated.
  package func check(_ files: [GeneratedFile]) -> [GenerationFinding] {
    changed(files).map {
      GenerationFinding("The file is not up to date. Generate it again.", path: path($0.name))
    }
  }
}
