public import Weir

extension NormalizedStore {
  /// Merges data into the store as if a server had sent it in response to an operation.
  ///
  /// The watches of changed fields are woken, and entities are put into the lists that they belong to
  /// (``NormalizedCacheConfiguration/memberships``). Members that the operation does not select are
  /// reported to ``NormalizedCacheConfiguration/onDiagnostic``.
  ///
  /// - Parameters:
  ///   - data: an object with what the operation selects; what is missing stays as it was.
  ///   - operation: says what the members of the data mean.
  /// - Returns: how many records have changed.
  /// - Throws: ``StoreError`` as a transaction does: with the code `operation` for an operation with a
  ///   defect, with `noTypename` for an object of unknown type; then nothing is written. With
  ///   `notAnObject` for a value that is not an object although fields of it are selected; outside of
  ///   transactions, the other fields are written nevertheless. With `nested` within a transaction on
  ///   the same store, which then fails (``update(_:)-(_)``).
  @discardableResult
  public func write(_ data: JSON, for operation: GraphQLOperation) throws(StoreError) -> Int {
    try partition(of: operation.context).writeAlone(data, for: operation)
  }

  private func writeAlone(
    _ data: JSON, for operation: GraphQLOperation
  ) throws(StoreError) -> Int {
    if let running = RunningTransaction.calling(state) {
      running.refuse()
      throw .writeWithinTransaction
    }
    let operation = operation.ofAnySession
    if let defect = operation.defect {
      throw .defect(defect, ReadTarget(inCurrentSession: operation))
    }
    guard data.kind == .object else { throw .notAnObject }
    noteLists(of: operation.context.additionalTypenames, in: operation)
    if operation.kind != .query || !configuration.memberships.isEmpty || data.mayLackTypenames {
      let count = try writeWithConsequences(data, operation)
      noteWrite(of: operation)
      return count
    }
    let outcome = write(data, errors: [], of: operation, origin: WriteOrigin())
    if !outcome.diagnostics.isEmpty,
      let error = StoreError(refusing: outcome.diagnostics, ReadTarget(inCurrentSession: operation))
    {
      throw error
    }
    return outcome.changes.recordCount
  }

  /// Writes data and updates the lists that it belongs to, or writes nothing.
  private func writeWithConsequences(
    _ data: JSON, _ operation: GraphQLOperation
  ) throws(StoreError) -> Int {
    do {
      return try commitConsequences(of: data, operation)
    } catch let error as StoreError {
      throw error
    } catch {
      // Nothing else is thrown: the errors of policies are reported.
      throw .notAnObject
    }
  }

  private func commitConsequences(of data: JSON, _ operation: GraphQLOperation) throws -> Int {
    try commit(removing: nil, origin: WriteOrigin()) { transaction, _ in
      transaction.outcome.isByHand = true
      if operation.kind == .query {
        try transaction.write(data, for: operation)
        transaction.updateLists()
      } else {
        try transaction.write(
          data, operation, configuration.mutationFields(of: operation, data: data, catalog),
          isByHand: true, refreshesLists: operation.kind == .mutation)
      }
      return transaction.outcome.changes.recordCount
    }
  }
}

extension NormalizedStore {
  /// Notes types that an operation declares its result to depend on. The result may not show them,
  /// because a list is empty.
  func noteLists(of typenames: Set<String>, in operation: GraphQLOperation) {
    guard !typenames.isEmpty, operation.kind == .query else { return }
    let tables = typenames.compactMap(catalog.type).map(catalog.table)
    let bindings = operation.bindings(catalog)
    let names = bindings.shape(bindings.plan.root, RootType.query.type, isRoot: true).fields
      .map(\.name)
    state.withLock { state in
      guard operation.context.session >= state.session else { return }
      for name in names {
        let field = ListFields.Field(table: RootType.query.reference.table, name: name)
        for table in tables where !state.listFields.holding(table).contains(field) {
          state.listFields.note(field, elementTable: table)
          // A transaction that is running would write back the lists that it knows.
          state.writeCount += 1
        }
      }
    }
  }

  /// Merges data that your code contains; see ``write(_:for:)-(JSON,_)``.
  ///
  /// - Throws: `JSONError` if a number cannot be written as JSON; ``StoreError``.
  @discardableResult
  public func write(_ data: JSONValue, for operation: GraphQLOperation) throws -> Int {
    return try write(try JSON(parsing: try data.canonicalBytes()), for: operation)
  }
}

extension JSON {
  /// Whether any object may have no `__typename`, except the root and the object around it. Looks at
  /// each list of keys once, not at each object.
  fileprivate var mayLackTypenames: Bool {
    withTape { tape, index in
      let own = tape.keyList(index)
      let roots = tape[.root].kind == .object ? tape.keyList(.root) : 0
      let end = document.keyListWords
      var list = 0
      while list < end {
        let count = tape.keyCount(list)
        if count > 0, list != own, list != roots, !tape.hasTypename(list) { return true }
        list += 1 + count
      }
      return false
    }
  }
}

extension JSONTape {
  fileprivate func hasTypename(_ keyList: Int) -> Bool {
    // Proof: the static string lives as long as the program.
    let name: StaticString = "__typename"
    return position(
      of: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount), in: keyList)
      != nil
  }
}

extension GraphQLOperation {
  /// For direct calls, which always belong to the current session.
  var ofAnySession: GraphQLOperation {
    with { $0.session = .any }
  }
}
