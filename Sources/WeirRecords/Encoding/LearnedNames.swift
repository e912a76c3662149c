import Weir

/// Facts about the API that responses have shown beyond their data: which object types exist, which of
/// them match which type conditions, which fields hold lists of which types, and which stored
/// fields hold embedded objects, which may contain lists.
///
/// It is saved with the records. Without it, the cache could not read and change loaded records as
/// it did before.
package struct LearnedNames {
  var objectTypes: Set<String> = []
  var conditions: [Condition: Bool] = [:]
  package var lists: Set<List> = []
  /// Fields of stored records that hold embedded objects.
  package var holders: Set<List> = []
  /// The state that this describes; nil if more may be known by now.
  package var version: (conditions: Int, lists: Int)?

  package init() {}

  package struct Condition: Hashable {
    let condition: String
    let type: String
  }

  /// A field, of the records of a key space, that holds a list of entities or embedded objects.
  package struct List: Hashable {
    let owner: String
    let field: String
    let element: String
  }

  package mutating func formUnion(_ other: LearnedNames) {
    objectTypes.formUnion(other.objectTypes)
    conditions.merge(other.conditions) { known, _ in known }
    lists.formUnion(other.lists)
    holders.formUnion(other.holders)
  }
}

// MARK: - As a record

extension LearnedNames {
  /// Never the key of an entity, which contains a colon.
  package static let key = "LEARNED"

  /// ```
  /// version 0 count text* count (text text byte)* (count (text text text)*){2}
  /// ```
  package var value: [UInt8] {
    var encoder = RecordEncoder(RecordState(seed: 0), Catalog(.init()), names: .init())
    encoder.append(byte: StoredValue.version)
    encoder.append(byte: 0)
    encoder.append(UInt64(objectTypes.count))
    for type in objectTypes { encoder.append(text: type) }
    encoder.append(UInt64(conditions.count))
    for (condition, holds) in conditions {
      encoder.append(text: condition.condition)
      encoder.append(text: condition.type)
      encoder.append(byte: holds ? 1 : 0)
    }
    for lists in [lists, holders] {
      encoder.append(UInt64(lists.count))
      for list in lists {
        encoder.append(text: list.owner)
        encoder.append(text: list.field)
        encoder.append(text: list.element)
      }
    }
    return encoder.take()
  }

  package init?(_ value: [UInt8]) {
    guard StoredValue.isReadable(value) else { return nil }
    var decoder = RecordDecoder(catalog: Catalog(.init()), version: 0, names: RecordNames())
    decoder.begin(value, at: StoredValue.headerLength)
    do {
      for _ in 0..<(try decoder.integer()) { objectTypes.insert(try decoder.text()) }
      for _ in 0..<(try decoder.integer()) {
        let condition = Condition(condition: try decoder.text(), type: try decoder.text())
        conditions[condition] = try decoder.byte() != 0
      }
      lists = try decoder.learnedLists()
      holders = try decoder.learnedLists()
    } catch {
      return nil
    }
  }
}

extension RecordDecoder {
  fileprivate mutating func learnedLists() throws(Damage) -> Set<LearnedNames.List> {
    var lists: Set<LearnedNames.List> = []
    for _ in 0..<(try integer()) {
      lists.insert(.init(owner: try text(), field: try text(), element: try text()))
    }
    return lists
  }
}

// MARK: - In a store

extension Catalog {
  /// The facts that the catalog has learned about types.
  package var learned: LearnedNames {
    state.withLock { state in
      var learned = LearnedNames()
      learned.objectTypes = state.objectTypes
      for (key, holds) in state.conditions {
        let type = state.types[Int(key.type.rawValue)].name
        learned.conditions[.init(condition: key.condition, type: type)] = holds
      }
      return learned
    }
  }

  /// Adds what an earlier run has learned. Facts that are known already take precedence.
  package func learn(_ learned: LearnedNames) {
    for name in learned.objectTypes { _ = objectType(named: name) }
    for (key, holds) in learned.conditions {
      guard let type = type(named: key.type) else { continue }
      let key = ConditionKey(condition: key.condition, type: type)
      if state.withLock({ $0.conditions[key] == nil }) {
        learn(key.condition, holds: holds, for: type)
      }
    }
  }
}

extension LearnedNames {
  /// Returns the fields that are known to hold objects of a type, in lists or embedded.
  package func fields(holding typename: String, _ catalog: Catalog) -> Set<ListFields.Field> {
    let known = catalog.knownType(named: typename)
    let space =
      known.map { catalog.tableName(catalog.table(of: $0)) } ?? catalog.keySpace(of: typename)
    let fields = lists.union(holders).filter { $0.element == space }.compactMap { list in
      catalog.tableOrNew(named: list.owner).map { ListFields.Field(table: $0, name: list.field) }
    }
    return withHolders(of: Set(fields), catalog)
  }

  /// Returns the given fields, and the fields that hold the embedded objects they belong to. For
  /// example, a connection's field holds its edges: edges are stored with their owner.
  package func withHolders(of start: Set<ListFields.Field>, _ catalog: Catalog) -> Set<
    ListFields.Field
  > {
    var found = start
    var pending = Array(start)
    while let field = pending.popLast() {
      let space = catalog.tableName(field.table)
      for holder in holders where holder.element == space {
        guard let owner = catalog.tableOrNew(named: holder.owner) else { continue }
        let field = ListFields.Field(table: owner, name: holder.field)
        if found.insert(field).inserted { pending.append(field) }
      }
    }
    return found
  }
}

extension ListFields {
  package var count: Int { fields.values.reduce(0) { $0 + $1.count } }

  package func learned(_ catalog: Catalog) -> Set<LearnedNames.List> {
    var lists: Set<LearnedNames.List> = []
    for (table, fields) in fields {
      let element = catalog.tableName(table)
      for field in fields {
        lists.insert(
          .init(owner: catalog.tableName(field.table), field: field.name, element: element))
      }
    }
    return lists
  }

  package mutating func learn(_ lists: Set<LearnedNames.List>, _ catalog: Catalog) {
    for list in lists {
      guard let owner = catalog.tableOrNew(named: list.owner),
        let element = catalog.tableOrNew(named: list.element)
      else { continue }
      note(Field(table: owner, name: list.field), elementTable: element)
    }
  }
}
