public import Weir

extension NormalizedStore {
  /// The data of an operation, if everything that it selects is there; else nil.
  ///
  /// Costs what the result is large; a result that has not changed since it was read last is the
  /// same one again.
  public func read(_ operation: GraphQLOperation) -> JSON? {
    guard operation.defect == nil, let stored = result(of: operation.ofAnySession),
      stored.isComplete
    else { return nil }
    return stored.payload?.data
  }

  /// Merges data into the store as if a server had sent them in answer to an operation: what is wrong
  /// with them is told to ``NormalizedCacheConfiguration/onDiagnostic`` and stored as well as it can
  /// be. ``update(_:)-(_)`` refuses objects whose type cannot be told instead. Watches of what is
  /// different are woken, and entities are put into the lists that they belong to
  /// (``NormalizedCacheConfiguration/memberships``).
  ///
  /// - Parameters:
  ///   - data: an object with what the operation selects; what is missing stays as it was.
  ///   - operation: says what the members of the data are.
  /// - Returns: how many records are different; 0 within a transaction on the same store, which
  ///   fails for that (``update(_:)-(_)``).
  @discardableResult
  public func write(_ data: JSON, for operation: GraphQLOperation) -> Int {
    if let running = RunningTransaction.calling(self) {
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

  /// Writes data and what follows from them; nil if that is not possible now.
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
      return transaction.changes.recordCount
    }
  }
}

extension NormalizedStore {
  /// Merges data that are written down in your code; see ``write(_:for:)-(JSON,_)``.
  ///
  /// - Throws: `JSONError` if a number in it has no JSON; ``StoreError`` with the code `nested`
  ///   within a transaction on the same store.
  @discardableResult
  public func write(_ data: JSONValue, for operation: GraphQLOperation) throws -> Int {
    guard RunningTransaction.calling(self) == nil else { throw StoreError.nestedTransaction }
    return write(try JSON(parsing: try data.canonicalBytes()), for: operation)
  }
}

extension GraphQLOperation {
  /// For direct calls, which always belong to the session that is on.
  var ofAnySession: GraphQLOperation {
    with { $0.session = Session(number: .max) }
  }
}
