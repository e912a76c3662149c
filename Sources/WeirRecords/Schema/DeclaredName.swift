/// A name in the app's configuration, to be compared with the names of the API.
package struct DeclaredName: Hashable, Sendable {
  /// What the name should be a name of.
  package enum Scope: Hashable, Sendable {
    case type
    /// A type, or a group of types.
    case typeOrGroup
    case field(type: String)
    case argument(type: String, field: String)
    /// A field of the root of mutations or subscriptions.
    case mutation
    /// An argument of such a field.
    case mutationArgument(field: String)
  }

  package let name: String
  package let scope: Scope
  /// Where the configuration has it.
  package let place: String

  package init(_ name: String, _ scope: Scope, in place: String) {
    self.name = name
    self.scope = scope
    self.place = place
  }

  /// What it should be a name of, as a part of a sentence.
  package var kind: String {
    switch scope {
    case .type: "type"
    case .typeOrGroup: "type or group"
    case .field(let type): "field of \(type)"
    case .argument(let type, let field): "argument of \(type).\(field)"
    case .mutation: "field of the mutation or subscription root"
    case .mutationArgument(let field): "argument of \(field)"
    }
  }
}
