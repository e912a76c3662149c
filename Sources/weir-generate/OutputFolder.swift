import Foundation
import WeirGeneration

/// The folder of the generated files.
struct OutputFolder {
  let url: URL

  init(path: String) {
    url = URL(fileURLWithPath: path, isDirectory: true)
  }

  /// Returns the files that differ from those in the folder, or are missing there.
  func changed(_ files: [GeneratedFile]) -> [GeneratedFile] {
    files.filter { file in
      FileManager.default.contents(atPath: url.appendingPathComponent(file.name).path)
        .map { $0 != Data(file.text.utf8) } ?? true
    }
  }

  /// Does something while no other run of the tool does it with the same folder, which is created.
  func locked(_ body: () throws(Failure) -> Void) throws(Failure) {
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      throw Failure(.files, "\(url.path): error: \(error.localizedDescription)")
    }
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Failure(.files, "\(url.path): error: The folder cannot be opened.")
    }
    // The system ends the lock with this process, however it ends. Where a folder cannot be locked, each
    // file is still replaced as a whole.
    flock(descriptor, LOCK_EX)
    defer { close(descriptor) }
    try body()
  }

  /// Writes files, each under another name first, so that no reader sees half of it.
  func write(_ files: [GeneratedFile]) throws(Failure) {
    do {
      for file in files {
        try Data(file.text.utf8).write(to: url.appendingPathComponent(file.name), options: .atomic)
      }
    } catch {
      throw Failure(.files, "\(url.path): error: \(error.localizedDescription)")
    }
  }
}
