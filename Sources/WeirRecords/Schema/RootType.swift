package import Weir

/// The three root objects of operations.
package enum RootType: Int, CaseIterable {
  case query, mutation, subscription

  package init(_ kind: GraphQLOperation.Kind) {
    self =
      switch kind {
      case .query: .query
      case .mutation: .mutation
      case .subscription: .subscription
      }
  }

  /// The key of the root's record.
  package var key: String {
    switch self {
    case .query: "QUERY_ROOT"
    case .mutation: "MUTATION_ROOT"
    case .subscription: "SUBSCRIPTION_ROOT"
    }
  }

  package var type: TypeID { TypeID(rawValue: UInt16(rawValue)) }

  /// The root's table. The roots have the first tables, with one row each.
  package var table: TableID { TableID(index: rawValue) }
}

extension TableID {
  /// The root that the table is for; nil if its records are not roots.
  package var root: RootType? { RootType(rawValue: index) }
}

extension TypeID {
  /// Whether objects of the type are the root of operations.
  package var isRoot: Bool { rawValue <= RootType.subscription.rawValue }
}

extension Catalog {
  /// The place of a field of the query's root.
  package func rootPlace(_ field: FieldID) -> FieldPlace {
    place(field, table: RootType.query.table)
  }
}
