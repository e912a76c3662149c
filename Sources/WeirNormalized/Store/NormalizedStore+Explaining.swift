public import Weir

/// Whether a store can answer an operation, and why not.
public struct ReadExplanation: Sendable, CustomStringConvertible {
  /// The outcome of a read.
  public enum Status: String, Hashable, Sendable {
    /// All fields are there and fresh.
    case complete
    /// All fields are there, some of them stale.
    case stale
    /// Some fields are there.
    case partial
    /// No field is there. If a single field is named, without a path, the entity itself does not exist.
    case missing
    /// The operation has a defect, such as a document that cannot be parsed; see ``defect``.
    case defective
  }

  /// The outcome of a read.
  public let status: Status
  /// The missing and stale fields, in the order of the result.
  public let fields: [MissingField]
  /// Why the operation cannot be executed at all; nil if it can.
  public var defect: OperationError?

  /// The status, and a line for the defect and for each field that is missing or stale.
  public var description: String {
    ([status.rawValue] + [defect?.message].compactMap(\.self) + fields.map(\.description))
      .joined(separator: "\n")
  }
}

extension NormalizedStore {
  /// Explains whether the store can answer an operation, and names every field that is missing, is stale
  /// or refers to an entity that does not exist. Costs as much as a read.
  public func explain(_ operation: GraphQLOperation) -> ReadExplanation {
    if let defect = operation.defect {
      return ReadExplanation(status: .defective, fields: [], defect: defect)
    }
    return partition(of: operation.context).explain(ReadTarget(operation.ofAnySession))
  }

  /// Explains whether a fragment of an entity can be read, and why not.
  public func explain(_ fragment: GraphQLFragment, of entity: Entity) -> ReadExplanation {
    explain(ReadTarget(fragment, of: entity, catalog))
  }

  private func explain(_ target: ReadTarget) -> ReadExplanation {
    let records = state.withLock { $0.visible }
    let bindings = target.bindings(catalog)
    guard let record = records.record(at: target.origin, catalog) else {
      return ReadExplanation(
        status: .missing, fields: [MissingField(path: [], reason: .dangling)])
    }
    var reader = RecordReader(
      catalog: catalog, state: records, bindings: bindings, allowsPartial: true)
    reader.staleBefore = milliseconds
    let isRoot = if case .root = target.origin { true } else { false }
    let found = reader.read(record, bindings.plan.root, isRoot: isRoot)
    guard let document = found.document else {
      return ReadExplanation(status: .missing, fields: [])
    }
    var fields = zip(found.missing, found.reasons).map { ($0, $1) }
    fields += found.expired.map { ($0, MissingField.Reason.expired) }
    fields.sort { $0.0 < $1.0 }
    let status: ReadExplanation.Status =
      found.missing.isEmpty
      ? (fields.isEmpty ? .complete : .stale)
      : (document.isAllMissing(found.missing) ? .missing : .partial)
    return ReadExplanation(
      status: status,
      fields: fields.map { MissingField(path: document.path(to: $0.0), reason: $0.1) })
  }
}

extension MissingField {
  /// The fields of a target that records lack; empty if there is no record to begin with.
  static func list(
    of target: ReadTarget, _ records: RecordState, _ catalog: Catalog
  ) -> [MissingField] {
    let bindings = target.bindings(catalog)
    guard let record = records.record(at: target.origin, catalog) else { return [] }
    let reader = RecordReader(
      catalog: catalog, state: records, bindings: bindings, allowsPartial: true)
    let found = reader.read(record, bindings.plan.root, isRoot: target.isRoot)
    guard let document = found.document else { return [] }
    return zip(found.missing, found.reasons).map {
      MissingField(path: document.path(to: $0), reason: $1)
    }
  }
}

extension ReadTarget {
  /// The variables that should have a value but do not.
  func unsetVariables(_ bindings: Bindings) -> [StoreDiagnostic] {
    bindings.plan.unsetVariables(bindings.variables).map { name in
      StoreDiagnostic(
        code: .unsetVariable, message: "\(self): the variable $\(name) has no value.")
    }
  }
}

extension JSONDocument {
  /// The path from the root to a cell.
  func path(to target: Int) -> [GraphQLError.PathElement] {
    withTape { tape in
      tape.path(from: 0, to: target, key: { .key($0) }, index: { .index($0) })
    }
  }

  /// Whether all members of the root are among these cells, so that nothing is there.
  func isAllMissing(_ missing: [Int]) -> Bool {
    let missing = Set(missing)
    return withTape { tape in
      for (position, child) in tape.children(of: 0).enumerated() {
        let key = tape.string(tape.key(tape.keyList(0), position))
        if key != "__typename", !missing.contains(child) { return false }
      }
      return tape.count(0) > 0
    }
  }
}
