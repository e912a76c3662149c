import GraphQLLanguage
public import Weir

extension NormalizedStore {
  /// The result of a mutation, or an event of a subscription, has come: writes it, with all that is
  /// configured to follow, in one step with the end of its optimistic result.
  func receiveMutation(
    _ data: JSON, errors: [GraphQLError], of operation: GraphQLOperation, origin: WriteOrigin,
    removing layer: UInt64?
  ) {
    let skipped = data.cellsRefused(by: errors)
    let fields = configuration.mutationFields(of: operation, data: data, catalog)
    do {
      try commit(removing: layer, origin: origin, session: operation.context.session) {
        transaction, start in
        transaction.arrivals = start.arrivals
        try transaction.write(
          data, operation, fields, skipped: skipped, newer: start.newer,
          refreshesLists: operation.kind == .mutation)
        for name in operation.context.additionalTypenames { transaction.refreshLists(of: name) }
      }
    } catch {
      // The data are no object, or others kept writing: there is nothing to take over.
      if let layer { removeLayer(layer) }
    }
  }

  /// Shows what a mutation is expected to come to, if anything is expected.
  ///
  /// - Returns: what to take away when the result is there.
  func showOptimisticResult(
    of operation: GraphQLOperation, sentAt: LogicalInstant? = nil
  ) -> UInt64? {
    let given = operation.context.optimisticResult
    let expected = configuration.mutationFields(of: operation, data: nil, catalog)
    guard given != nil || expected.contains(where: { $0.policy.optimistic != nil }) else {
      return nil
    }
    return addLayer(sentAt: sentAt) { [configuration, catalog] transaction in
      let value = try given?.data ?? transaction.optimisticData(of: expected)
      guard let value else { return }
      let data =
        try given?.withoutNils.map { plain in
          try transaction.completed(value, for: ReadTarget(operation)) { plain }
        } ?? JSON(parsing: value.canonicalBytes())
      try transaction.write(
        data, operation, configuration.mutationFields(of: operation, data: data, catalog),
        newer: transaction.newer, refreshesLists: false)
    }
  }
}

extension JSON {
  /// The cells that are null because of these errors, and fields of the root that may be: an error
  /// that does not say where it belongs may belong to any of them.
  func cellsRefused(by errors: [GraphQLError]) -> Set<Int> {
    let cells = cellsNulled(by: errors)
    guard kind == .object, errors.contains(where: \.path.isEmpty) else { return cells }
    return cells.union(members.filter(\.value.isNull).map { Int($0.value.index) })
  }
}

/// A field that a mutation selects on the root and for which something is configured.
typealias ConfiguredField = (responseKey: String, field: MutationField, policy: MutationPolicy)

extension NormalizedCacheConfiguration {
  /// The fields that a mutation selects on the root and for which something is configured.
  func mutationFields(
    of operation: GraphQLOperation, data: JSON?, _ catalog: Catalog
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
        exactArguments: exactArguments)
      return (key, mutation, policy)
    }
  }
}

extension StoreTransaction {
  /// Writes the data of a mutation or subscription, and what follows from them.
  mutating func write(
    _ data: JSON, _ operation: GraphQLOperation, _ fields: [ConfiguredField],
    skipped: Set<Int> = [], newer: [RecordReference: WrittenFields] = [:], refreshesLists: Bool
  ) throws {
    let root = RootType(operation.kind)
    try write(data, to: ReadTarget(operation), skipped: skipped, newer: newer)
    // What a mutation's root holds belongs to this one result; nobody reads it again.
    forgetFields(of: root)
    var isCovered = false
    for (_, field, policy) in fields {
      // A field that failed has done nothing: what would follow from it does not.
      if let value = field.value, skipped.contains(Int(value.index)) { continue }
      for name in policy.refreshes { refresh(name) }
      if let update = policy.update {
        attempt { try update(field, &$0) }
        isCovered = true
      }
      if !policy.refreshes.isEmpty { isCovered = true }
    }
    if refreshesLists, !isCovered { refreshListsOfNewEntities() }
    updateLists()
  }

  private mutating func forgetFields(of root: RootType) {
    let record = root.reference
    for place in records.places(of: record, catalog) { clear(place, of: record) }
  }

  /// What the policies expect a mutation to return.
  func optimisticData(of fields: [ConfiguredField]) throws -> JSONValue? {
    var data = JSONObject()
    for (key, field, policy) in fields {
      guard let optimistic = policy.optimistic else { continue }
      data[key] = optimistic(field, self)
    }
    return data.isEmpty ? nil : .object(data)
  }
}

extension OperationContext {
  fileprivate struct OptimisticResult: Sendable {
    let data: JSONValue
    /// If the data are those of a type, with null for nil: the same without.
    var withoutNils: JSONValue?
  }

  private enum OptimisticResultKey: OperationContextKey {
    static let defaultValue: OptimisticResult? = nil
  }

  fileprivate var optimisticResult: OptimisticResult? {
    get { self[OptimisticResultKey.self] }
    set { self[OptimisticResultKey.self] = newValue }
  }

  /// What a mutation is expected to return: an object with what it selects, by response keys, type
  /// names included. A normalized cache shows it at once, and exchanges it for the real result, or
  /// takes it back if the mutation fails, in one step.
  public var optimisticData: JSONValue? {
    get { optimisticResult?.data }
    set { optimisticResult = newValue.map { OptimisticResult(data: $0) } }
  }

  /// Sets ``optimisticData`` from a value of your own. Optional members that are nil are shown as
  /// null; fields that the value's type does not have keep what they have.
  ///
  /// - Throws: what encoding it throws.
  public mutating func setOptimisticData(_ value: some Encodable) throws {
    let data = try JSONValue(encodingNils: value)
    optimisticResult = OptimisticResult(
      data: data, withoutNils: data.holdsNulls ? try JSONValue(encoding: value) : nil)
  }
}
