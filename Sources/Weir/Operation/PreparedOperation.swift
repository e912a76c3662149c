package import GraphQLLanguage

/// One operation of a document, with all that is derived from its text alone. Made once per
/// document and operation name.
package final class PreparedOperation: Sendable {
  package let kind: GraphQLOperation.Kind
  package let name: String?
  /// The canonical text that is sent: this operation, then the fragments that it reaches in order
  /// of first use, with `__typename` added. Descriptions are left out: servers older than the
  /// specification of September 2025 refuse them.
  package let text: String
  /// The same with the directives that only the cache heeds, since they change what is shown. It
  /// stands for the document in ``OperationIdentity``, and nearly always is the text.
  package let identityText: String
  package let textHash: UInt64
  /// What the operation selects, fragments merged.
  package let plan: SelectionPlan
  /// The operation's syntax tree, and those of the fragments that it reaches.
  package let definition: OperationDefinition
  package let fragments: [String: FragmentDefinition]
  /// The SHA-256 of the text, for who names it by that.
  package let textDigest: TextDigest
  /// Why it cannot be executed; the client answers with it.
  let defect: OperationError?
  /// What the next encoding of variables can use again.
  let spareEncoding = SpareEncoding()
  /// What is asked for without variables, made once.
  let withoutVariables: OperationIdentity

  init(document: Document, operationName: String?) throws(OperationError) {
    let operation = try Self.operation(named: operationName, in: document)
    let (fragments, order) = try Self.reachableFragments(of: operation, in: document)
    let typenames = TypenameInsertion(operation: operation, fragments: fragments)
    var definitions: [Definition] = [.operation(typenames.operation)]
    definitions += order.compactMap { typenames.fragments[$0].map(Definition.fragment) }
    kind = GraphQLOperation.Kind(operation.kind)
    name = operation.name
    definition = typenames.operation
    self.fragments = typenames.fragments
    let reached = Document(definitions: definitions)
    identityText = reached.canonicalText
    text = reached.withoutClientDirectives?.canonicalText ?? identityText
    var hash = StableHash()
    hash.combine(identityText)
    textHash = hash.value
    textDigest = TextDigest(text)
    plan = try SelectionPlan(
      typenames.operation.selectionSet, fragments: typenames.fragments)
    defect = nil
    withoutVariables = OperationIdentity(
      text: identityText, textHash: textHash, variables: CanonicalVariables.none.bytes,
      scope: nil)
  }

  /// In place of a document that cannot be executed.
  init(defect: OperationError) {
    kind = .query
    name = nil
    text = ""
    identityText = ""
    textHash = StableHash().value
    textDigest = TextDigest("")
    definition = OperationDefinition(selectionSet: [])
    fragments = [:]
    plan = .empty
    self.defect = defect
    withoutVariables = OperationIdentity(
      text: text, textHash: textHash, variables: CanonicalVariables.none.bytes, scope: nil)
  }

  /// An operation that cannot be executed for reasons beside its document.
  init(_ other: PreparedOperation, defect: OperationError) {
    kind = other.kind
    name = other.name
    text = other.text
    identityText = other.identityText
    textHash = other.textHash
    textDigest = other.textDigest
    definition = other.definition
    fragments = other.fragments
    plan = other.plan
    self.defect = defect
    withoutVariables = other.withoutVariables
  }

  private static func operation(
    named name: String?, in document: Document
  ) throws(OperationError) -> OperationDefinition {
    let operations = document.operations
    if let name {
      guard let operation = operations.first(where: { $0.name == name }) else {
        throw .document("The document has no operation named \(name).")
      }
      return operation
    }
    guard let operation = operations.first else {
      throw .document("The document has no operation.")
    }
    guard operations.count == 1 else {
      let names = operations.map { $0.name ?? "an anonymous one" }.joined(separator: ", ")
      throw .document("The document has several operations (\(names)); say which one is meant.")
    }
    return operation
  }

  /// The fragments that an operation reaches, by name and in order of first use.
  private static func reachableFragments(
    of operation: OperationDefinition, in document: Document
  ) throws(OperationError) -> ([String: FragmentDefinition], order: [String]) {
    var defined: [String: FragmentDefinition] = [:]
    for fragment in document.fragments {
      if let other = defined.updateValue(fragment, forKey: fragment.name), other != fragment {
        throw .document("There are two different fragments named \(fragment.name).")
      }
    }
    var reached: [String: FragmentDefinition] = [:]
    var order: [String] = []
    var pending = operation.selectionSet.spreads
    var next = 0
    while next < pending.count {
      let name = pending[next]
      next += 1
      guard reached[name] == nil else { continue }
      guard let fragment = defined[name] else {
        throw .document("The fragment \(name) is not defined.")
      }
      reached[name] = fragment
      order.append(name)
      pending += fragment.selectionSet.spreads
    }
    return (reached, order)
  }
}

extension SelectionSet {
  /// The names of the fragments spread in this selection set, nested ones included, in order.
  fileprivate var spreads: [String] {
    selections.flatMap { selection -> [String] in
      switch selection {
      case .field(let field): field.selectionSet?.spreads ?? []
      case .fragmentSpread(let spread): [spread.name]
      case .inlineFragment(let fragment): fragment.selectionSet.spreads
      }
    }
  }
}

extension GraphQLOperation.Kind {
  init(_ kind: OperationKind) {
    self =
      switch kind {
      case .query: .query
      case .mutation: .mutation
      case .subscription: .subscription
      }
  }
}

extension OperationError {
  static func document(_ message: String) -> OperationError {
    OperationError(code: .document, message: message)
  }
}
