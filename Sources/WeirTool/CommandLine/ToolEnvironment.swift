import Foundation
import Weir
import WeirGeneration

/// The tool's view of the system. Tests pass their own, and run the tool within their process.
struct ToolEnvironment: Sendable {
  /// The current folder.
  var folder: String
  /// The environment variables.
  var variables: [String: String] = [:]
  /// Sends the requests of `schema fetch`.
  var transport: any HTTPTransport = URLSessionTransport.shared
  /// Writes data, a line break after it.
  var write: @Sendable (String) -> Void
  /// Writes a diagnostic, a line break after it.
  var report: @Sendable (String) -> Void

  /// The environment of the process: data goes to the standard output, diagnostics to the standard
  /// error.
  static var process: ToolEnvironment {
    ToolEnvironment(
      folder: FileManager.default.currentDirectoryPath,
      variables: ProcessInfo.processInfo.environment,
      write: { FileHandle.standardOutput.write(Data("\($0)\n".utf8)) },
      report: { FileHandle.standardError.write(Data("\($0)\n".utf8)) })
  }

  /// The whole path for one that may be relative to the current folder.
  func path(_ path: String) -> String {
    let url =
      path.hasPrefix("/")
      ? URL(fileURLWithPath: path)
      : URL(fileURLWithPath: folder, isDirectory: true).appendingPathComponent(path)
    return url.standardizedFileURL.path
  }

  /// Writes findings: each as an object of JSON, or as a line of text.
  func report(_ findings: [GenerationFinding], isJSON: Bool) {
    for finding in findings { report(isJSON ? finding.json : finding.description) }
  }

  func fileExists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
}

/// A verb that runs: its arguments, and where its output goes.
struct Invocation: Sendable {
  let arguments: Arguments
  let environment: ToolEnvironment
  /// Whether diagnostics are JSON.
  let isJSON: Bool

  /// Writes diagnostics.
  func report(_ findings: [GenerationFinding]) {
    environment.report(findings, isJSON: isJSON)
  }

  /// Writes a remark for a person, which is not a diagnostic.
  func note(_ text: String) {
    if !isJSON { environment.report(text) }
  }

  /// Writes data to the file that `-o` names, or to the standard output.
  func output(_ text: String) throws(ToolFailure) {
    guard let name = arguments["-o"] else { return environment.write(text) }
    try WrittenFile.write("\(text)\n", to: environment.path(name))
  }
}
