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
}

extension TypeID {
  /// Whether objects of the type are the root of operations.
  package var isRoot: Bool { rawValue <= RootType.subscription.rawValue }
}
