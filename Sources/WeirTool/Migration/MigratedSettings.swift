import GraphQLValidation
import WeirGeneration

/// The settings of a new `weir.json`, and what its author has to know about them.
struct MigratedSettings {
  var namespace = "Schema"
  var access: String?
  var documentation = true
  var schema: [String] = []
  var documents: [String] = []
  var casing: String?
  var manifest: String?
  var remarks: [String] = []

  /// The text of the file.
  var text: String {
    var members = ["\"namespace\": \(namespace.jsonText)"]
    if let access { members.append("\"access\": \(access.jsonText)") }
    if !documentation { members.append("\"documentation\": false") }
    if let casing { members.append("\"casing\": \(casing.jsonText)") }
    if let manifest { members.append("\"manifest\": \(manifest.jsonText)") }
    if !schema.isEmpty { members.append("\"schema\": \(Self.list(schema))") }
    if !documents.isEmpty { members.append("\"documents\": \(Self.list(documents))") }
    return "{\n" + members.map { "  \($0)" }.joined(separator: ",\n") + "\n}\n"
  }

  /// Why a project would refuse the settings, with a path for the message; nil if it accepts them.
  func mistake(_ path: String) -> GenerationFinding? {
    do throws(GenerationFinding) {
      let configuration = try GenerationConfiguration(parsing: text, path: path)
      return Generator(schema: [], documents: [], configuration: configuration).findings.first {
        $0.severity == .error
      }
    } catch {
      return error
    }
  }

  private static func list(_ texts: [String]) -> String {
    "[\(texts.map(\.jsonText).joined(separator: ", "))]"
  }
}
