import GraphQLLanguage
import GraphQLValidation
import Weir
import WeirGeneration

extension Verb {
  static let manifest = Verb(
    name: "manifest",
    summary:
      "Lists the texts of all operations and their SHA-256, for servers that accept no others.",
    operands: "[FILE…]",
    options: Project.options + [
      Option(name: "-o", value: "FILE", help: "the file for the manifest"),
      Option(
        name: "--format", value: "FORMAT",
        help: "apollo, or relay: an object of texts by identifier"),
    ]
  ) { (invocation) throws(ToolFailure) in
    let format = try invocation.arguments.choice("--format", of: ["apollo", "relay"])
    let project = try Project(invocation)
    let (_, findings) = try project.generate()
    invocation.report(findings)
    let documents = try project.sources.parse(project.configuration).documents
    let manifest = PersistedManifest(documents.map(\.document))
    try invocation.output(format == "relay" ? manifest.relayText : manifest.apolloText())
  }
}

extension PersistedManifest {
  /// Makes a manifest of all operations, sorted by name, with the texts that generated types send.
  init(_ documents: [Document]) {
    let definitions = documents.flatMap(\.definitions).filter(\.isExecutable).map(\.asSent)
    let all = Document(definitions: definitions)
    self.init(
      hashing: GraphQLDocument(all), names: all.operations.compactMap(\.name).sorted(by: \.self))
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
