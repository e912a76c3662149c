import GraphQLLanguage
public import Weir

/// A fragment, to read and write single entities with.
///
/// ```swift
/// let card = try GraphQLFragment("fragment Card on Author { id name }")
/// ```
public struct GraphQLFragment: Sendable {
  /// The name of the type that it is defined on.
  public let typeCondition: String
  let prepared: PreparedOperation
  let variables: [UInt8]
  let identity: OperationIdentity

  /// Parses a fragment, and others that it uses.
  ///
  /// - Parameters:
  ///   - text: one fragment definition, or several of which the first is meant.
  ///   - variables: values for the variables that occur in it.
  /// - Throws: ``StoreError`` with the code `fragment` if the text is no fragment.
  public init(_ text: String, variables: JSONValue = [:]) throws(StoreError) {
    let document: Document
    do {
      document = try Document(parsing: text)
    } catch {
      throw StoreError(.fragment, "The fragment cannot be parsed: \(error)")
    }
    guard let fragment = document.fragments.first, document.operations.isEmpty else {
      throw StoreError(.fragment, "The text is no fragment.")
    }
    // As if it were spread in a query, so that it is prepared as those are.
    let operation = GraphQLOperation(
      GraphQLDocument("{ entity { ...\(fragment.name) } } \(text)"), variables: variables)
    if let defect = operation.defect {
      throw StoreError(.fragment, "The fragment cannot be used: \(defect)")
    }
    typeCondition = fragment.typeCondition
    prepared = operation.prepared
    self.variables = operation.variables
    identity = operation.identity
  }

  func bindings(_ catalog: Catalog) -> Bindings {
    Bindings(
      plan: catalog.plan(forFragment: prepared), catalog: catalog, variables: variables)
  }
}
