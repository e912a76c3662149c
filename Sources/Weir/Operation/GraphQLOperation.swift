/// What an exchange handles: an operation with its variables, and how this execution of it is to be
/// carried out.
///
/// A value, cheap to copy. What is asked for never changes; the ``context`` may be changed by every
/// exchange on the way.
public struct GraphQLOperation: Sendable {
  /// How this execution is to be carried out.
  public var context: OperationContext

  package private(set) var prepared: PreparedOperation
  private let unscoped: OperationIdentity
  /// The files among the variables; nil if there are none, which is cheaper to copy.
  private let placedUploads: [PlacedUpload]?

  /// An operation with variables in literal form, or none.
  ///
  /// ```swift
  /// GraphQLOperation("query Post($id: ID!) { post(id: $id) { title } }", variables: ["id": "1"])
  /// ```
  ///
  /// A document that does not parse, or has several operations and no name, is not a trap: the
  /// result of executing it carries the error.
  ///
  /// - Parameters:
  ///   - document: the operation's text, with the fragments that it uses.
  ///   - name: which operation is meant, if the document has several.
  ///   - variables: an object; a variable that is absent and one that is null differ.
  ///   - context: request policy, headers and the like.
  public init(
    _ document: GraphQLDocument, name: String? = nil, variables: JSONValue = [:],
    context: OperationContext = OperationContext()
  ) {
    self.init(document.prepared(for: name), context) { () throws(OperationError) in
      try CanonicalVariables.encode(variables)
    }
  }

  /// An operation whose variables are encoded from a value of your own.
  ///
  /// An encoding error becomes the result of executing it, with the code
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

  @inline(__always)
  init(
    _ prepared: PreparedOperation, _ context: OperationContext,
    encode: () throws(OperationError) -> CanonicalVariables
  ) {
    self.context = context
    do throws(OperationError) {
      let variables = try encode()
      self.prepared = prepared
      placedUploads = variables.uploads.isEmpty ? nil : variables.uploads
      unscoped =
        variables.isEmpty
        ? prepared.withoutVariables
        : OperationIdentity(
          text: prepared.identityText, textHash: prepared.textHash, variables: variables.bytes,
          scope: variables.uploads.scope)
    } catch {
      self.prepared = PreparedOperation(prepared, defect: prepared.defect ?? error)
      placedUploads = nil
      unscoped = prepared.withoutVariables
    }
  }

  /// The same operation under a key of the caller's choice: for tests of collisions.
  package init(_ other: GraphQLOperation, key: OperationKey) {
    context = other.context
    prepared = other.prepared
    placedUploads = other.placedUploads
    unscoped = OperationIdentity(other.unscoped, key: key)
  }
}

extension GraphQLOperation {
  /// What an operation does.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// It reads.
    case query
    /// It writes, then reads.
    case mutation
    /// It reads on every event, until it is left.
    case subscription
  }

  /// Query, mutation or subscription.
  @inline(__always)
  public var kind: Kind { prepared.kind }

  /// Sees to it that it is executed only if it is of this kind.
  @usableFromInline
  mutating func require(_ kind: Kind) {
    guard prepared.kind != kind, prepared.defect == nil else { return }
    let defect = OperationError.document(
      "The document's operation is a \(prepared.kind.rawValue), not a \(kind.rawValue).")
    prepared = PreparedOperation(prepared, defect: defect)
  }

  /// Why it cannot be executed; the client answers with it.
  @inline(__always)
  package var defect: OperationError? { prepared.defect }

  /// The files among the variables.
  package var uploads: [PlacedUpload] { placedUploads ?? [] }

  /// The operation's name, if its document gives it one.
  public var name: String? { prepared.name }

  /// The text that is sent: canonical, with `__typename` added to every selection set but those on
  /// the root.
  public var text: String { prepared.text }

  /// The variables that are sent, as JSON bytes: an object with sorted keys and no white space.
  public var variables: [UInt8] { unscoped.variables }

  /// The hash that identifies what is asked for.
  public var key: OperationKey { identity.key }

  /// What the tables of dedup and caches are keyed by.
  @inline(__always)
  package var identity: OperationIdentity {
    guard let scope = context.scope else { return unscoped }
    return OperationIdentity(
      text: unscoped.text, textHash: prepared.textHash, variables: unscoped.variables,
      scope: unscoped.scope.map { $0 + scope } ?? scope)
  }

  /// A copy with some of its context changed.
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
  /// Kind, name and key; neither variables nor headers.
  public var description: String { "\(kind.rawValue) \(name ?? "anonymous") \(key)" }
}

extension OperationError {
  static func variables(_ message: String, _ underlying: (any Error)? = nil) -> OperationError {
    OperationError(code: .variables, message: message, underlying: underlying)
  }
}
