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
    let project = try Project.named(by: invocation)
    let parsed = try project.parse()
    invocation.report(try project.generate(parsed).findings)
    let manifest = PersistedManifest(
      parsed.documents.map(\.document),
      spreading: parsed.modules.flatMap(\.documents).map(\.document))
    try invocation.output(format == "relay" ? manifest.relayText : manifest.apolloText())
  }
}

extension PersistedManifest {
  /// Makes a manifest of all operations, sorted by name, with the texts that generated types send.
  /// They may spread fragments of the modules below.
  init(_ documents: [Document], spreading below: [Document] = []) {
    let fragments = below.flatMap(\.fragments).map(Definition.fragment)
    let definitions = documents.flatMap(\.definitions).filter(\.isExecutable) + fragments
    self.init(
      hashing: GraphQLDocument(Document(definitions: definitions.map(\.asSent))),
      names: documents.flatMap(\.operations).compactMap(\.name).sorted(by: \.self))
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
