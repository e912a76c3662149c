import Weir

/// What responses have shown of the API beyond their data. Without it, what comes from a storage
/// could not be read and changed as it was before: which object types there are, which of them are
/// within which type conditions, and which fields hold lists of which types.
struct LearnedNames {
  var objectTypes: Set<String> = []
  var conditions: [Condition: Bool] = [:]
  var lists: Set<List> = []
  /// Of what is known; nil if there may be more.
  var version: Version?

  struct Version: Equatable {
    let conditions: Int
    let lists: Int
  }

  struct Condition: Hashable {
    let condition: String
    let type: String
  }

  /// Lists of entities, in fields of records of a key space.
  struct List: Hashable {
    let owner: String
    let field: String
    let element: String
  }

  mutating func formUnion(_ other: LearnedNames) {
    objectTypes.formUnion(other.objectTypes)
    conditions.merge(other.conditions) { known, _ in known }
    lists.formUnion(other.lists)
  }
}

// MARK: - As a record

extension LearnedNames {
  /// No entity has a key without a colon.
  static let key = "LEARNED"

  /// ```
  /// version 0 count text* count (text text byte)* count (text text text)*
  /// ```
  var value: [UInt8] {
    var encoder = RecordEncoder(RecordState(seed: 0), Catalog(.init()), epoch: 0, names: .init())
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
    encoder.append(UInt64(lists.count))
    for list in lists {
      encoder.append(text: list.owner)
      encoder.append(text: list.field)
      encoder.append(text: list.element)
    }
    return encoder.take()
  }

  init?(_ value: [UInt8]) {
    guard StoredValue.isReadable(value) else { return nil }
    var decoder = RecordDecoder(
      catalog: Catalog(.init()), epoch: 0, version: 0, names: RecordNames())
    decoder.begin(value, at: StoredValue.headerLength)
    do {
      for _ in 0..<(try decoder.integer()) { objectTypes.insert(try decoder.text()) }
      for _ in 0..<(try decoder.integer()) {
        let condition = Condition(condition: try decoder.text(), type: try decoder.text())
        conditions[condition] = try decoder.byte() != 0
      }
      for _ in 0..<(try decoder.integer()) {
        lists.insert(
          List(
            owner: try decoder.text(), field: try decoder.text(), element: try decoder.text()))
      }
    } catch {
      return nil
    }
  }
}

// MARK: - In a store

extension Catalog {
  /// What was learned of types.
  var learned: LearnedNames {
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

  /// Takes over what was learned in an earlier run; what is known already counts more.
  func learn(_ learned: LearnedNames) {
    for name in learned.objectTypes { _ = objectType(named: name) }
    for (key, holds) in learned.conditions {
      guard let type = type(named: key.type), condition(key.condition, holdsFor: type) == nil
      else { continue }
      learn(key.condition, holds: holds, for: type)
    }
  }
}

extension ListFields {
  var count: Int { fields.values.reduce(0) { $0 + $1.count } }

  /// The names of the fields of a table's records.
  func names(in table: Int) -> Set<String> {
    Set(fields.values.joined().filter { $0.table == table }.map(\.name))
  }

  func learned(_ catalog: Catalog) -> Set<LearnedNames.List> {
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

  mutating func learn(_ lists: Set<LearnedNames.List>, _ catalog: Catalog) {
    for list in lists {
      guard let owner = catalog.tableOrNew(named: list.owner),
        let element = catalog.tableOrNew(named: list.element)
      else { continue }
      note(Field(table: owner, name: list.field), elementTable: element)
    }
  }
}
