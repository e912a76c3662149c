/// The document, variables, and scope of an operation in canonical form: the key in the tables of
/// dedup and the caches.
///
/// Two identities are equal if these three are, whatever their hashes: a collision can never serve
/// another operation's data.
package final class OperationIdentity: Sendable {
  /// The canonical text, including the directives that only the cache uses.
  package let text: String
  /// The variables as canonical JSON, an object; `{}` if there are none.
  package let variables: [UInt8]
  /// The endpoint and the declared headers, if there are any.
  package let scope: String?
  package let key: OperationKey

  /// The caller passes the hash of the text, which is computed once per document.
  init(text: String, textHash: UInt64, variables: [UInt8], scope: String?) {
    self.text = text
    self.variables = variables
    self.scope = scope
    var hash = StableHash(seed: textHash)
    hash.combine(variables.span)
    if let scope { hash.combine(scope) }
    key = OperationKey(rawValue: hash.value)
  }

  /// Creates the identity of the same operation in a further scope.
  package convenience init(_ other: OperationIdentity, scope: String) {
    var hash = StableHash()
    hash.combine(other.text)
    self.init(
      text: other.text, textHash: hash.value, variables: other.variables,
      scope: other.scope.map { $0 + scope } ?? scope)
  }

  /// Creates the same identity under a given key, for tests of collisions.
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
