import Foundation
import WeirGeneration
import WeirSupport

/// A file that says from what the generated files were made, so that a run in which nothing has changed
/// ends at once.
///
/// Its first line is a hash of the tool, the arguments and all inputs. A line for each output follows,
/// with a hash of its contents, and then the warnings, so that such a run shows them again.
struct Stamp {
  private let url: URL
  private let inputs: UInt64

  /// Reads the inputs. Nil if the state of the tool is unknown.
  init?(path: String, _ project: GenerationProject) {
    url = URL(fileURLWithPath: path)
    guard let tool = Self.toolState else { return nil }
    var hash = StableHash()
    for argument in [project.sources.root.path] + CommandLine.arguments.dropFirst() + tool {
      hash.combine(argument)
    }
    for path in project.inputs {
      // A file that cannot be read is an error of the run itself.
      guard let contents = Self.hash(ofFile: path) else { return nil }
      hash.combine(path)
      hash.combine(contents)
    }
    self.inputs = hash.value
  }

  /// The warnings of the run that has made the outputs, if they would be made in the same way again
  /// and are all there; otherwise nil.
  func warnings(in folder: URL) -> String? {
    guard let text = FileManager.default.contents(atPath: url.path),
      let lines = String(data: text, encoding: .utf8)?
        .split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false),
      lines.count == 2, lines[0] == "\(inputs)"
    else { return nil }
    let parts = lines[1].split(
      separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    for line in parts[0].split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 1)
      guard words.count == 2,
        let hash = Self.hash(ofFile: folder.appendingPathComponent(String(words[1])).path),
        "\(hash)" == words[0]
      else { return nil }
    }
    return String(parts[1])
  }

  /// Writes the stamp for outputs that were written.
  func write(_ names: [String], in folder: URL, warnings: String) throws(ToolFailure) {
    var text = "\(inputs)\n"
    for name in names {
      guard let hash = Self.hash(ofFile: folder.appendingPathComponent(name).path) else { return }
      text += "\(hash) \(name)\n"
    }
    try WrittenFile.write(text + "\n" + warnings, to: url.path)
  }

  private static func hash(ofFile path: String) -> UInt64? {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    var hash = StableHash()
    data.withUnsafeBytes { bytes in
      // Proof: the span is used only within the closure that receives the buffer.
      hash.combine(Span(_unsafeElements: bytes.bindMemory(to: UInt8.self)))
    }
    return hash.value
  }

  /// Its size and when it was written, which differ between two builds of this tool.
  private static var toolState: [String]? {
    // Build systems start tools by their paths. Without one, the tool is not known, and does its work.
    let path = CommandLine.arguments[0]
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
      let size = attributes[.size], let date = attributes[.modificationDate] as? Date
    else { return nil }
    return [path, "\(size)", "\(date.timeIntervalSinceReferenceDate)"]
  }
}
