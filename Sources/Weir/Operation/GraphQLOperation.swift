/// An operation with its variables, and the settings for one execution of it.
///
/// A value, cheap to copy. Document and variables never change; each exchange of the chain may
/// change the ``context``.
public struct GraphQLOperation: Sendable {
  /// The settings of this execution.
  public var context: OperationContext

  package let prepared: PreparedOperation
  private let unscoped: OperationIdentity
  /// The files among the variables; nil instead of an empty array, which costs more to copy.
  private let placedUploads: [PlacedUpload]?
  /// The reason why this operation cannot be executed although its document can.
  private var ownDefect: OperationError?

  /// Creates an operation with variables in literal form, or without variables.
  ///
  /// ```swift
  /// GraphQLOperation("query Post($id: ID!) { post(id: $id) { title } }", variables: ["id": "1"])
  /// ```
  ///
  /// If the document does not parse, or has several operations and `name` is nil, the result of
  /// executing the operation is an error.
  ///
  /// - Parameters:
  ///   - document: the operation, with the fragments that it uses.
  ///   - name: the name of the operation, if the document has several.
  ///   - variables: an object; a missing variable and null are different.
  ///   - context: the settings of the execution.
  public init(
    _ document: GraphQLDocument, name: String? = nil, variables: JSONValue = [:],
    context: OperationContext = OperationContext()
  ) {
    self.init(document.prepared(for: name), context) { () throws(OperationError) in
      try CanonicalVariables.encode(variables)
    }
  }

  /// Creates an operation with variables that are encoded from a value of your own.
  ///
  /// If encoding fails, the result of executing the operation is an error with the code
  /// ``OperationError/Code/variables``.
  public init(
    _ document: GraphQLDocument, name: String? = nil, variables: some Encodable & Sendable,
    context: OperationContext = OperationContext()
  ) {
    let prepared = document.prepared(for: name)
    self.init(prepared, context) { () throws(OperationError) in
      try CanonicalVariables.encode(variables, with: prepared.spareEncoding)
    }
  }

  init(
    _ prepared: PreparedOperation, _ context: OperationContext,
    encode: () throws(OperationError) -> CanonicalVariables
  ) {
    self.context = context
    self.prepared = prepared
    do throws(OperationError) {
      let variables = try encode()
      placedUploads = variables.uploads.isEmpty ? nil : variables.uploads
      unscoped =
        variables.isEmpty
        ? prepared.withoutVariables
        : OperationIdentity(
          text: prepared.identityText, textHash: prepared.textHash, variables: variables.bytes,
          scope: variables.uploads.scope)
    } catch {
      ownDefect = error
      placedUploads = nil
      unscoped = prepared.withoutVariables
    }
  }

  /// Creates the same operation under a given key, for tests of collisions.
  package init(_ other: GraphQLOperation, key: OperationKey) {
    context = other.context
    prepared = other.prepared
    placedUploads = other.placedUploads
    ownDefect = other.ownDefect
    unscoped = OperationIdentity(other.unscoped, key: key)
  }
}

extension GraphQLOperation {
  /// The kinds of operations.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// It reads.
    case query
    /// It writes, then reads.
    case mutation
    /// It reads on every event, until the consumer leaves.
    case subscription
  }

  /// Query, mutation or subscription.
  @inline(__always)
  public var kind: Kind { prepared.kind }

  /// Makes the operation fail unless it is of this kind.
  @usableFromInline
  mutating func require(_ kind: Kind) {
    guard prepared.kind != kind, defect == nil else { return }
    ownDefect = .document(
      "The document's operation is a \(prepared.kind.rawValue), not a \(kind.rawValue).")
  }

  /// The reason why the operation cannot be executed; the client delivers it as the result.
  package var defect: OperationError? { prepared.defect ?? ownDefect }

  /// The files among the variables.
  package var uploads: [PlacedUpload] { placedUploads ?? [] }

  /// The operation's name, if it has one.
  public var name: String? { prepared.name }

  /// The canonical text that is sent, with `__typename` added to every selection set except the
  /// root's.
  public var text: String { prepared.text }

  /// The variables that are sent, as JSON: an object with sorted keys and no white space.
  public var variables: [UInt8] { unscoped.variables }

  /// The hash that identifies document, variables, endpoint, and declared headers.
  public var key: OperationKey { identity.key }

  /// The key in the tables of dedup and the caches.
  @inline(__always)
  package var identity: OperationIdentity {
    guard let scope = context.scope else { return unscoped }
    return OperationIdentity(
      text: unscoped.text, textHash: prepared.textHash, variables: unscoped.variables,
      scope: unscoped.scope.map { $0 + scope } ?? scope)
  }

  /// Returns a copy with a changed context.
  ///
  /// ```swift
  /// let result = await client.query(operation.with { $0.requestPolicy = .networkOnly })
  /// ```
  public func with(_ change: (inout OperationContext) -> Void) -> GraphQLOperation {
    var copy = self
    change(&copy.context)
    return copy
  }
}

extension GraphQLOperation: CustomStringConvertible {
  /// The kind, name, and key; neither variables nor headers.
  public var description: String { "\(kind.rawValue) \(name ?? "anonymous") \(key)" }
}

extension OperationError {
  static func variables(_ message: String, _ underlying: (any Error)? = nil) -> OperationError {
    OperationError(code: .variables, message: message, underlying: underlying)
  }
}
