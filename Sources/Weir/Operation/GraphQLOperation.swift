/// An operation with its variables, and the settings for one execution of it.
///
/// A value, cheap to copy. Document and variables never change; each exchange of the chain may
/// change the ``context``.
public struct GraphQLOperation: Sendable {
  /// The settings of this execution.
  public var context: OperationContext

  @usableFromInline var content: OperationContent

  /// Creates an operation without variables.
  ///
  /// Costs no allocation if the operation was made before.
  ///
  /// If the document does not parse, or has several operations and `name` is nil, the result of
  /// executing the operation is an error.
  ///
  /// - Parameters:
  ///   - document: the operation, with the fragments that it uses.
  ///   - name: the name of the operation, if the document has several.
  ///   - context: the settings of the execution.
  public init(
    _ document: GraphQLDocument, name: String? = nil, context: OperationContext = OperationContext()
  ) {
    self.init(OperationContent(document, name: name), context)
  }

  /// Creates an operation with variables in literal form.
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
    _ document: GraphQLDocument, name: String? = nil, variables: JSONValue,
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
  ///
  /// - Parameters:
  ///   - document: the operation, with the fragments that it uses.
  ///   - name: the name of the operation, if the document has several.
  ///   - variables: a value whose members have the names of the variables. With the synthesized
  ///     `encode(to:)`, a property that is nil is absent: the server uses the variable's default value.
  ///     In variables in literal form it is null, which is another key in the caches.
  ///   - context: the settings of the execution.
  @_disfavoredOverload  // A literal would become a `Dictionary`, which traps on a repeated key.
  public init(
    _ document: GraphQLDocument, name: String? = nil, variables: some Encodable & Sendable,
    context: OperationContext = OperationContext()
  ) {
    self.init(OperationContent(document, name: name, encoding: variables), context)
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
  ///
  /// - Parameters:
  ///   - document: the operation, with the fragments that it uses.
  ///   - name: the name of the operation, if the document has several.
  ///   - variables: the values by the names of the variables. A value that is nil is sent as null, which is
  ///     not the same as an absent variable and another key in the caches. Leave the variable out, or use a
  ///     structure, whose properties that are nil are absent.
  ///   - context: the settings of the execution.
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
    self.init(
      OperationContent(prepared, declaresVariables: declaresVariables, encode: encode), context)
  }

  @usableFromInline
  init(_ content: OperationContent, _ context: OperationContext) {
    self.content = content
    self.context = context
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
    content = OperationContent(other.content, key: key)
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

  package var prepared: PreparedOperation { content.prepared }

  /// Query, mutation or subscription.
  public var kind: Kind { prepared.kind }

  /// The reason why the client refuses or reports the operation; nil for nearly all operations.
  var remark: OperationContent.Remark? { content.remark }

  /// The reason why the operation cannot be executed; the client delivers it as the result.
  package var defect: OperationError? {
    if case .defect(let error) = remark { error } else { nil }
  }

  /// The files among the variables.
  package var uploads: [PlacedUpload] { content.uploads }

  /// The operation's name, if it has one.
  public var name: String? { prepared.name }

  /// The canonical text that is sent, with `__typename` added to every selection set except the
  /// root's.
  public var text: String { prepared.text }

  /// The variables that are sent, as JSON: an object with sorted keys and no white space.
  public var variables: [UInt8] { compactVariables.array }

  package var compactVariables: CompactBytes { content.identity.variables }

  /// A hash of document, variables, endpoint, those headers of the context that are not neutral, and
  /// ``OperationContext/skipsAuthentication``. Of credentials, only the names count; see ``HeaderRules``.
  public var key: OperationKey { identity.key }

  /// What the operation asks for, as the key of a table, such as those of dedup and the caches.
  ///
  /// Free for an operation without endpoint and headers. Otherwise each call costs an allocation
  /// and a hash of text and variables, so call it once per execution.
  @inline(__always)
  public var identity: OperationIdentity {
    guard let scope = context.scope else { return content.identity }
    return OperationIdentity(
      text: prepared.identityText, variables: compactVariables, scope: content.identity.scope,
      hasLastingUploads: content.identity.hasLastingUploads, context: scope)
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

extension GraphQLOperation {
  /// The kind and the name, as messages show them: `query Feed`.
  var title: String { name.map { "\(kind) \($0)" } ?? "\(kind)" }
}

extension GraphQLOperation: CustomStringConvertible {
  /// The kind, name, and key; neither variables nor headers.
  public var description: String { "\(kind.rawValue) \(name ?? "anonymous") \(key)" }
}
