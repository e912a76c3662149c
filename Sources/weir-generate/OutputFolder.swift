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
        .map { !$0.elementsEqual(file.text.utf8) } ?? true
    }
  }

  /// Writes files, each under another name first, so that no reader sees half of it.
  func write(_ files: [GeneratedFile]) throws(Failure) {
    do {
      if !files.isEmpty {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      }
      for file in files {
        try Data(file.text.utf8).write(to: url.appendingPathComponent(file.name), options: .atomic)
      }
    } catch {
      throw Failure(.files, "\(url.path): error: \(error.localizedDescription)")
    }
  }
}
