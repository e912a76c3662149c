package import Weir

/// The names that a store has seen, and what was compiled from its documents.
///
/// Numbers are assigned once and do not change while a record or a shape uses them, so all states of
/// the records and all shapes agree about them. The catalog has its own lock, which is taken when a
/// walk finds something new.
package final class Catalog: Sendable {
  package let policies: RecordPolicies
  let state: Locked<State>
  /// Changes whenever fields are forgotten. The number of a field that nothing in the store uses is
  /// valid as long as this has not changed.
  let forgetCount = AtomicWord()
  private let fieldCountWord = AtomicWord()
  /// Changes whenever a type condition holds that seemed not to. Plans that were made before may have
  /// left out its fields.
  package let retractionCount = AtomicWord()
  /// Changes whenever more is known of a type condition; see `ReadTrace.isOutdated`.
  package let lessonCount = AtomicWord()
  /// The names of all lists that pages may have which are objects, such as `edges`.
  let pageLists: [String]
  /// Whether any field has pages by token.
  let hasPageTokens: Bool
  /// The key spaces that a closure has named.
  let keySpaces = Locked<[String: String]>([:])
  /// The names among them that no type used at the end of the last session.
  let idleKeySpaces = Locked<Set<String>>([])

  package struct State {
    var typeIDs: [ExactString: TypeID] = [:]
    var types: [TypeInfo] = []
    var tableIDs: [ExactString: TableID] = [:]
    var tables: [TableInfo] = []
    var fieldIDs: [ExactString: FieldID] = [:]
    var fields: [UInt32: FieldInfo] = [:]
    /// How many fields have a name.
    var nameCounts: [ExactString: Int] = [:]
    var nextField: UInt32 = 0
    /// Fields that were unused at the last check.
    var idleFields: Set<FieldID> = []
    /// Names of object types, learned from data or from possible types.
    var objectTypes: Set<String> = []
    /// The fields that are pages, by list, in the order in which they were first seen.
    var pages: [FieldID: [FieldID]] = [:]
    var conditions: [ConditionKey: Bool] = [:]
    var conditionsVersion = 0
    var plans: [ObjectIdentifier: (PreparedOperation, OperationPlan)] = [:]
    var planOrder: [ObjectIdentifier] = []
    /// The numbers of all plans that something still uses, some of which the table has dropped. Their
    /// selections contain numbers of fields and types, which must not be forgotten. (Counting the
    /// references to an object takes longer when there are weak ones, so there are none to plans.)
    var livePlans: [Locked<OperationPlan.Numbers>.Weak] = []
    var livePlansToCheck = 64
    /// Numbers of types that were given back, and can be given to others.
    var freeTypes: [TypeID] = []
  }

  package struct TypeInfo {
    let name: String
    let table: TableID
  }

  package struct TableInfo {
    let name: String
    /// The places of the fields that have slots, by field and by slot.
    var places: [FieldID: FieldPlace] = [:]
    var slotPlaces: [FieldPlace] = []
  }

  package struct FieldInfo {
    /// The name with canonical arguments.
    package let storageKey: String
    package let name: String
    /// For a page, the list that it belongs to.
    package var list: FieldID?
    /// Whether documents, not variables, decide its arguments.
    var isFixed = false
  }

  package struct ConditionKey: Hashable {
    let condition: String
    let type: TypeID
  }

  static let maximumPlans = 512
  /// Further fields of a type are stored beside the row.
  fileprivate static let maximumSlots = 60

  package init(_ policies: RecordPolicies) {
    self.policies = policies
    (pageLists, hasPageTokens) = (policies.pageLists, policies.hasPageTokens)
    var state = State()
    for kind in GraphQLOperation.Kind.allCases {
      let key = RootType(kind).key
      let name = policies.schema?.rootTypes[kind]
      // A type with the usual name is an ordinary one if the schema knows it and names no such root.
      let isOrdinary = policies.schema?.knows(kind.typename) == true
      state.addType(name ?? (isOrdinary ? key : kind.typename), table: key)
      // Without a schema, only the root of queries is known by its name: no object of a response is
      // another root.
      if name == nil, kind != .query { state.typeIDs[ExactString(kind.typename)] = nil }
    }
    state.addType("", table: "")
    for types in policies.possibleTypes.values { state.objectTypes.formUnion(types) }
    self.state = Locked(state)
    prepareKeySpaces(of: policies.schema?.typenames ?? [])
    prepareKeySpaces(of: policies.possibleTypes.values.joined())
  }
}

extension Catalog.State {
  @discardableResult
  mutating func addType(_ name: String, table key: String) -> TypeID {
    if let free = freeTypes.popLast() { return give(free, to: name, table: key) }
    let table: TableID
    if let known = tableIDs[ExactString(key)] {
      table = known
    } else {
      table = TableID(index: tables.count)
      tableIDs[ExactString(key)] = table
      tables.append(.init(name: key))
    }
    let id = TypeID(rawValue: UInt16(types.count))
    typeIDs[ExactString(name)] = id
    types.append(.init(name: name, table: table))
    return id
  }

  /// Whether one more type may have a number.
  func hasRoom(_ policies: RecordPolicies) -> Bool {
    types.count < policies.maximumTypes || !freeTypes.isEmpty
  }

