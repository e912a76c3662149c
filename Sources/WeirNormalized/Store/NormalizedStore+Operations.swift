public import Weir

extension NormalizedStore {
  /// Returns the data of an operation if everything that it selects is there; otherwise nil.
  ///
  /// The cost is proportional to the result; an unchanged result is returned as it is.
  public func read(_ operation: GraphQLOperation) -> JSON? {
    guard operation.defect == nil,
      let stored = partition(of: operation.context).result(of: operation.ofAnySession),
      stored.isComplete
    else { return nil }
    return stored.payload?.data
  }

  /// Merges data into the store as if a server had sent it in response to an operation.
  ///
  /// Mistakes in the data are reported to ``NormalizedCacheConfiguration/onDiagnostic``, and the data is
  /// stored as well as possible. (``update(_:)-(_)`` refuses objects of unknown type instead.) The
  /// watches of changed fields are woken, and entities are put into the lists that they belong to
  /// (``NormalizedCacheConfiguration/memberships``).
  ///
  /// - Parameters:
  ///   - data: an object with what the operation selects; what is missing stays as it was.
  ///   - operation: says what the members of the data mean.
  /// - Returns: how many records have changed; 0 within a transaction on the same store, which then
  ///   fails (``update(_:)-(_)``).
  @discardableResult
  public func write(_ data: JSON, for operation: GraphQLOperation) -> Int {
    partition(of: operation.context).writeAlone(data, for: operation)
  }

  private func writeAlone(_ data: JSON, for operation: GraphQLOperation) -> Int {
    if let running = RunningTransaction.calling(state) {
      running.refuse()
      return 0
    }
    let operation = operation.ofAnySession
    defer { noteWrite(of: operation) }
    if operation.kind != .query || !configuration.memberships.isEmpty,
      let count = writeWithConsequences(data, operation)
    {
      return count
    }
    let outcome = write(data, errors: [], of: operation, origin: WriteOrigin())
    return outcome.changes.recordCount
  }

  /// Writes data and updates the lists that it belongs to; nil if that is not possible now.
  private func writeWithConsequences(_ data: JSON, _ operation: GraphQLOperation) -> Int? {
    try? commit(removing: nil, origin: WriteOrigin()) { transaction, _ in
      if operation.kind == .query {
        try transaction.write(data, for: operation)
        transaction.updateLists()
      } else {
        try transaction.write(
          data, operation, configuration.mutationFields(of: operation, data: data, catalog),
          refreshesLists: operation.kind == .mutation)
      }
      return transaction.outcome.changes.recordCount
    }
  }
}

extension NormalizedStore {
  /// Merges data that your code contains; see ``write(_:for:)-(JSON,_)``.
  ///
  /// - Throws: `JSONError` if a number cannot be written as JSON; ``StoreError`` with the code `nested`
  ///   within a transaction on the same store.
  @discardableResult
  public func write(_ data: JSONValue, for operation: GraphQLOperation) throws -> Int {
    guard RunningTransaction.calling(partition(of: operation.context).state) == nil else {
      throw StoreError.nestedTransaction
    }
    return write(try JSON(parsing: try data.canonicalBytes()), for: operation)
  }
}

extension GraphQLOperation {
  /// For direct calls, which always belong to the current session.
  var ofAnySession: GraphQLOperation {
    with { $0.session = .any }
  }
}
