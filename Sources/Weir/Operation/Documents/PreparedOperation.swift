package import GraphQLLanguage
import WeirJSON

/// One operation of a document, with everything that is derived from its text alone. Made once per
/// document and operation name.
package final class PreparedOperation: Sendable {
  let kind: GraphQLOperation.Kind
  package let name: String?
  /// The canonical text that is sent: this operation, then the fragments that it reaches in order
  /// of first use, with `__typename` added. It has no descriptions: servers older than the
  /// specification of September 2025 reject them.
  let text: String
  /// The text as a JSON string, as each request has it.
  let encodedText: [UInt8]
  /// The text with the directives that only the cache uses, because they change the result. It
  /// represents the document in ``OperationIdentity``, and nearly always equals the text.
  let identityText: CanonicalText
  /// Whether the text contains an `@`, which may also belong to a string.
  let mayHaveDirectives: Bool
  private let madePlan: OnceReference<SelectionPlan>
  /// The estimated size of the plan in memory, in bytes.
  let planFootprint: Int
  /// The operation's syntax tree, and those of the fragments that it reaches.
  package let definition: OperationDefinition
  package let fragments: [String: FragmentDefinition]
  /// The SHA-256 of the text, for persisted operations.
  let textDigest: TextDigest
  /// The reason why the operation cannot be executed; the client delivers it as the result.
  let defect: OperationError?
  let declared: DeclaredVariables
  /// Storage that each encoding of variables reuses.
  let spareEncoding = SpareEncoding()
  /// The identity of the operation without variables.
  let withoutVariables: OperationIdentity

  init(document: Document, operationName: String?) throws(OperationError) {
    let operation = try Self.operation(named: operationName, in: document)
    let (fragments, order) = try Self.reachableFragments(of: operation, in: document)
    // All that follows walks the selections, and takes stack space in proportion to their depth.
    var nesting = SelectionNesting(fragments: fragments)
    guard let extent = try? nesting.extent(of: operation.selectionSet) else {
      throw .document(
        "The document nests selections and fragments more than \(SelectionNesting.limit) levels deep."
      )
    }
    let typenames = TypenameInsertion(operation: operation, fragments: fragments)
    var definitions: [Definition] = [.operation(typenames.operation)]
    definitions += order.compactMap { typenames.fragments[$0].map(Definition.fragment) }
    kind = GraphQLOperation.Kind(operation.kind)
    name = operation.name
    definition = typenames.operation
    declared = DeclaredVariables(typenames.operation)
    self.fragments = typenames.fragments
    let reached = Document(definitions: definitions)
    let whole = reached.canonicalText
    identityText = CanonicalText(whole)
    mayHaveDirectives =
      whole.utf8.withContiguousStorageIfAvailable { $0.contains(UInt8(ascii: "@")) } ?? true
    text = mayHaveDirectives ? reached.withoutClientDirectives.canonicalText : whole
    encodedText = Array(jsonString: text)
    textDigest = TextDigest(text)
    if SelectionPlan.fits(extent) {
      madePlan = OnceReference()
      planFootprint = SelectionPlan.footprint(of: extent)
    } else {
      let plan = try SelectionPlan(
        typenames.operation.selectionSet, fragments: typenames.fragments)
      madePlan = OnceReference(plan)
      planFootprint = plan.footprint
    }
    defect = nil
    withoutVariables = OperationIdentity(
      text: identityText, variables: CanonicalVariables.none.bytes)
  }

  /// Stands for a document that cannot be executed.
  init(defect: OperationError) {
    kind = .query
    name = nil
    text = ""
    encodedText = Array(jsonString: text)
    mayHaveDirectives = false
    identityText = CanonicalText("")
    textDigest = TextDigest("")
    definition = OperationDefinition(selectionSet: [])
    declared = DeclaredVariables(definition)
    fragments = [:]
    madePlan = OnceReference(.empty)
    planFootprint = 0
    self.defect = defect
    withoutVariables = OperationIdentity(
      text: identityText, variables: CanonicalVariables.none.bytes)
  }

  /// The fields that the operation selects, with its fragments merged. Made when it is used, because only
  /// the document cache and a rejected mutation need it.
  var plan: SelectionPlan {
    if let plan = madePlan.load() { return plan }
    let plan = try? SelectionPlan(definition.selectionSet, fragments: fragments)
    // A plan that is not within the limits was made at once.
    return madePlan.storeIfNil(plan ?? .empty)
  }

  private static func operation(
    named name: String?, in document: Document
  ) throws(OperationError) -> OperationDefinition {
    let operations = document.operations
    var names: Set<String> = []
    if let twice = operations.lazy.compactMap(\.name).first(where: { !names.insert($0).inserted }) {
      throw .document("The document contains several operations named \(twice).")
    }
    if let name {
      guard let operation = operations.first(where: { $0.name == name }) else {
        throw .document("The document contains no operation named \(name.prefix(100)).")
      }
      return operation
    }
    guard let operation = operations.first else {
      throw .document("The document contains no operation.")
    }
    guard operations.count == 1 else {
      let names = operations.map { $0.name ?? "an anonymous one" }.joined(separator: ", ")
      throw .document("The document contains several operations (\(names)): pass the name of one.")
    }
    return operation
  }

  /// Returns the fragments that an operation reaches, by name and in order of first use.
  private static func reachableFragments(
    of operation: OperationDefinition, in document: Document
  ) throws(OperationError) -> ([String: FragmentDefinition], order: [String]) {
    var defined: [String: FragmentDefinition] = [:]
    for fragment in document.fragments {
      if let other = defined.updateValue(fragment, forKey: fragment.name), other != fragment {
        throw .document("The document contains two different fragments named \(fragment.name).")
      }
    }
    var reached: [String: FragmentDefinition] = [:]
    var order: [String] = []
    var pending: [String] = []
    operation.selectionSet.addSpreads(inFields: true, to: &pending)
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
      fragment.selectionSet.addSpreads(inFields: true, to: &pending)
    }
    return (reached, order)
  }
}

extension SelectionSet {
  /// Adds the names of the fragments that this selection set spreads, in order; with those that the
  /// selection sets of its fields spread, if `inFields` is true.
  func addSpreads(inFields: Bool, to names: inout [String]) {
    for selection in selections {
      switch selection {
      case .field(let field):
        if inFields { field.selectionSet?.addSpreads(inFields: true, to: &names) }
      case .fragmentSpread(let spread): names.append(spread.name)
      case .inlineFragment(let fragment):
        fragment.selectionSet.addSpreads(inFields: inFields, to: &names)
      }
    }
  }
}

extension GraphQLOperation.Kind {
  /// The kind of an operation in a syntax tree.
  package init(_ kind: OperationKind) {
    switch kind {
    case .query: self = .query
    case .mutation: self = .mutation
    case .subscription: self = .subscription
    }
  }

  /// The name of the root type, if the schema does not name another.
  package var typename: String {
    switch self {
    case .query: "Query"
    case .mutation: "Mutation"
    case .subscription: "Subscription"
    }
  }
}

extension OperationError {
  static func document(_ message: String) -> OperationError {
    OperationError(code: .document, message: message)
  }
}
