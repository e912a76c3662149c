@testable import Weir
@testable import WeirNormalized

extension NormalizedStore {
  /// Receives a response that came as a whole, and whose data is new.
  func receive(
    _ result: OperationResult, of operation: GraphQLOperation, sentAt: LogicalInstant
  ) -> OperationResult {
    receive(result, of: operation, sentAt: sentAt, isInParts: false, former: nil)
  }

  /// Shows an optimistic result on top of all mutations, also of those that are sent later.
  func showOptimisticResult(of operation: GraphQLOperation) -> UInt64? {
    showOptimisticResult(of: operation, sentAt: LogicalInstant(ticks: .max))
  }

  /// Puts a layer on top of all mutations.
  func addLayer(
    _ apply: @escaping @Sendable (inout StoreTransaction) throws -> Void
  ) -> UInt64? {
    addLayer(of: "", sentAt: LogicalInstant(ticks: .max), session: .any, apply)
  }
}
