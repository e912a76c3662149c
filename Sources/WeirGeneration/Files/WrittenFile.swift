import Foundation

/// Writes and removes files. A failure says what is in the way.
package enum WrittenFile {
  /// Writes a file as a whole, so that no reader sees half of it, and creates its folder. The file that a
  /// link leads to is written, not the link, and keeps its permissions. One that has the same contents
  /// is not touched.
  ///
  /// A pipe or a device stays what it is: the data goes into it.
  package static func write(_ text: String, to path: String) throws(ToolFailure) {
    let data = Data(text.utf8)
    switch kind(of: path) {
    case nil:
      try createFolder(URL(fileURLWithPath: path).deletingLastPathComponent().path)
      try replace(path, with: data, permissions: nil)
    case S_IFDIR:
      throw ToolFailure(
        .files, "A folder has this name. Rename it, or name another file.", path: path)
    case S_IFREG:
      let manager = FileManager.default
      if manager.contents(atPath: path) == data { return }
      let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
      let attributes = try? manager.attributesOfItem(atPath: file)
      try replace(file, with: data, permissions: attributes?[.posixPermissions])
    default: try send(data, to: path)
    }
  }

  /// Creates a folder and those around it.
  static func createFolder(_ path: String) throws(ToolFailure) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      var url = URL(fileURLWithPath: path)
      while kind(of: url.path) == nil, url.path != "/" { url = url.deletingLastPathComponent() }
      let message =
        if kind(of: url.path) != S_IFDIR {
          "A folder is needed here, but a file has its name. Rename it, or name another folder."
        } else if !FileManager.default.isWritableFile(atPath: url.path) {
          "The folder permits no writing. Change its permissions, or name another folder."
        } else {
          "The folder \(path) cannot be created. \(error.localizedDescription)"
        }
      throw ToolFailure(.files, message, path: url.path)
    }
  }

  /// Removes a file.
  static func remove(_ path: String) throws(ToolFailure) {
    do {
      try FileManager.default.removeItem(at: URL(fileURLWithPath: path))
    } catch {
      throw failure("The file cannot be removed", error, path)
    }
  }

  /// The kind of the file that a path leads to; nil without one.
  private static func kind(of path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  private static func replace(
    _ path: String, with data: Data, permissions: Any?
  ) throws(ToolFailure) {
    do {
      try data.write(to: URL(fileURLWithPath: path), options: .atomic)
      if let permissions {
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
      }
    } catch {
      throw failure("The file cannot be written", error, path)
    }
  }

  private static func send(_ data: Data, to path: String) throws(ToolFailure) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw ToolFailure(
        .files, "The file cannot be opened for writing. Name another one.", path: path)
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      try handle.write(contentsOf: data)
    } catch {
      throw ToolFailure(
        .files, "Not all of the data was written. \(error.localizedDescription)", path: path)
    }
  }

  /// The failure for a file whose folder may permit no changes.
  private static func failure(_ message: String, _ error: any Error, _ path: String) -> ToolFailure
  {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let reason =
      FileManager.default.isWritableFile(atPath: folder)
      ? ". \(error.localizedDescription)"
      : ", because its folder permits no changes. Change the folder's permissions, or name another one."
    return ToolFailure(.files, message + reason, path: path)
  }
}
