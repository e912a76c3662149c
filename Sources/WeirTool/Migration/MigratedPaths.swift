import WeirGeneration

/// The paths of a file of settings, as they are relative to the folder of a new `weir.json`.
struct MigratedPaths {
  /// The names of the folders from the root of the file system to that of the file.
  private let source: [Substring]
  /// The same for the folder of the new file.
  private let root: [Substring]

  /// Both are whole paths.
  init(file: String, root: String) {
    source = file.split(separator: "/").dropLast()
    self.root = root.split(separator: "/")
  }

  /// Returns the path from the folder of the new file.
  func relative(_ path: String) -> String {
    let names = resolved(path)
    let common = zip(names, root).prefix { $0 == $1 }.count
    return (root.dropFirst(common).map { _ in ".." } + names.dropFirst(common))
      .joined(separator: "/")
  }

  /// Returns patterns for the files below the folder of the new file that a pattern matches; none if
  /// there cannot be any.
  func below(_ pattern: String) -> [String] {
    Self.rest(of: resolved(pattern)[...], below: root[...]).map { $0.joined(separator: "/") }
  }

  /// The whole path, without names of this folder and the one above.
  private func resolved(_ path: String) -> [Substring] {
    var names = path.hasPrefix("/") ? [] : source
    for name in path.split(separator: "/") where name != "." {
      if name == ".." { _ = names.popLast() } else { names.append(name) }
    }
    return names
  }

  /// The rest of a pattern behind the names of a folder. A `**` may stand for some of these, and
  /// for more.
  private static func rest(
    of pattern: ArraySlice<Substring>, below folder: ArraySlice<Substring>
  ) -> [ArraySlice<Substring>] {
    guard let first = pattern.first else { return [] }
    guard let name = folder.first else { return [pattern] }
    if first == "**" {
      let shorter = rest(of: pattern.dropFirst(), below: folder)
      let longer = rest(of: pattern, below: folder.dropFirst())
      return longer + shorter.filter { !longer.contains($0) }
    }
    guard FilePattern(stringLiteral: String(first)).matches(String(name)) else { return [] }
    return rest(of: pattern.dropFirst(), below: folder.dropFirst())
  }
}
