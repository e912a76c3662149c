import GraphQLLanguage
import Weir

extension NormalizedStore {
  /// Writes the result of a mutation or an event of a subscription, with everything that is
  /// configured to follow from it, and removes its optimistic result in the same step. Data becomes
  /// stale whether the result is stored or not.
  func receiveMutation(
    _ data: JSON, errors: [GraphQLError], of operation: GraphQLOperation, origin: WriteOrigin,
    storesData: Bool, removing layer: UInt64?
  ) {
    let fields = configuration.mutationFields(of: operation, data: data, catalog)
    func write(runsUpdates: Bool) throws {
      try commit(removing: layer, origin: origin, session: operation.context.session) {
        transaction, start in
        let before = storesData ? nil : transaction.records
        try transaction.write(
          data, operation, runsUpdates ? fields : fields.map(\.withoutUpdate),
          skipped: data.cellsRefused(by: errors), newer: start.newer,
          refreshesLists: operation.kind == .mutation, isPart: origin.hasMoreParts,
          isStored: storesData)
        if !origin.hasMoreParts {
          for name in operation.context.additionalTypenames { transaction.refreshLists(of: name) }
        }
        if let before { transaction.takeBackData(since: before) }
      }
    }
    do {
      do {
        // Updates change what is stored.
        try write(runsUpdates: storesData)
      } catch let error as StoreError where error.code == .contention {
        let message = "\(ReadTarget(executing: operation)): \(error)"
        report([StoreDiagnostic(code: .mutationPolicy, message: message)])
        try write(runsUpdates: false)
      }
    } catch {
      // The data is not an object, or other writes kept interfering: there is nothing to store.
      if let layer { removeLayer(layer) }
      let target = ReadTarget(executing: operation)
      let message = "\(target): the data of the response was not stored: \(error)"
      report([StoreDiagnostic(code: .notStored, message: message)])
    }
  }

  /// Shows the optimistic result of a mutation, if there is one.
  ///
  /// - Returns: the layer to remove when the response is there.
  func showOptimisticResult(of operation: GraphQLOperation, sentAt: LogicalInstant) -> UInt64? {
    let given = operation.context.optimisticResult
    let expected = configuration.mutationFields(
      of: operation, data: nil, isOptimistic: true, catalog)
    guard given != nil || expected.contains(where: { $0.policy.optimistic != nil }) else {
      return nil
    }
    // The same however often the layer is applied, except where nil stands for what is below.
    let fixed = given.flatMap { given in
      given.withoutNils == nil ? Result { try JSON(parsing: given.data.canonicalBytes()) } : nil
    }
    return addLayer(
      of: "\(ReadTarget(executing: operation))", sentAt: sentAt, session: operation.context.session
    ) { [configuration, catalog] transaction in
      let value = try given?.data ?? transaction.optimisticData(of: expected)
      guard let value else { return }
      let data =
        try given?.withoutNils.map { plain in
          try transaction.completed(value, for: ReadTarget(inCurrentSession: operation)) { plain }
        } ?? fixed?.get() ?? JSON(parsing: value.canonicalBytes())
      // Nothing follows from a field of which nobody has said what it will be.
      let fields = configuration.mutationFields(
        of: operation, data: data, isOptimistic: true, catalog
      )
      .filter { $0.field.value != nil }
      try transaction.write(
        data, operation, fields, newer: transaction.newer, refreshesLists: false)
    }
  }
}

extension JSON {
  /// Returns the cells that are null because of these errors. An error without a path may belong to
  /// any field of the root that is null.
  func cellsRefused(by errors: [GraphQLError]) -> Set<TapeIndex> {
    let cells = cellsNulled(by: errors)
    guard kind == .object, errors.contains(where: \.path.isEmpty) else { return cells }
    return cells.union(members.filter(\.value.isNull).map { $0.value.index })
  }
}

/// A root field of a mutation that has a policy.
struct ConfiguredField {
  let responseKey: String
  let field: MutationField
  var policy: MutationPolicy

  var withoutUpdate: ConfiguredField {
    var copy = self
    copy.policy.update = nil
    return copy
  }
}

