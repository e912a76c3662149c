public import Weir

/// Reads and writes that belong together; see ``NormalizedStore/update(_:)-(_)``.
///
/// A transaction works on a copy of the records, whose cost is proportional to what is written, not to
/// what is stored. Others see nothing of it before it ends, and it sees nothing that others write
/// meanwhile. It does not see optimistic results either, because no server has confirmed them. (Within
/// the closures of a ``MutationPolicy`` that make one, it sees the optimistic results below; in
/// ``NormalizedStore/read(_:)->Result``, all of them.)
public struct StoreTransaction: ~Copyable {
  let catalog: Catalog
  var records: RecordState
  /// The version of all that it writes.
  let version: UInt64
  var outcome: TransactionOutcome
  /// Those of all its writes, except what each brings itself.
  let rules: WriteRules
  /// The fields that an optimistic result must not overwrite.
  var newer: [RecordReference: WrittenFields] = [:]
  /// The lists and other fields that a mutation has brought itself, and that need not be refreshed.
  var brought: [RecordReference: WrittenFields] = [:]
  /// Entities that others have written since the mutation was sent whose result the transaction writes.
  let newEntities: Set<RecordReference>
  /// The endpoint and headers of the partition; nil for the default ones.
  private let scope: String?
  private let hasStorage: Bool
  /// Whether other requests are in flight; see `TransactionStart`.
  let hasOtherRequests: Bool

  init(_ start: TransactionStart, _ rules: WriteRules, scope: String?) {
    self.scope = scope
    self.rules = rules
    catalog = start.catalog
    records = start.records
    version = start.version
    newEntities = start.newEntities
    hasStorage = start.hasStorage
    hasOtherRequests = start.hasOtherRequests
    outcome = TransactionOutcome(listFields: start.listFields)
  }
}

// MARK: - Reading

extension StoreTransaction {
  /// Returns the data of an operation if everything that it selects is there; otherwise nil.
  public borrowing func read(_ operation: GraphQLOperation) -> JSON? {
    read(ReadTarget(inCurrentSession: operation))
  }

  /// Returns the fields of an entity that a fragment selects if they are all there; otherwise nil.
  public borrowing func read(_ fragment: GraphQLFragment, of entity: Entity) -> JSON? {
    read(ReadTarget(fragment, of: entity, catalog))
  }

  /// Whether a target is in the partition to which the transaction belongs.
  private borrowing func reaches(_ target: ReadTarget) -> Bool {
    target.scope == nil || target.scope == scope
  }

  borrowing func read(_ target: ReadTarget, allowsPartial: Bool = false) -> JSON? {
    guard reaches(target), target.defect == nil else { return nil }
    return find(target, allowsPartial: allowsPartial).document?.root
  }

  private borrowing func find(_ target: ReadTarget, allowsPartial: Bool) -> ReadResult {
    let found = target.read(records, catalog, allowsPartial: allowsPartial) ?? ReadResult()
    if !found.isComplete || found.trace.hasDangling {
      RunningTransaction.current?.noteMiss(target)
    }
    return found
  }

  /// - Throws: ``StoreError`` with the code `missing` if something is not there.
  borrowing func readAll(_ target: ReadTarget) throws(StoreError) -> ShownData {
    try check(target)
    // Of another type, a fragment would select nothing.
    if let mistake = mistakenType(of: target) { throw mistake }
    let found = find(target, allowsPartial: false)
    if let data = found.document?.root { return ShownData(data: data, joined: found.joined) }
    let missing = ReadExplanation(target, records, catalog).fields.prefix(3)
    let fields =
      missing.first?.path.isEmpty ?? true
      ? "it does not exist" : missing.map(\.description).joined(separator: ", ")
    let cure =
      hasStorage
      ? "A transaction sees what is in memory: if the storage may have it, call `await store.load` "
        + "before. Otherwise request it, or write it as a whole."
      : "Request it before, or write it as a whole."
    throw StoreError(.missing, "\(target) cannot be updated: \(fields). \(cure)")
  }

  /// - Throws: ``StoreError`` if a target can neither be read nor written here.
  private borrowing func check(_ target: ReadTarget) throws(StoreError) {
    guard reaches(target) else { throw .otherPartition(target) }
    if let defect = target.defect { throw .defect(defect, target) }
  }
}

// MARK: - Writing

extension StoreTransaction {
  /// Merges data as if a server had sent it in response to an operation.
  ///
  /// - Throws: ``StoreError``; then nothing of the data is written. With the code `operation` for an
  ///   operation with a defect, with `otherPartition` for one with another endpoint or other headers than
  ///   the transaction, with `notAnObject` for data that is not an object where fields are selected, and
  ///   with `noTypename` for an object of unknown type.
  public mutating func write(_ data: JSON, for operation: GraphQLOperation) throws(StoreError) {
    try write(data, to: ReadTarget(inCurrentSession: operation))
  }

  /// Merges data that your code contains.
  ///
  /// - Throws: ``StoreError`` as ``write(_:for:)-(JSON,_)``; `JSONError` if a number is not finite.
  public mutating func write(
    _ data: JSONValue, for operation: GraphQLOperation
  ) throws {
    try write(data, to: ReadTarget(inCurrentSession: operation))
  }

