public import Weir

/// Reads and writes that belong together; see ``NormalizedStore/update(_:)-(_)``.
///
/// It works on a copy of the records, which costs what is written, not what is stored. Nobody else
/// sees it before it ends, and it sees nothing of what others write meanwhile. It does not see
/// optimistic results either: those are not what a server has said. (Within the closures of a
/// ``MutationPolicy`` that make one, it sees those below.)
public struct StoreTransaction: ~Copyable {
  let catalog: Catalog
  var records: RecordState
  /// Of all that it writes.
  let version: UInt64
  var changes = ChangeSet()
  var writes: ContiguousArray<(record: RecordReference, fields: WrittenFields)> = []
  var diagnostics: [StoreDiagnostic] = []
  /// Whether what is written comes from the app; servers' mistakes are no reason to refuse a response.
  var isByHand = false
  /// Fields to be marked as stale.
  var staleFields: [(record: RecordReference, place: FieldPlace)] = []
  /// What is out of date that was requested before.
  var overtaken = OvertakenData()
  /// What it has written that has an age, and is perhaps the same as before.
  var refreshed = ChangeSet()
  /// What a storage is to remove or mark, too.
  var selections: [StoredSelection] = []
  /// Entities that it has written, to be put into lists and taken out of them.
  var touched: [RecordReference] = []
  /// Which fields hold lists of which tables' records.
  var listFields: ListFields
  /// Milliseconds of the store's clock; see `RecordWriter`.
  var now = RowAges.never
  /// What must not be overwritten by an optimistic result.
  var newer: [RecordReference: WrittenFields] = [:]
  /// Entities that others have brought since the mutation was sent whose result it writes.
  var newcomers: Set<RecordReference> = []

  init(catalog: Catalog, records: RecordState, version: UInt64, listFields: ListFields) {
    self.catalog = catalog
    self.records = records
    self.version = version
    self.listFields = listFields
  }
}

// MARK: - Operations

extension StoreTransaction {
  /// The data of an operation, if everything that it selects is there; else nil.
  public borrowing func read(_ operation: GraphQLOperation) -> JSON? {
    read(operation, allowsPartial: false)
  }

  borrowing func read(_ operation: GraphQLOperation, allowsPartial: Bool) -> JSON? {
    let root = RootType(operation.kind)
    let bindings = operation.bindings(catalog)
    let found = RecordReader(
      catalog: catalog, state: records, bindings: bindings, allowsPartial: allowsPartial
    ).read(root.reference, bindings.plan.root, isRoot: true)
    if !found.isComplete { noteMiss(ReadTarget(operation.ofAnySession)) }
    return found.document?.root
  }

  private borrowing func noteMiss(_ target: ReadTarget) {
    RunningTransaction.current?.noteMiss(target)
  }

  /// Merges data as if a server had sent them in answer to an operation.
  public mutating func write(_ data: JSON, for operation: GraphQLOperation) throws(StoreError) {
    try write(data, operation.bindings(catalog), target: .root(RootType(operation.kind)))
  }

  /// Merges data that are written down in your code.
  public mutating func write(
    _ data: JSONValue, for operation: GraphQLOperation
  ) throws {
    try write(JSON(parsing: try data.canonicalBytes()), for: operation)
  }

  /// Reads the data of an operation, lets `change` change them, and writes them back.
  ///
  /// - Throws: ``StoreError`` with the code `missing` if something of the data is not there; what
  ///   `change` throws.
  public mutating func update(
    _ operation: GraphQLOperation, _ change: (inout JSONValue) throws -> Void
  ) throws {
    guard let data = read(operation) else {
      throw StoreError(.missing, "Something that the operation selects is not in the store.")
    }
    var value = data.value
    try change(&value)
    try write(JSON(parsing: try value.canonicalBytes()), for: operation)
  }
}

// MARK: - Fragments

extension StoreTransaction {
  /// What a fragment selects of an entity, if everything is there; else nil.
  public borrowing func read(_ fragment: GraphQLFragment, of entity: Entity) -> JSON? {
    read(fragment, of: entity, allowsPartial: false)
  }

  borrowing func read(
    _ fragment: GraphQLFragment, of entity: Entity, allowsPartial: Bool
  ) -> JSON? {
    guard let record = records.record(of: entity, catalog),
      records.header(record).type != .removed
    else {
      noteMiss(ReadTarget(fragment, of: entity, catalog))
      return nil
    }
    let bindings = fragment.bindings(catalog)
    let found = RecordReader(
      catalog: catalog, state: records, bindings: bindings, allowsPartial: allowsPartial
    ).read(record, bindings.plan.root, isRoot: false)
    if !found.isComplete { noteMiss(ReadTarget(fragment, of: entity, catalog)) }
    return found.document?.root
  }

