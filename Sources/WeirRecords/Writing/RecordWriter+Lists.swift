import Weir

extension RecordWriter {
  mutating func writeList(
    _ array: TapeIndex, _ member: WriteLayout.Other, existing: Cell, owner: RecordReference,
    _ context: WriteContext, _ state: inout RecordState
  ) -> Cell {
    var context = context
    context.isElement = true
    let count = tape.count(array)
    let old = state.elements(existing, of: owner)
    var elements: ContiguousArray<Cell> = []
    elements.reserveCapacity(count)
    // Most are new, and so are some records that they refer to.
    if old.isEmpty, count > 256 { changes.changes.reserveCapacity(count * 3 / 2) }
    var value = tape.firstChild(array)
    var failed: [Int] = []
    while elements.count < count {
      let index = elements.count
      let before = index < old.count ? old[index] : .absent
      if !skipped.isEmpty, skipped.contains(value) {
        failed.append(index)
        // An element without a key may have been another one before.
        elements.append(context.isBelowElement ? .absent : before)
      } else if tape[value].kind == .object {
        value = withLayout(of: value, member) { writer, layout in
          writer.writeElements(
            value, layout, member, old, count: count, owner: owner, context, &elements, &state)
        }
        continue
      } else {
        elements.append(
          compositeCell(
            value, member, existing: before, owner: owner, context, &state))
      }
      value = tape.next(value)
    }
    // An element that an error made null keeps its value, if this is the same list of entities.
    if !failed.isEmpty, elements != old || !elements.allSatisfy(\.isReferenceOrNull) {
      for index in failed { elements[index] = .absent }
    }
    if existing.kind == .list, elements == old {
      touchPage(owner, holding: elements, member, &state)
      return existing
    }
    note(elements, in: member.field, of: owner, state)
    return state[owner].addList(elements)
  }

  /// A page has changed if its edges have, in their places, and one that comes again as it was is the newest
  /// one again: if two pages contradict each other, the newer one is right.
  private mutating func touchPage(
    _ owner: RecordReference, holding elements: ContiguousArray<Cell>,
    _ member: WriteLayout.Other, _ state: inout RecordState
  ) {
    let name = member.field.name
    guard catalog.pageLists.contains(name) else { return }
    let hasChanged =
      name == "edges"
      && elements.contains {
        $0.kind == .embedded && state.header($0.record).version == version
      }
    if hasChanged { return state.touch(owner, version: version) }
    guard rules.renewsPages, state.isOlderPage(owner, catalog),
      let place = place(of: member, in: owner)
    else { return }
    state.touch(owner, version: version)
    // Nothing of it is different, but perhaps what the list shows.
    changes.append(owner, place)
  }

  /// Writes consecutive elements of a list that are objects with the same layout.
  ///
  /// - Returns: the first element that is not.
  private mutating func writeElements(
    _ first: TapeIndex, _ layout: WriteLayout, _ member: WriteLayout.Other,
    _ old: ContiguousArray<Cell>,
    count: Int, owner: RecordReference, _ context: WriteContext,
    _ elements: inout ContiguousArray<Cell>,
    _ state: inout RecordState
  ) -> TapeIndex {
    // What was assumed about the type of the first may be known by now.
    let keyList = layout.shape.assumptions == nil ? tape.keyList(first) : -1
    var value = first
    repeat {
      let before = elements.count < old.count ? old[elements.count] : .absent
      elements.append(
        writeObject(
          value, layout, member, existing: before, owner: owner, context, &state))
      value = tape.next(value)
    } while elements.count < count && tape[value].kind == .object
      && tape.keyList(value) == keyList && layout.fitsType(of: value, tape)
      && (skipped.isEmpty || !skipped.contains(value))
    return value
  }
}

// MARK: - Noting what lists hold

extension RecordWriter {
  private mutating func note(
    _ elements: ContiguousArray<Cell>, in field: ShapeField, of owner: RecordReference,
    _ state: RecordState
  ) {
    if catalog.policies.schema != nil { noteDeclaredList(field, of: owner) }
    listFields.note(ListFields.Field(table: owner.table, name: field.name), elements, state)
  }

  /// Notes what a list may hold according to the schema: entities, or objects such as edges that
  /// refer to entities. Only a schema knows what an empty list may hold.
  mutating func noteDeclaredList(_ field: ShapeField, of owner: RecordReference) {
    let list = ListFields.Field(table: owner.table, name: field.name)
    guard let node = field.child, declaredLists.insert(list).inserted else { return }
    let types = catalog.declaredTypes(of: field)
    if !types.isEmpty { listFields.noteObjects(in: list) }
    for type in types {
      let shape = bindings.shape(node, type)
      if !shape.keyFields.isEmpty || shape.keyClosure != nil {
        listFields.note(list, elementTable: catalog.table(of: type))
        if !list.isEdges { continue }
      }
      for type in shape.fields.lazy.filter({ $0.child != nil }).flatMap(catalog.declaredTypes) {
        listFields.note(list, elementTable: catalog.table(of: type))
      }
    }
  }
}

extension Cell {
  fileprivate var isReferenceOrNull: Bool { kind == .reference || kind == .null }
}
