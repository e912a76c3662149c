/// What an operation asks for, as the key of a table: the document, the variables, and the scope in
/// canonical form.
///
/// ```swift
/// var lastErrors: [OperationIdentity: OperationError] = [:]
/// lastErrors[operation.identity] = result.error
/// ```
///
/// The scope consists of the context's endpoint and those of its headers that are not neutral
/// (``HeaderRules``). Dedup and the caches use the same key.
///
/// Two identities are equal if these three are, whatever their hashes: a collision can never serve
/// another operation's data. Tables use a hash with the process's seed, so nobody who chooses
/// documents or variables can choose which operations collide. For logs and file names, use
/// ``OperationKey``.
///
/// The session is not part of it: an exchange must keep the results of different sessions apart.
public final class OperationIdentity: Sendable {
  /// The canonical text, including the directives that only the cache uses.
  package let text: String
  /// The variables as canonical JSON, an object; `{}` if there are none.
  package let variables: [UInt8]
  /// What distinguishes the operation beside its text and variables: the endpoint and the headers,
  /// the lengths of uploads, or the entity that a fragment reads.
  package let scope: String?
  /// The part of the scope that is the same in every process; nil if all of it is.
  private let stableScope: String?
  private let hashes: TextHashes
  private let tableHash: Int
  private let givenKey: OperationKey?

  /// The caller passes the hashes of the text, which are computed once per document.
  init(
    text: String, hashes: TextHashes, variables: [UInt8], scope: String? = nil,
    context: OperationScope? = nil
  ) {
    self.text = text
    self.hashes = hashes
    self.variables = variables
    self.scope = context.map { (scope ?? "") + $0.text } ?? scope
    stableScope = context?.stableText.map { (scope ?? "") + $0 }
    givenKey = nil
    tableHash = Self.tableHash(hashes, variables, self.scope)
  }

  /// Creates the identity of a document whose hashes are not known.
  package convenience init(text: String, variables: [UInt8], scope: String?) {
    self.init(text: text, hashes: TextHashes(text), variables: variables, scope: scope)
  }

  /// Creates the identity of the same operation in a further scope.
  package convenience init(_ other: OperationIdentity, scope: String) {
    self.init(
      text: other.text, hashes: other.hashes, variables: other.variables,
      scope: other.scope.map { $0 + scope } ?? scope)
  }

  /// Creates the same identity under given hashes, for tests of collisions.
  package init(_ other: OperationIdentity, key: OperationKey) {
    text = other.text
    hashes = other.hashes
    variables = other.variables
    scope = other.scope
    stableScope = other.stableScope
    givenKey = key
    tableHash = Int(truncatingIfNeeded: key.rawValue)
  }

  /// The hash for logs, which has no seed.
  package var key: OperationKey {
    if let givenKey { return givenKey }
    var hash = StableHash(seed: hashes.stable)
    variables.withUnsafeBufferPointer { hash.combine($0.span) }
    if let scope = stableScope ?? scope { hash.combine(scope) }
    return OperationKey(rawValue: hash.value)
  }

  /// Whether a later process can have an equal identity: one with credentials, it cannot.
  package var isLasting: Bool { stableScope == nil }

  private static func tableHash(
    _ hashes: TextHashes, _ variables: [UInt8], _ scope: String?
  ) -> Int {
    var hasher = Hasher()
    hasher.combine(hashes.table)
    // Proof: the pointer is used only within the closure that receives it.
    variables.withUnsafeBytes { hasher.combine(bytes: $0) }
    if let scope { hasher.combine(scope) }
    return hasher.finalize()
  }
}

extension OperationIdentity: Hashable {
  /// Returns whether both stand for the same document, variables, and scope.
  public static func == (left: OperationIdentity, right: OperationIdentity) -> Bool {
    left === right
      || left.tableHash == right.tableHash && ExactString(left.text) == ExactString(right.text)
        && left.variables == right.variables && left.scope == right.scope
  }

  /// Feeds a hash with the process's seed into the hasher; costs the same for every operation.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(tableHash)
  }
}

/// The hashes of a canonical text, computed once per document.
struct TextHashes: Sendable {
  /// Equal in every process; for logs.
  let stable: UInt64
  /// With the process's seed; for tables.
  let table: Int

  init(_ text: String) {
    var hash = StableHash()
    hash.combine(text)
    stable = hash.value
    var hasher = Hasher()
    hasher.combine(text)
    table = hasher.finalize()
  }
}