  /// Merges data into an entity, which is made if it is not there.
  public mutating func write(
    _ data: JSON, for fragment: GraphQLFragment, of entity: Entity
  ) throws(StoreError) {
    let name = data["__typename"]?.string
    guard let type = type(of: entity, named: name, fragment), !entity.id.isEmpty else {
      throw StoreError(.noKey, "An entity needs a type and an id.")
    }
    try write(
      data, fragment.bindings(catalog),
      target: .entity(type, key: Array(entity.id.utf8)))
  }

  /// The type that an entity is written as: in a group the one that the data name; of one that is
  /// named by its group that which it has, or else that which the fragment is on.
  func type(
    of entity: Entity, named typename: String?, _ fragment: GraphQLFragment
  ) -> TypeID? {
    guard let type = catalog.type(named: entity.typename) else { return nil }
    let groups = catalog.policies.groups
    let space = catalog.tableName(catalog.table(of: type))
    guard groups.values.contains(space) else { return type }
    if let typename, groups[typename] ?? typename == space {
      return catalog.objectType(named: typename)
    }
    guard entity.typename == space else { return type }
    if let record = records.record(of: entity, catalog), records.header(record).type != .removed {
      return records.header(record).type
    }
    return groups[fragment.typeCondition] == space
      ? catalog.objectType(named: fragment.typeCondition) : type
  }

  /// Reads what a fragment selects, lets `change` change it, and writes it back.
  ///
  /// - Throws: ``StoreError`` with the code `missing` if something is not there; what `change`
  ///   throws.
  public mutating func update(
    _ fragment: GraphQLFragment, of entity: Entity, _ change: (inout JSONValue) throws -> Void
  ) throws {
    guard let data = read(fragment, of: entity) else {
      throw StoreError(.missing, "Something that the fragment selects is not in the store.")
    }
    var value = data.value
    try change(&value)
    try write(JSON(parsing: try value.canonicalBytes()), for: fragment, of: entity)
  }
}

// MARK: - Writing

extension StoreTransaction {
  mutating func write(
    _ data: JSON, _ bindings: Bindings, target: LayerTarget,
    skipped: Set<Int> = [], newer: [RecordReference: WrittenFields] = [:],
    expiry: Int64 = RowAges.never
  ) throws(StoreError) {
    guard data.kind == .object else {
      throw StoreError(.notAnObject, "The data are no object.")
    }
    let root: RootType
    if case .root(let type) = target { root = type } else { root = .query }
    let source = WriteSource(data, bindings: bindings, root: root, skipped: skipped)
    data.withTape { tape, index in
      var writer = source.writer(tape, version: version)
      writer.newer = newer
      writer.expiry = expiry
      writer.now = now
      writer.notesWrites = true
      writer.notesAges = true
      switch target {
      case .root(let root):
        writer.write(
          index, node: bindings.plan.root, into: root.reference, type: root.type, isRoot: true,
          &records)
      case .entity(let type, let key):
        let record = key.withUnsafeBufferPointer {
          records.findOrMake(table: catalog.table(of: type), key: $0, version: version)
        }
        writer.write(
          index, node: bindings.plan.root, into: record, type: type, isRoot: false, &records)
      }
      take(writer)
    }
    if let object = diagnostics.first(where: { $0.code == .noTypename }), isByHand {
      throw StoreError(.noTypename, object.message)
    }
  }

  private mutating func take(_ writer: RecordWriter) {
    changes.changes.take(writer.changes.changes)
    refreshed.changes.take(writer.refreshed.changes)
    writes.take(writer.writes)
    diagnostics += writer.diagnostics
    listFields.formUnion(writer.listFields)
    if !catalog.policies.memberships.isEmpty {
      // What says the same as before may be new to a list: a query can have brought it first.
      touched += writer.writes.map(\.record)
    }
  }
}

extension ContiguousArray {
  /// Adds elements, which are not copied if there are no others.
  fileprivate mutating func take(_ elements: ContiguousArray) {
    if isEmpty { self = elements } else { self += elements }
  }
}

/// Where a piece of data is written to.
enum LayerTarget {
  case root(RootType)
  /// An entity, by its type and the text of its key.
  case entity(TypeID, key: [UInt8])
}

/// Why something could not be read or written by hand.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of mistake.
  public enum Code: Hashable, Sendable {
    /// Something that was to be updated is not in the store.
    case missing
    /// The data are no JSON object.
    case notAnObject
    /// An entity without type or id.
    case noKey
    /// An object whose type cannot be told: its `__typename` is missing.
    case noTypename
    /// Data of your own type lack what is selected, and the store does not have it, or cannot tell of
    /// which object.
    case incompleteType
    /// The fragment's text is none, or has several.
    case fragment
    /// A transaction within a transaction, or a direct write to its store.
    case nested
    /// Others have written to what a transaction has read, again and again.
    case contention
    /// A snapshot that cannot be read.
    case snapshot
  }

  /// What kind of mistake.
  public let code: Code
  /// A sentence for a developer.
  public let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
