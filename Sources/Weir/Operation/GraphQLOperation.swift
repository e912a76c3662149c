/// An operation with its variables, and the settings for one execution of it.
///
/// A value, cheap to copy. Document and variables never change; each exchange of the chain may
/// change the ``context``.
public struct GraphQLOperation: Sendable {
  /// The settings of this execution.
  public var context: OperationContext

  package let prepared: PreparedOperation
  private let unscoped: OperationIdentity
  private var rare: Shared<Rare>?

  /// The parts that few operations have.
  private struct Rare: Sendable {
    /// The files among the variables.
    var uploads: [PlacedUpload] = []
    var remark: Remark?
  }

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
  ///   - variables: an object; a missing variable and null are different. If a literal has the same
  ///     variable twice, the last value counts. Without a required variable, the result of executing
  ///     the operation is an error with the code ``OperationError/Code/variables``. Variables that
  ///     the document does not declare are left out.
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
  @_disfavoredOverload  // A literal would become a `Dictionary`, which traps on a repeated key.
  public init(
    _ document: GraphQLDocument, name: String? = nil, variables: some Encodable & Sendable,
    context: OperationContext = OperationContext()
  ) {
    let prepared = document.prepared(for: name)
    self.init(prepared, context) { () throws(OperationError) in
      try CanonicalVariables.encode(variables, with: prepared.spareEncoding)
    }
  }

  /// Creates an operation with variables of different types.
  ///
  /// ```swift
  /// GraphQLOperation(text, variables: ["first": pageSize, "after": cursor, "tag": "swift"])
  /// ```
  ///
  /// If encoding fails, the result of executing the operation is an error with the code
  /// ``OperationError/Code/variables``. Prefer a structure for variables that you use often: its
  /// names are checked once, and encoding it is faster.
  @_disfavoredOverload
  public init(
    _ document: GraphQLDocument, name: String? = nil,
    variables: KeyValuePairs<String, any Encodable & Sendable>,
    context: OperationContext = OperationContext()
  ) {
    self.init(document, name: name, variables: VariableList(variables), context: context)
  }

  init(
    _ prepared: PreparedOperation, _ context: OperationContext, declaresVariables: Bool = true,
    encode: () throws(OperationError) -> CanonicalVariables
  ) {
    var variables: CanonicalVariables
    var remark = prepared.defect.map(Remark.defect)
    do throws(OperationError) {
      variables = try encode()
      if remark == nil, declaresVariables, let diagnostic = try prepared.declared.check(&variables)
      {
        remark = .diagnostic(Shared(diagnostic))
      }
    } catch {
      variables = .none
      remark = remark ?? .defect(error)
    }
    self.init(prepared, variables, remark, context)
  }

  /// Creates an operation whose variables have been checked.
  @inline(__always)
  init(
    _ prepared: PreparedOperation, _ variables: CanonicalVariables, _ remark: Remark?,
    _ context: OperationContext
  ) {
    self.context = context
    self.prepared = prepared
    rare =
      variables.uploads.isEmpty && remark == nil
      ? nil : Shared(Rare(uploads: variables.uploads, remark: remark))
    unscoped =
      variables.isEmpty
      ? prepared.withoutVariables
      : OperationIdentity(
        text: prepared.identityText, variables: variables.bytes, scope: variables.uploads.scope)
  }

  /// Creates the query that spreads a fragment. It declares no variables, because a fragment does
  /// not say their types.
  package init(spreading fragment: GraphQLDocument, variables: JSONValue) {
    self.init(
      fragment.prepared(for: nil), OperationContext(), declaresVariables: false
    ) { () throws(OperationError) in
      try CanonicalVariables.encode(variables)
    }
  }

  /// Creates the same operation under a given key, for tests of collisions.
  package init(_ other: GraphQLOperation, key: OperationKey) {
    context = other.context
    prepared = other.prepared
    rare = other.rare
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
  public var kind: Kind { prepared.kind }

  /// A reason to refuse an operation, or to report it.
  enum Remark: Sendable {
    case defect(OperationError)
    case diagnostic(Shared<ClientDiagnostic>)
  }

  /// The reason why the client refuses or reports the operation; nil for nearly all operations.
  var remark: Remark? { rare?.value.remark }

  /// The reason why the operation cannot be executed; the client delivers it as the result.
  package var defect: OperationError? {
    if case .defect(let error) = remark { error } else { nil }
  }

  /// Makes the operation fail unless it is of this kind.
  @usableFromInline
  mutating func require(_ kind: Kind) {
    guard prepared.kind != kind, defect == nil else { return }
    let error = OperationError.document(
      "The document's operation is a \(prepared.kind.rawValue), not a \(kind.rawValue).")
    rare = Shared(Rare(uploads: uploads, remark: .defect(error)))
  }

  /// The files among the variables.
  package var uploads: [PlacedUpload] { rare?.value.uploads ?? [] }

  /// The operation's name, if it has one.
  public var name: String? { prepared.name }

  /// The canonical text that is sent, with `__typename` added to every selection set except the
  /// root's.
  public var text: String { prepared.text }

  /// The variables that are sent, as JSON: an object with sorted keys and no white space.
  public var variables: [UInt8] { unscoped.variables }

  /// A hash of document, variables, endpoint, and those headers of the context that are neither
  /// neutral nor credentials; see ``HeaderRules``.
  public var key: OperationKey { identity.key }

  /// What the operation asks for, as the key of a table, such as those of dedup and the caches.
  ///
  /// Free for an operation without endpoint and headers. Otherwise each call costs an allocation
  /// and a hash of text and variables, so call it once per execution.
  @inline(__always)
  public var identity: OperationIdentity {
    guard let scope = context.scope else { return unscoped }
    return OperationIdentity(
      text: prepared.identityText, variables: unscoped.variables,
      scope: unscoped.scope, context: scope)
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
