import GraphQLLanguage
public import Weir

/// A fragment to read and write single entities with.
///
/// ```swift
/// let card = try GraphQLFragment("fragment Card on Author { id name }")
/// ```
public struct GraphQLFragment: Sendable {
  /// The name of the type that the fragment is on.
  public let typeCondition: String
  let prepared: PreparedOperation
  let variables: CompactBytes
  let identity: OperationIdentity

  /// Parses a fragment and the fragments that it uses.
  ///
  /// - Parameters:
  ///   - text: one or several fragment definitions; the first is the fragment.
  ///   - variables: values for the variables that occur in it.
  ///   - maximumTokens: the number of tokens that the text may have, or nil for no limit; see
  ///     `GraphQLDocument`.
  /// - Throws: ``StoreError`` with the code `fragment` if the text is not a fragment.
  public init(
    _ text: String, variables: JSONValue = [:],
    maximumTokens: Int? = GraphQLDocument.defaultMaximumTokens
  ) throws(StoreError) {
    let document: Document
    do {
      document = try Document(parsing: text, options: ParseOptions(maximumTokens: maximumTokens))
    } catch {
      throw StoreError(.fragment, "The fragment cannot be parsed: \(error)")
    }
    guard let fragment = document.fragments.first, document.operations.isEmpty else {
      throw StoreError(.fragment, "The text is not a fragment definition.")
    }
    try self.init(
      spreading: GraphQLDocument(
        "{ entity { ...\(fragment.name) } } \(text)", maximumTokens: nil),
      on: fragment.typeCondition, variables: variables)
  }

  /// Creates a fragment from a query that spreads it, which makes sure that it is prepared like any
  /// other.
  init(
    spreading query: GraphQLDocument, on typeCondition: String, variables: JSONValue
  ) throws(StoreError) {
    let operation = GraphQLOperation(spreading: query, variables: variables)
    if let defect = operation.defect {
      throw StoreError(.fragment, "The fragment cannot be used: \(defect)")
    }
    self.typeCondition = typeCondition
    prepared = operation.prepared
    self.variables = operation.compactVariables
    identity = operation.identity
  }
}
