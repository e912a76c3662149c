/// What an operation asks for, in canonical form: what the tables of dedup and the caches are
/// keyed by.
///
/// Two identities are equal if text, variables and scope are, whatever their hashes say; so a
/// collision can never serve another operation's data.
package final class OperationIdentity: Sendable {
  /// The canonical text, with the directives that only the cache heeds.
  package let text: String
  /// The variables as canonical JSON, an object; `{}` if there are none.
  package let variables: [UInt8]
  /// Endpoint and declared headers, if there are any.
  package let scope: String?
  package let key: OperationKey

  /// The hash of the text is computed once per document, and so is given.
  init(text: String, textHash: UInt64, variables: [UInt8], scope: String?) {
    self.text = text
    self.variables = variables
    self.scope = scope
    var hash = StableHash(seed: textHash)
    hash.combine(variables.span)
    if let scope { hash.combine(scope) }
    key = OperationKey(rawValue: hash.value)
  }

  /// The same, asked of something else.
  package convenience init(_ other: OperationIdentity, scope: String) {
    var hash = StableHash()
    hash.combine(other.text)
    self.init(
      text: other.text, textHash: hash.value, variables: other.variables,
      scope: other.scope.map { $0 + scope } ?? scope)
  }

  /// The same identity under a key of the caller's choice: for tests of collisions.
  package init(_ other: OperationIdentity, key: OperationKey) {
    text = other.text
    variables = other.variables
    scope = other.scope
    self.key = key
  }
}

extension OperationIdentity: Hashable {
  package static func == (left: OperationIdentity, right: OperationIdentity) -> Bool {
    left === right
      || left.key == right.key && ExactString(left.text) == ExactString(right.text)
        && left.variables == right.variables && left.scope == right.scope
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(key.rawValue)
  }
}
