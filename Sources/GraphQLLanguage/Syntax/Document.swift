/// The syntax tree of one GraphQL source text.
///
/// A document holds executable definitions (operations and fragments), type system definitions and
/// extensions, or any mixture of them. Comments, commas and white space are not part of it.
///
/// ```swift
/// let document = try Document(parsing: "query Hero { hero { name } }")
/// document.operation(named: "Hero")?.selectionSet.selections.count  // 1
/// ```
///
/// Two documents are equal if they contain the same definitions and selections in the same order.
/// Locations in the source text do not count.
public struct Document: Hashable, Sendable {
  /// The definitions in the order of the source text.
  public var definitions: [Definition]

  /// Makes a document from definitions that were built in code.
  public init(definitions: [Definition]) {
    self.definitions = definitions
  }
}

extension Document {
  /// The operations in the order of the source text.
  public var operations: [OperationDefinition] {
    definitions.compactMap { if case .operation(let operation) = $0 { operation } else { nil } }
  }

  /// The fragments in the order of the source text.
  public var fragments: [FragmentDefinition] {
    definitions.compactMap { if case .fragment(let fragment) = $0 { fragment } else { nil } }
  }

  /// Returns the operation that a server executes for a name (specification, section 6.1
  /// "GetOperation"). Without a name, returns the only operation, or `nil` if there are several.
  public func operation(named name: String?) -> OperationDefinition? {
    guard let name else {
      let operations = operations
      return operations.count == 1 ? operations[0] : nil
    }
    for case .operation(let operation) in definitions where operation.name == name {
      return operation
    }
    return nil
  }

  /// Returns the first fragment with the given name. Takes time in proportion to the number of
  /// definitions.
  public func fragment(named name: String) -> FragmentDefinition? {
    for case .fragment(let fragment) in definitions where fragment.name == name {
      return fragment
    }
    return nil
  }
}
