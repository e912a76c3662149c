import Weir

/// Completes data of one of the app's types before it is written: adds the names of types, and the selected
/// fields that the type does not have. Nil is encoded as null, so a missing member is one that the type does
/// not have.
///
/// The data is visited once; the store is only read for entities that it did not show in the same place.
struct TypedData {
  let bindings: Bindings
  private let records: RecordState
  /// Whether all selected fields existed before, and must exist afterwards.
  private let isUpdate: Bool
  /// The members that are missing although the type has them.
  private let omitted: OmittedMembers?
  /// The data as its type encodes it, which is kept where the query selects no object.
  private let withoutNils: () -> JSONValue?
  private lazy var plain = withoutNils()
  var path: [JSONPathKey] = []
  /// Whether a write replaces objects without keys, because they are within a list. Elsewhere it merges into
  /// them.
  var isReplacing = false
  private var known: [Selected: SelectedMembers] = [:]

  private struct Selected: Hashable {
    let node: Int
    let type: TypeID
  }

  init(
    _ bindings: Bindings, _ records: RecordState, isUpdate: Bool, omitted: OmittedMembers? = nil,
    withoutNils: @escaping () -> JSONValue? = { nil }
  ) {
    self.bindings = bindings
    self.records = records
    self.isUpdate = isUpdate
    self.omitted = omitted
    self.withoutNils = withoutNils
  }

  /// Completes the data of a root or an entity. `shown` is the store's data, of which parts may be missing
  /// unless it is to be updated; `old` is the store's data as the type has encoded it.
  mutating func complete(
    _ data: JSONValue, _ type: TypeID, isRoot: Bool, shown: JSONValue?, old: JSONValue?
  ) throws -> JSON {
    guard case .object(let object) = data else { throw StoreError.notAnObject }
    let members = SelectedMembers(bindings.shape(bindings.plan.root, type, isRoot: isRoot))
    let stored = PriorValue(
      relation: shown == nil ? .new : .same(isWhole: isUpdate), value: shown, like: shown, old: old)
    let whole = try fill(object, members, stored, isTop: true)
    return try JSON(parsing: whole.canonicalBytes())
  }
}

// MARK: - Objects

extension TypedData {
  mutating func members(_ node: SelectionNode, _ type: TypeID) -> SelectedMembers {
    let selected = Selected(node: node.number, type: type)
    if let members = known[selected] { return members }
    let members = SelectedMembers(bindings.shape(node, type))
    known[selected] = members
    return members
  }

  mutating func complete(
    _ value: JSONValue, _ field: ShapeField, _ node: SelectionNode, _ stored: PriorValue
  ) throws(StoreError) -> JSONValue {
    switch value {
    case .object(var object):
      let own = object.typename(node)
      let name = own ?? stored.value?.object?.typename(node) ?? stored.like?.object?.typename(node)
      if own == nil, let name { object["__typename"] = .string(name) }
      let catalog = bindings.catalog
      let type =
        name.flatMap(catalog.objectType) ?? catalog.declaredType(of: field.name, on: field.typename)
      let members = members(node, type)
      return try fill(object, members, place(of: object, own, members, node, stored), isTop: false)
    case .array(let elements): return try complete(elements, field, node, stored)
    default: return value
    }
  }

  /// The store's data for an object, which may be another one than was in its place before.
  private func place(
    of object: JSONObject, _ own: String?, _ members: SelectedMembers, _ node: SelectionNode,
    _ stored: PriorValue
  ) -> PriorValue {
    let shown = stored.value?.object
    let isSameType = own == nil || own == shown?.typename(node)
    let key = members.keyText(of: object)
    if case .same = stored.relation, isSameType,
      key == nil || [shown, stored.old?.object].contains(where: { members.keyText(of: $0) == key })
    {
      return stored
    }
    if let key {
      let found = entity(Entity(members.shape.typename, id: key.text), node)
      return PriorValue(
        relation: found == nil ? .new : .same(isWhole: false), value: found, like: stored.like)
    }
    if case .same = stored.relation { return PriorValue(relation: .new, like: nil) }
    return stored
  }

