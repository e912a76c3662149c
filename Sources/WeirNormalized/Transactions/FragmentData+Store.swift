import GraphQLLanguage
public import Weir

extension FragmentData {
  /// Returns the fragment to read and write single entities with, and values for the variables that
  /// occur in it.
  ///
  /// - Throws: ``StoreError`` with the code `fragment` if the type's ``document`` is not a fragment,
  ///   which generated ones are.
  public static func fragment(variables: JSONValue = [:]) throws(StoreError) -> Fragment<Self> {
    let query = SpreadingQueries.shared.query(of: Self.self)
    guard case .success(let tree) = query.tree, let fragment = tree.fragments.first else {
      throw StoreError(.fragment, "The document of \(Self.self) is not a fragment definition.")
    }
    return Fragment(
      try GraphQLFragment(spreading: query, on: fragment.typeCondition, variables: variables))
  }
}

/// The queries that spread the fragments of generated types. Each is made once, so that it is
/// prepared once.
private final class SpreadingQueries: Sendable {
  static let shared = SpreadingQueries()

  private let queries = Locked<[ObjectIdentifier: GraphQLDocument]>([:])

  func query<Data: FragmentData>(of type: Data.Type) -> GraphQLDocument {
    let id = ObjectIdentifier(type)
    if let known = queries.withLock({ $0[id] }) { return known }
    let made = query(spreading: type.document)
    return queries.withLock { queries in
      let query = queries[id] ?? made
      queries[id] = query
      return query
    }
  }

  private func query(spreading document: GraphQLDocument) -> GraphQLDocument {
    guard case .success(let tree) = document.tree, let fragment = tree.fragments.first else {
      return document
    }
    let query = GraphQLDocument("{ entity { ...\(fragment.name) } }")
    return query.adding([document])
  }
}