  /// Reads the data of an operation, lets `change` modify it, and writes it back.
  ///
  /// Only what it has changed counts as written: the rest keeps its age. If the data shows an entity several
  /// times, it is enough to change it in one place.
  ///
  /// - Throws: ``StoreError`` with the code `missing` if some of the data is not there, otherwise as
  ///   ``write(_:for:)-(JSON,_)``; `JSONError` if a number is not finite; the error of `change`.
  public mutating func update(
    _ operation: GraphQLOperation, _ change: (inout JSONValue) throws -> Void
  ) throws {
    try update(ReadTarget(inCurrentSession: operation), change)
  }

  /// Merges data into an entity, which is created if it does not exist.
  ///
  /// - Throws: ``StoreError`` as ``write(_:for:)-(JSON,_)``. Also with the code `noKey` if the entity has
  ///   no type or no id, and with `wrongKey` if the data has the key of another entity.
  public mutating func write(
    _ data: JSON, for fragment: GraphQLFragment, of entity: Entity
  ) throws(StoreError) {
    try write(data, to: ReadTarget(fragment, of: entity, catalog))
  }

  /// Reads the fields that a fragment selects, lets `change` modify them, and writes them back.
  ///
  /// - Throws: ``StoreError`` with the code `missing` if a field is not there, otherwise as
  ///   ``write(_:for:of:)-(JSON,_,_)``; `JSONError` if a number is not finite; the error of `change`.
  public mutating func update(
    _ fragment: GraphQLFragment, of entity: Entity, _ change: (inout JSONValue) throws -> Void
  ) throws {
    try update(ReadTarget(fragment, of: entity, catalog), change)
  }

  private mutating func update(
    _ target: ReadTarget, _ change: (inout JSONValue) throws -> Void
  ) throws {
    let shown = try readAll(target)
    var value = shown.data.value
    try change(&value)
    try write(value, to: target, updating: shown)
  }

  private mutating func write(
    _ data: JSONValue, to target: ReadTarget, updating shown: ShownData? = nil
  ) throws {
    try write(JSON(parsing: try data.canonicalBytes()), to: target, updating: shown)
  }

  mutating func write(
    _ data: JSON, to target: ReadTarget, skipped: Set<TapeIndex> = [],
    newer: [RecordReference: WrittenFields] = [:], isByHand: Bool = true,
    updating shown: ShownData? = nil
  ) throws(StoreError) {
    try check(target)
    let type = try type(of: target, named: data["__typename"]?.string)
    guard data.kind == .object else { throw .notAnObject }
    let bindings = target.bindings(catalog)
    try checkKey(of: data, type, target, bindings)
    // If the app catches the error, the transaction continues with the earlier records.
    let recordsBefore = isByHand ? records : nil
    var rules = rules
    (rules.newer, rules.isByHand) = (newer, isByHand)
    // An update writes back what it has read.
    if shown != nil { rules.renewsPages = false }
    let source = WriteSource(
      data, of: type, isRoot: target.isRoot, bindings: bindings, skipped: skipped,
      isWhole: !isByHand && !rules.mayLackMembers)
    outcome.diagnostics += target.unsetVariables(bindings)
    var pages = UpdatedPages(shown, in: data)
    var joined: [JoinedPages] = []
    let refusal = data.withTape { tape, index -> StoreError? in
      var writer: RecordWriter
      // A connection is kept back until one of its lists has changed; then everything is written again,
      // with that connection.
      repeat {
        if let recordsBefore { records = recordsBefore }
        writer = source.writer(tape, version: version, rules, unchanged: pages.unchanged)
        if shown != nil { (writer.before, writer.shownLists) = (recordsBefore, pages.lists) }
        let record = makeRecord(at: target.origin, type)
        writer.write(
          index, node: bindings.plan.root, into: record, type: type, isRoot: target.isRoot, &records
        )
      } while pages.releaseChanged(except: writer.keptLists)
      if isByHand, let refusal = StoreError(refusing: writer.diagnostics, target) {
        return refusal
      }
      if shown != nil, let recordsBefore {
        var moved: [(RecordReference, FieldPlace)] = []
        joined = splitIntoPages(pages.written, since: recordsBefore, &moved)
        writer.keepUnchanged(since: recordsBefore, &records)
        for (record, place) in moved { note(record, place) }
      }
      take(writer, isUpdate: shown != nil)
      return nil
    }
    if let recordsBefore, let refusal {
      records = recordsBefore
      throw refusal
    }
    // The root of a mutation or subscription belongs to this one result, and is never read again.
    if case .root(let root) = target.origin, root != .query { removeFields(of: root.reference) }
    if isByHand { removeFromOtherPages(joined) }
  }

  /// Runs `body`, and undoes all that it has done if it throws or has written to the store directly.
  ///
  /// - Returns: the error.
  @discardableResult
  mutating func attempt(_ body: (inout StoreTransaction) throws -> Void) -> (any Error)? {
    let (records, outcome) = (records, outcome)
    let running = RunningTransaction.current
    do {
      try body(&self)
      if let running, running.takeRefusal() { throw StoreError.writeWithinTransaction }
      return nil
    } catch {
      (self.records, self.outcome) = (records, outcome)
      _ = running?.takeRefusal()
      return error
    }
  }
}

/// The data that an update has read.
struct ShownData {
  let data: JSON
  let joined: [JoinedPages]
}