  private func entity(_ entity: Entity, _ node: SelectionNode) -> JSONValue? {
    let catalog = bindings.catalog
    guard let record = records.record(of: entity, catalog),
      records.header(record).type != .removed
    else { return nil }
    return RecordReader(
      catalog: catalog, state: records, bindings: bindings, allowsPartial: true
    ).read(record, node, isRoot: false).document?.root.value
  }

  private mutating func fill(
    _ data: JSONObject, _ members: SelectedMembers, _ stored: PriorValue, isTop: Bool
  ) throws(StoreError) -> JSONValue {
    var object = data
    var lacking: [String] = []
    let isEntity = isTop || members.keyText(of: stored.value?.object) != nil
    let wasReplacing = isReplacing
    defer { isReplacing = wasReplacing }
    if isEntity || members.keyText(of: data) != nil { isReplacing = false }
    for member in members.list {
      let key = member.key
      let there = stored.value?[key].flatMap { $0.isNull ? nil : $0 }
      if let value = data[key], !value.isNull {
        path.append(JSONPathKey(key))
        defer { path.removeLast() }
        if let node = member.child {
          object[key] = try complete(value, member.field, node, stored.member(key))
        } else if let there, stored.old?[key]?.isSpelled(like: value) == true {
          object[key] = there
        } else if value.holdsNulls {
          object[key] = plain?.value(at: path) ?? value
        }
      } else if data[key] != nil || stored.old?[key] != nil && !isOmitted(key) {
        if member.isKey, stored.hasKey(there) {
          lacking.append(key)
        } else {
          // A null where nothing is selected would teach that something is.
          object[key] = member.isCertain || there != nil ? .null : nil
        }
      } else if case .same(let isWhole) = stored.relation {
        // Values that are added from the store would count as new, although no response has confirmed them.
        let isMerged = isEntity || !isWhole && !isReplacing && !mayBeReference(members)
        let isKept = isMerged ? member.isKey : isWhole || member.child == nil
        if isKept, let value = isWhole ? stored.value?[key] : there { object[key] = value }
      } else if member.isCertain, isUpdate || stored.isUndecided {
        lacking.append(key)
      }
    }
    guard lacking.isEmpty else { throw incomplete(lacking, stored) }
    return .object(object)
  }

  private func isOmitted(_ key: String) -> Bool {
    omitted?.contains(path + [JSONPathKey(key)]) ?? false
  }

  /// Whether the store may have an entity in the place of an object whose key is not in the data, so that
  /// a write replaces it: the key is made by a closure, or the operation does not select it.
  private func mayBeReference(_ members: SelectedMembers) -> Bool {
    bindings.catalog.knownType(named: members.shape.typename)
      .map { records.hasKeys(in: bindings.catalog.table(of: $0)) } ?? false
  }

  /// An error that contains no values.
  private func incomplete(_ lacking: [String], _ stored: PriorValue) -> StoreError {
    let reason =
      if case .new = stored.relation {
        "the object is new, and the store does not have it"
      } else {
        "it is unclear which object of the store this is"
      }
    let place = path.isEmpty ? "The data" : "data.\(JSONPathKey.describe(path))"
    return StoreError(
      .incompleteType,
      "\(place): the type lacks selected fields (\(lacking.joined(separator: ", "))), and \(reason). "
        + "Add them to the type.")
  }
}

// MARK: - Values

extension JSONObject {
  /// The name of the object's type, under any alias.
  func typename(_ node: SelectionNode) -> String? {
    for key in node.typenameKeys {
      if let name = self[String(decoding: key, as: UTF8.self)]?.string, !name.isEmpty {
        return name
      }
    }
    return nil
  }
}

extension JSONValue {
  /// Whether a member of an object within is null.
  var holdsNulls: Bool {
    switch self {
    case .object(let object): object.values.contains { $0.isNull || $0.holdsNulls }
    case .array(let elements): elements.contains(where: \.holdsNulls)
    default: false
    }
  }

  fileprivate func value(at path: [JSONPathKey]) -> JSONValue? {
    path.reduce(self) { value, key in key.intValue.map { value?[$0] } ?? value?[key.stringValue] }
  }
}
