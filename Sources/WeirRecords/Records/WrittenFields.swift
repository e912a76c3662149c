extension ChangeSet.Change {
  package mutating func add(_ place: FieldPlace) {
    if let slot = place.slot {
      slots |= slot.bit
    } else {
      fields.append(place.field)
    }
  }

  package func contains(_ place: FieldPlace) -> Bool {
    place.slot.map { slots & $0.bit != 0 } ?? fields.contains(place.field)
  }
}

extension ChangeSet.Change {
  package func places(in table: TableID, _ catalog: Catalog) -> [FieldPlace] {
    let places = slots == 0 ? [] : catalog.slotPlaces(table).filter(contains)
    return fields.isEmpty ? places : fields.map { FieldPlace(besideRow: $0) } + places
  }
}

extension RecordState {
  /// Whether a change may have removed a field. False for sure if the record has all of them.
  package func mayLackField(of change: ChangeSet.Change) -> Bool {
    if !change.fields.isEmpty || change.slots >> 63 != 0 { return true }
    let row = view(change.record)
    var slots = change.slots
    while slots != 0 {
      if row.cell(Slot(index: slots.trailingZeroBitCount)).isAbsent { return true }
      slots &= slots - 1
    }
    return false
  }
}

/// The fields of a record that a response has written.
package struct WrittenFields {
  /// A bit for each slot.
  var slots: UInt64 = 0
  /// All fields, including those with slots.
  private var fields: Set<FieldID> = []
  /// The types of the keyless objects that fields hold.
  private var embedded: [FieldID: TypeID] = [:]
  /// Whether the record was removed, perhaps before some of the fields were written. Its row says whether it
  /// has come back since.
  package var isRemoval = false

  package init() {}

  var isEmpty: Bool { fields.isEmpty }

  package mutating func insert(_ place: FieldPlace) {
    if let slot = place.slot { slots |= slot.bit }
    fields.insert(place.field)
  }

  func places(in table: TableID, _ catalog: Catalog) -> [FieldPlace] {
    fields.map { catalog.place($0, table: table) }
  }

  mutating func remove(_ places: [FieldPlace]) {
    for place in places {
      if let slot = place.slot { slots &= ~slot.bit }
      fields.remove(place.field)
      embedded[place.field] = nil
    }
  }

  package func contains(_ place: FieldPlace) -> Bool { fields.contains(place.field) }

  package func contains(_ field: FieldID) -> Bool { fields.contains(field) }

  /// Notes that the field's value is an object without a key.
  mutating func noteEmbedded(_ type: TypeID, in field: FieldID) { embedded[field] = type }

  /// The type of the keyless object that every response had in the field; nil if any response had
  /// something else.
  func embeddedType(_ field: FieldID) -> TypeID? { embedded[field] }

  package mutating func formUnion(_ other: WrittenFields) {
    slots |= other.slots
    for (field, type) in embedded where other.contains(field) && other.embedded[field] != type {
      embedded[field] = nil
    }
    for (field, type) in other.embedded where !fields.contains(field) { embedded[field] = type }
    fields.formUnion(other.fields)
    isRemoval = isRemoval || other.isRemoval
  }
}
