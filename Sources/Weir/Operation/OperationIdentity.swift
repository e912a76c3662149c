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
  private let canonical: CanonicalText
  /// The variables as canonical JSON, an object; `{}` if there are none.
  package let variables: CompactBytes
  // Narrow, because a cache keeps one for each result.
  private let tableHash: UInt32
  private let rare: Shared<Distinction>?

  /// The parts that few operations have beside their text and variables.
  private struct Distinction: Sendable {
    /// The endpoint and the headers, the uploads, or the entity that a fragment reads.
    var scope: String?
    /// The scope without the values of credentials; nil if there are none.
    var stableScope: String?
    /// Whether the uploads are the same in every process.
    var hasLastingUploads = true
    var key: OperationKey?
  }

  /// The caller passes the text with its hashes, which are computed once per document.
  init(
    text: CanonicalText, variables: CompactBytes, scope: String? = nil,
    hasLastingUploads: Bool = true, context: OperationScope? = nil
  ) {
    canonical = text
    self.variables = variables
    if scope == nil, context == nil {
      rare = nil
      tableHash = Self.tableHash(text, variables, nil)
    } else {
      let whole = context.map { (scope ?? "") + $0.text } ?? scope
      let stable = context?.stableText.map { (scope ?? "") + $0 }
      rare = Shared(
        Distinction(scope: whole, stableScope: stable, hasLastingUploads: hasLastingUploads))
      tableHash = Self.tableHash(text, variables, whole)
    }
  }

  /// Creates the identity of an operation without a scope.
  init(text: CanonicalText, plain variables: CompactBytes) {
    canonical = text
    self.variables = variables
    rare = nil
    tableHash = Self.tableHash(text, variables, nil)
  }

  /// Creates the identity of a document whose hashes are not known.
  package convenience init(text: String, variables: CompactBytes, scope: String?) {
    self.init(text: CanonicalText(text), variables: variables, scope: scope)
  }

  /// Creates the identity of the same operation in a further scope.
  package convenience init(_ other: OperationIdentity, scope: String) {
    self.init(
      text: other.canonical, variables: other.variables,
      scope: other.scope.map { $0 + scope } ?? scope)
  }

  /// Creates the same identity under given hashes, for tests of collisions.
  init(_ other: OperationIdentity, key: OperationKey) {
    canonical = other.canonical
    variables = other.variables
    rare = Shared(
      Distinction(
        scope: other.scope, stableScope: other.rare?.value.stableScope,
        hasLastingUploads: other.hasLastingUploads, key: key))
    tableHash = UInt32(truncatingIfNeeded: key.rawValue)
  }

  /// The canonical text, including the directives that only the cache uses.
  package var text: String { canonical.text }

  /// Distinguishes the operation beside its text and variables: the endpoint and the headers,
  /// the uploads, or the entity that a fragment reads.
  package var scope: String? { rare?.value.scope }

  /// The bytes of what it keeps beside the text, which nearly always belongs to the document.
  package var footprint: Int { variables.count + (scope?.utf8.count ?? 0) }

  /// The hash for logs, which has no seed.
  package var key: OperationKey {
    if let key = rare?.value.key { return key }
    var hash = StableHash(seed: canonical.stableHash)
    // Proof: the span is used only within the closure that receives the buffer.
    variables.withBytes { hash.combine(Span(_unsafeElements: $0)) }
    if let scope = rare?.value.stableScope ?? scope { hash.combine(scope) }
    return OperationKey(rawValue: hash.value)
  }

  /// Whether a later process can have an equal identity: with credentials, or with files in memory, it
  /// cannot.
  var isLasting: Bool { rare?.value.stableScope == nil && hasLastingUploads }

  var hasLastingUploads: Bool { rare?.value.hasLastingUploads ?? true }

  private static func tableHash(
    _ text: CanonicalText, _ variables: CompactBytes, _ scope: String?
  ) -> UInt32 {
    var hasher = Hasher()
    hasher.combine(text.tableHash)
    hasher.combine(variables)
    if let scope { hasher.combine(scope) }
    return UInt32(truncatingIfNeeded: hasher.finalize())
  }
}

extension OperationIdentity: Hashable {
  /// Returns whether both stand for the same document, variables, and scope.
  public static func == (left: OperationIdentity, right: OperationIdentity) -> Bool {
    left === right
      || left.tableHash == right.tableHash && left.canonical == right.canonical
        && left.variables == right.variables
        && left.scope.map(ExactString.init) == right.scope.map(ExactString.init)
  }

  /// Feeds a hash with the process's seed into the hasher; costs the same for every operation.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(tableHash)
  }
}

/// A canonical text with its hashes, which are computed once per document.
final class CanonicalText: Sendable, Equatable {
  let text: String
  /// Equal in every process; for logs.
  let stableHash: UInt64
  /// With the process's seed; for tables.
  let tableHash: Int

  init(_ text: String) {
    self.text = text
    var hash = StableHash()
    hash.combine(text)
    stableHash = hash.value
    var hasher = Hasher()
    hasher.combine(text)
    tableHash = hasher.finalize()
  }

  static func == (left: CanonicalText, right: CanonicalText) -> Bool {
    left === right || ExactString(left.text) == ExactString(right.text)
  }
}
