import Weir

// Names that come from documents, from variables, or from a server's responses would pile up without
// these: they are forgotten when nothing uses them any more, and with their session.

extension Catalog {
  /// Forgets fields with arguments that are unused now and were unused at the previous call. A
  /// field that is not used yet may be about to be.
  package func forget(allBut used: Set<FieldID>) {
    withFields { $0.forget(allBut: used) }
    forgetCount.add(1)
  }

  /// The number of a field for a compiled selection, which keeps the number as long as the plan
  /// exists.
  func fixedField(_ storageKey: String, name: String, of plan: OperationPlan) -> FieldID {
    withFields { state in
      let id = state.fixedField(storageKey, name: name)
      if storageKey != name { plan.use(id) }
      return id
    }
  }

  /// The number of a field that a document of an earlier run has fixed.
  func fixedField(_ storageKey: String, name: String) -> FieldID {
    withFields { $0.fixedField(storageKey, name: name) }
  }

  /// Forgets the old session's names: all records and results are gone. Plans that are being used
  /// at this moment keep their numbers.
  ///
  /// - Returns: whether numbers of types and tables may from now on mean others.
  package func beginSession() -> Bool {
    defer { forgetCount.add(1) }
    defer { forgetKeySpaces() }
    return withFields { $0.beginSession(policies) }
  }
}

extension Catalog.State {
  fileprivate mutating func fixedField(_ storageKey: String, name: String) -> FieldID {
    let id = fieldID(storageKey, name: name)
    fields[id.rawValue]?.isFixed = true
    return id
  }

  fileprivate mutating func forget(allBut used: Set<FieldID>) {
    let used = usedNumbers().fields.union(used)
    let idle = fieldsWithArguments { !used.contains($0) && pages[$0] == nil }
    forget(idle.intersection(idleFields))
    idleFields = idle
  }

  private func usedNumbers() -> UsedNumbers {
    livePlans.reduce(into: UsedNumbers()) { used, numbers in
      if let numbers = numbers.locked { used.formUnion(numbers.withLock(\.used)) }
    }
  }

  private func fieldsWithArguments(_ isIncluded: (FieldID) -> Bool) -> Set<FieldID> {
    var found: Set<FieldID> = []
    for (number, info) in fields where info.storageKey != info.name {
      if isIncluded(FieldID(rawValue: number)) { found.insert(FieldID(rawValue: number)) }
    }
    return found
  }

  private mutating func forget(_ forgotten: Set<FieldID>) {
    var lists: Set<FieldID> = []
    for field in forgotten {
      guard let info = fields.removeValue(forKey: field.rawValue) else { continue }
      fieldIDs[ExactString(info.storageKey)] = nil
      let count = nameCounts[ExactString(info.name)] ?? 0
      nameCounts[ExactString(info.name)] = count > 1 ? count - 1 : nil
      if let list = info.list { lists.insert(list) }
    }
    for list in lists {
      pages[list]?.removeAll(where: forgotten.contains)
      if pages[list]?.isEmpty == true { pages[list] = nil }
    }
  }
}

// MARK: - Sessions

extension Catalog.State {
  fileprivate mutating func beginSession(_ policies: RecordPolicies) -> Bool {
    (plans, planOrder) = ([:], [])
    let used = usedNumbers()
    forget(fieldsWithArguments { !used.fields.contains($0) })
    idleFields = []
    // An ordinary API keeps the numbers of its types.
    guard types.count - freeTypes.count > policies.maximumTypes / 10 else { return false }
    giveBackTypes(allBut: used.types, Set(policies.groups.values))
    return true
  }

  /// Frees the numbers of types that have a table of their own, except those of the roots.
  private mutating func giveBackTypes(allBut used: Set<TypeID>, _ groups: Set<String>) {
    var names: Set<String> = []
    let free = Set(freeTypes)
    for index in types.indices where index > TypeID.nameless.rawValue {
      let type = TypeID(rawValue: UInt16(index))
      let name = types[index].name
      guard !free.contains(type), !used.contains(type), !groups.contains(name),
        tables[types[index].table.index].name == name
      else { continue }
      names.insert(name)
      types[index] = .init(name: "", table: types[index].table)
      typeIDs[ExactString(name)] = nil
      tableIDs[ExactString(name)] = nil
      freeTypes.append(type)
    }
    objectTypes.subtract(names)
    conditions = conditions.filter { !types[Int($0.key.type.rawValue)].name.isEmpty }
    conditionsVersion += 1
  }

  /// Gives a free number, and its table, to a type. The slots of the table's fields remain: they
  /// depend on fields, not on types.
  mutating func give(_ free: TypeID, to name: String, table key: String) -> TypeID {
    var table = types[Int(free.rawValue)].table
    if let known = tableIDs[ExactString(key)] {
      table = known
    } else {
      let old = tables[table.index]
      tables[table.index] = .init(name: key, places: old.places, slotPlaces: old.slotPlaces)
      tableIDs[ExactString(key)] = table
    }
    types[Int(free.rawValue)] = .init(name: name, table: table)
    typeIDs[ExactString(name)] = free
    // A selection that was compiled while the number was free is not valid any more.
    conditionsVersion += 1
    return free
  }
}