extension NormalizedCacheConfiguration {
  /// Returns the root fields of a mutation that have a policy.
  func mutationFields(
    of operation: GraphQLOperation, data: JSON?, isOptimistic: Bool = false, _ catalog: Catalog
  ) -> [ConfiguredField] {
    guard !mutations.isEmpty else { return [] }
    let bindings = operation.bindings(catalog)
    let shape = bindings.shape(bindings.plan.root, RootType(operation.kind).type, isRoot: true)
    return shape.fields.compactMap { field in
      guard let policy = mutations[field.name] else { return nil }
      var arguments = JSONObject()
      var exactArguments: [String: JSON] = [:]
      for argument in field.syntax.arguments {
        if let bytes = bindings.variables.resolved(argument.value),
          let value = try? JSON(parsing: bytes)
        {
          arguments[argument.name] = value.value
          exactArguments[argument.name] = value
        }
      }
      let key = String(decoding: field.responseKey, as: UTF8.self)
      let mutation = MutationField(
        name: field.name, arguments: .object(arguments), value: data?[key],
        isOptimistic: isOptimistic, exactArguments: exactArguments)
      return ConfiguredField(responseKey: key, field: mutation, policy: policy)
    }
  }
}

extension StoreTransaction {
  /// Writes the data of a mutation or subscription, and what follows from it: of a result that comes in
  /// parts, from the last one.
  mutating func write(
    _ data: JSON, _ operation: GraphQLOperation, _ fields: [ConfiguredField],
    skipped: Set<TapeIndex> = [], newer: [RecordReference: WrittenFields] = [:],
    isByHand: Bool = false,
    refreshesLists: Bool, isPart: Bool = false, isStored: Bool = true
  ) throws {
    try write(
      data, to: ReadTarget(inCurrentSession: operation), skipped: skipped, newer: newer,
      isByHand: isByHand)
    guard !isPart else { return updateLists() }
    // A list that one field brings may lack what the next field makes.
    if refreshesLists, isStored, data.members.map(\.key).count == 1 {
      for (record, fields) in outcome.writes where newer[record] == nil {
        brought[record, default: WrittenFields()].formUnion(fields)
      }
    }
    // Nothing follows from a field that has failed.
    let fields = fields.filter { $0.field.value.map { !skipped.contains($0.index) } ?? true }
    let covered = carryOut(fields)
    if refreshesLists {
      let others = data.members.filter { !covered.contains($0.key) }.map(\.value)
      refreshListsOfNewEntities(in: covered.isEmpty ? nil : others)
    }
    updateLists(isEvent: operation.kind == .subscription)
  }

  /// Carries out what policies declare.
  ///
  /// - Returns: the response keys of the fields of which a policy says what follows.
  private mutating func carryOut(_ fields: [ConfiguredField]) -> Set<String> {
    var covered: Set<String> = []
    for configured in fields {
      guard let update = configured.policy.update else { continue }
      if let error = attempt({ try update(configured.field, &$0) }) {
        outcome.diagnostics.append(
          StoreDiagnostic(
            code: .mutationPolicy,
            message: "The policy for \(configured.field.name) has changed nothing: "
              + StoreDiagnostic.text(of: error)))
      } else {
        covered.insert(configured.responseKey)
      }
    }
    // After the updates: what they have written is to be requested, too.
    for configured in fields {
      for name in configured.policy.refreshes where refresh(name) {
        covered.insert(configured.responseKey)
      }
    }
    return covered
  }

  /// Undoes what was written since, but not what has become stale.
  fileprivate mutating func takeBackData(since before: RecordState) {
    records = before
    (outcome.changes, outcome.refreshed) = (ChangeSet(), ChangeSet())
    outcome.shortened = ChangeSet()
    (outcome.writes, outcome.touched) = ([], [])
    outcome.staleFields.removeAll(exceptOf: { before.hasRow(of: $0) })
  }

  /// Returns the optimistic result that policies make for a mutation.
  func optimisticData(of fields: [ConfiguredField]) throws -> JSONValue? {
    var data = JSONObject()
    for configured in fields {
      guard let optimistic = configured.policy.optimistic else { continue }
      data[configured.responseKey] = optimistic(configured.field, self)
    }
    return data.isEmpty ? nil : .object(data)
  }
}
