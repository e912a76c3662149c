import Weir

/// Handles responses that arrive in another order than their requests were sent.
extension RecordWriter {
  /// Whether a leaf has no usable data, because an error made it null, or a part of it: a leaf that is
  /// a list or an object is stored as a whole.
  func isSkipped(_ leaf: TapeIndex) -> Bool {
    if skipped.isEmpty { return false }
    if skipped.contains(leaf) { return true }
    let kind = tape[leaf].kind
    guard kind == .array || kind == .object else { return false }
    let next = skippedInOrder.partitioningIndex { $0 > leaf }
    return next < skippedInOrder.count && skippedInOrder[next] < tape.next(leaf)
  }

  /// Whether a member contains no data, or only the first items of it.
  func isSkipped(_ value: TapeIndex, _ member: WriteLayout.Other) -> Bool {
    if rules.mayLackItems, member.isStreamed { return true }
    return member.node >= 0 ? skipped.contains(value) : isSkipped(value)
  }

  /// Writes what is below a field whose own value is newer. Entities may still be new. An object
  /// without a key may have more fields, if all later responses had that object, too.
  mutating func writeOlder(
    _ value: TapeIndex, _ member: WriteLayout.Other, existing: Cell = .absent, type: TypeID? = nil,
    _ context: WriteContext, _ state: inout RecordState
  ) {
    guard member.node >= 0 else { return }
    if tape[value].kind == .array {
      var element = tape.firstChild(value)
      for _ in 0..<tape.count(value) {
        writeOlder(element, member, context, &state)
        element = tape.next(element)
      }
    }
    guard tape[value].kind == .object else { return }
    let layout = layout(of: value, member)
    if let (record, isNew) = entity(of: value, layout, &state) {
      write(value, layout, into: record, isNew: isNew, context, &state)
    } else if existing.kind == .embedded, type == layout.shape.type,
      state.header(existing.record).type == type
    {
      write(value, layout, into: existing.record, isNew: false, context, &state)
    } else {
      for other in layout.others {
        writeOlder(tape.value(value, at: other.position), other, context, &state)
      }
    }
  }

  /// Whether a record was removed after the request had been sent. An evicted one was not, or has come back
  /// since.
  func wasRemoved(_ record: RecordReference, _ state: borrowing RecordState) -> Bool {
    rules.newer[record]?.isRemoval == true && state.header(record).type == .removed
      && !state[record].isEvicted(record.rowInChunk)
  }

  /// Writes what is below an object whose record stays removed.
  mutating func leaveRemoved(
    _ object: TapeIndex, _ layout: WriteLayout, _ context: WriteContext, _ state: inout RecordState
  ) {
    (hasLeftNewer, hasLeftStale) = (true, true)
    for member in layout.others {
      writeOlder(tape.value(object, at: member.position), member, context, &state)
    }
  }

  /// Notes the fields that a response contains, so that older responses do not overwrite them.
  mutating func noteWrite(
    of record: RecordReference, _ object: TapeIndex, _ layout: WriteLayout
  ) {
    var fields = WrittenFields()
    var member = MemberCursor(object, tape)
    for leaf in layout.leaves where !isSkipped(member.move(to: leaf.position, tape)) {
      fields.insert(leaf.place)
    }
    member = MemberCursor(object, tape)
    for other in layout.others {
      let value = member.move(to: other.position, tape)
      guard !isSkipped(value, other), keptLists.isEmpty || !keptLists.contains(value),
        let place = place(of: other, in: record)
      else { continue }
      fields.insert(place)
      guard other.node >= 0, tape[value].kind == .object else { continue }
      let inner = self.layout(of: value, other)
      if !hasKey(value, inner) { fields.noteEmbedded(inner.shape.type, in: place.field) }
    }
    writes.append((record, fields))
  }

  mutating func noteRefresh(
    of record: RecordReference, _ object: TapeIndex, _ layout: WriteLayout
  ) {
    var change = ChangeSet.Change(record: record, slots: 0, fields: [])
    for place in places(of: object, layout, record) { change.add(place) }
    refreshed.changes.append(change)
  }
}
