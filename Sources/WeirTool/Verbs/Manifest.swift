import Foundation
import GraphQLLanguage
import GraphQLValidation
import Weir
import WeirGeneration

extension Verb {
  static let manifest = Verb(
    name: "manifest",
    summary:
      "Lists the texts of all operations and their SHA-256, for servers that accept no others.",
    operands: "[FILE or DIR…]",
    options: Project.options + [
      Option(
        name: "-o", value: "FILE",
        help: "the file for the manifest; by default that of the configuration, if it names one"),
      Option(
        name: "--format", value: "FORMAT",
        help: "apollo, or relay: an object of texts by identifier"),
      Option(name: "--force", help: "replace a configured file that is not a manifest, too"),
    ]
  ) { (invocation) throws(ToolFailure) in
    let format = try invocation.arguments.choice("--format", of: ["apollo", "relay"])
    let project = try Project.named(by: invocation)
    let path = invocation.arguments["-o"] == nil ? project.configuration.manifestPath : nil
    guard path == nil || format == "apollo" else {
      throw ToolFailure(
        .usage,
        "The manifest has Apollo's format, which weir generate expects. Name another file for "
          + "--format relay: -o FILE.", path: project.configuration.path)
    }
    let parsed = try project.parse()
    invocation.report(try project.generate(parsed).findings)
    let manifest = try PersistedManifest(parsed, project.configuration)
    let text = try format == "relay" ? manifest.relayText : manifest.apolloText()
    guard let path else { return try invocation.output(text) }
    let file = ManifestFile(path: path, text: text)
    if let foreign = file.foreign, !invocation.arguments.has("--force") {
      throw ToolFailure(.files, [foreign])
    }
    try file.write()
  }
}

/// The manifest that the configuration names.
struct ManifestFile {
  let path: String
  /// Its text, without the last line break.
  let text: String

  /// The manifest in Apollo's format; nil if the configuration names none.
  init?(
    _ configuration: GenerationConfiguration, _ parsed: GenerationProject.Parsed
  ) throws(ToolFailure) {
    guard let path = configuration.manifestPath else { return nil }
    self.init(path: path, text: try PersistedManifest(parsed, configuration).apolloText())
  }

  fileprivate init(path: String, text: String) {
    (self.path, self.text) = (path, text)
  }

  private var contents: Data? { FileManager.default.contents(atPath: path) }

  /// The error for a file that is not as it would be written.
  var difference: GenerationFinding? {
    if contents == Data("\(text)\n".utf8) { return nil }
    return GenerationFinding("The file is not up to date. Generate it again.", path: path)
  }

  /// The error for a file that is not a manifest.
  var foreign: GenerationFinding? {
    guard let contents else { return nil }
    if (try? JSON(parsing: Array(contents)).decode(PersistedManifest.self)) != nil { return nil }
    return GenerationFinding(
      "The file is not a manifest. Rename it, or replace it with --force.", path: path)
  }

  func write() throws(ToolFailure) {
    try WrittenFile.write("\(text)\n", to: path)
  }
}

extension GenerationProject.Parsed {
  /// The findings for operations that the client would refuse to send. The documents are valid, so an
  /// operation is too large with its fragments expanded.
  func refusedOperations(_ configuration: GenerationConfiguration) -> [GenerationFinding] {
    let document = GraphQLDocument(Document(definitions: definitionsAsSent(configuration)))
    return documents.flatMap { file in
      file.document.operations.compactMap { operation -> GenerationFinding? in
        guard let name = operation.name else { return nil }
        do throws(OperationError) {
          _ = try PersistedManifest(hashing: document, names: [name])
          return nil
        } catch {
          return GenerationFinding(
            "The operation cannot be sent: \(error.message)", file, operation.location)
        }
      }
    }
  }
}

extension PersistedManifest {
  /// Makes a manifest of all operations, sorted by name, with the texts that generated types send.
  init(
    _ parsed: GenerationProject.Parsed, _ configuration: GenerationConfiguration
  ) throws(ToolFailure) {
    do throws(OperationError) {
      try self.init(
        hashing: GraphQLDocument(Document(definitions: parsed.definitionsAsSent(configuration))),
        names: parsed.documents.flatMap(\.document.operations).compactMap(\.name).sorted(
          by: \.self))
    } catch {
      throw ToolFailure(
        .documents,
        "The manifest cannot be written, because an operation cannot be sent: \(error.message)")
    }
  }

  fileprivate func apolloText() throws(ToolFailure) -> String {
    do throws(JSONEncodingError) {
      return String(decoding: try JSON.encode(self), as: UTF8.self)
    } catch {
      throw ToolFailure(.documents, "The manifest cannot be written. \(error)")
    }
  }

  fileprivate var relayText: String {
    let members = entries.map { "  \($0.id.jsonText): \($0.text.jsonText)" }
    return members.isEmpty ? "{}" : "{\n\(members.joined(separator: ",\n"))\n}"
  }
}