  mutating func fieldID(_ storageKey: String, name: String) -> FieldID {
    if let known = fieldIDs[ExactString(storageKey)] { return known }
    let list = PageKey.list(of: storageKey, name: name).map { fieldID($0, name: name) }
    let id = FieldID(rawValue: nextField)
    fieldIDs[ExactString(storageKey)] = id
    fields[id.rawValue] = .init(storageKey: storageKey, name: name, list: list)
    nameCounts[ExactString(name), default: 0] += 1
    // After billions of arguments, the numbers of forgotten fields are given again.
    repeat { nextField &+= 1 } while fields[nextField] != nil
    if let list { pages[list, default: []].append(id) }
    return id
  }

  /// The field with a number; a field without a name if it was forgotten.
  func info(_ field: FieldID) -> Catalog.FieldInfo {
    fields[field.rawValue] ?? .init(storageKey: "()", name: "")
  }

  /// The place of a field: a slot for fields without arguments, as long as there is room.
  package mutating func place(_ field: FieldID, table: TableID, hasArguments: Bool) -> FieldPlace {
    if let known = tables[table.index].places[field] { return known }
    let count = tables[table.index].slotPlaces.count
    guard !hasArguments, count < Catalog.maximumSlots else {
      return FieldPlace(besideRow: field)
    }
    let place = FieldPlace(field: field, slot: Slot(index: count))
    tables[table.index].places[field] = place
    tables[table.index].slotPlaces.append(place)
    return place
  }
}

// MARK: - Names

extension Catalog {
  /// The number of a type; nil for a name that is none, or if there are too many types.
  package func type(named name: String) -> TypeID? {
    if let known = knownType(named: name) { return known }
    // Without room for the type, its key space would be kept in vain.
    guard Self.isPossible(name), state.withLock({ $0.hasRoom(policies) }) else { return nil }
    return type(named: name, in: keySpace(of: name))
  }

  /// The number of a type with this key space, unless it has a number already.
  func type(named name: String, in space: String) -> TypeID? {
    state.withLock { state in
      if let known = state.typeIDs[ExactString(name)] { return known }
      guard Self.isPossible(name), state.hasRoom(policies) else { return nil }
      return state.addType(name, table: space)
    }
  }

  /// Whether a type can have this name. Results contain it as it is, without escapes.
  static func isPossible(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
  }

  /// The number of the type of an object.
  package func objectType(named name: String) -> TypeID? {
    guard let type = type(named: name) else { return nil }
    let isNew = state.withLock { state in
      let isNew = state.objectTypes.insert(name).inserted
      // Previous assumptions about the type may be known by now.
      if isNew { state.conditionsVersion += 1 }
      return isNew
    }
    if isNew { lessonCount.add(1) }
    return type
  }

  package func knownType(named name: String) -> TypeID? {
    state.withLock { $0.typeIDs[ExactString(name)] }
  }

  package func typename(_ type: TypeID) -> String { info(type).name }

  package func table(of type: TypeID) -> TableID { info(type).table }

  private func info(_ type: TypeID) -> TypeInfo {
    state.withLock { $0.types[Int(type.rawValue)] }
  }

  /// The name of a key space: that of a type or a group.
  package func tableName(_ table: TableID) -> String {
    state.withLock { $0.tables[table.index].name }
  }

  /// The table of a key space.
  func table(named name: String) -> TableID? {
    state.withLock { $0.tableIDs[ExactString(name)] }
  }

  package func field(_ storageKey: String, name: String) -> FieldID {
    withFields { $0.fieldID(storageKey, name: name) }
  }

  package func info(_ field: FieldID) -> FieldInfo { state.withLock { $0.info(field) } }

  /// The number of known fields, counting each combination of arguments. Each write asks for it, so it
  /// needs no lock.
  package var fieldCount: Int { Int(fieldCountWord.load()) }

  /// Calls a closure that may add or forget fields.
  func withFields<R>(_ body: (inout State) -> R) -> R {
    state.withLock { state in
      defer {
        let count = UInt64(state.fields.count)
        if fieldCountWord.load() != count { _ = fieldCountWord.exchange(count) }
      }
      return body(&state)
    }
  }

  /// Whether any object or root is known to have a field of this name.
  package func hasField(named name: String) -> Bool {
    state.withLock { $0.nameCounts[ExactString(name)] != nil }
  }

  /// The pages of a list that were ever requested, in the order of the first request.
  package func pages(of list: FieldID) -> [FieldID] { state.withLock { $0.pages[list] ?? [] } }

  /// Those of some fields that are pages of a list, in the order of the first request. Each field is
  /// looked up in constant time if they are the keys of a dictionary.
  func pages(of list: FieldID, among fields: some Collection<FieldID>) -> [FieldID] {
    state.withLock { state in
      let all = state.pages[list] ?? []
      if all.count <= fields.count { return all.filter { fields.contains($0) } }
      return fields.filter { state.info($0).list == list }.sorted { $0.rawValue < $1.rawValue }
    }
  }

  /// The places of a table's fields that have slots, by slot.
  func slotPlaces(_ table: TableID) -> [FieldPlace] {
    state.withLock { $0.tables[table.index].slotPlaces }
  }

  package func place(_ field: FieldID, table: TableID) -> FieldPlace {
    state.withLock { state in
      let info = state.info(field)
      return state.place(field, table: table, hasArguments: info.storageKey != info.name)
    }
  }
}
