import Weir

/// Handles pages that lack something that the selection needs, because another operation has requested
/// them.
extension RecordReader {
  /// The pages of a list that have everything that a selection needs, and the requested one, whatever
  /// it has.
  mutating func whole(
    _ pages: [FieldID], of record: RecordReference, _ node: SelectionNode, own: FieldID
  ) -> [FieldID] {
    guard leavesOutIncompletePages else { return pages }
    return pages.filter { page in
      page == own || isWhole(state.cell(record, FieldPlace(besideRow: page)), of: record, node)
    }
  }

  /// Whether an object has the selected fields that make it a page. Lists within its lists cannot be
  /// shown with another page, because they are in the chunk of their own.
  func isPage(_ record: RecordReference, _ parts: PageParts, with fields: [String]) -> Bool {
    fields.allSatisfy { name in
      if parts.lists.contains(name) {
        return plainCell(record, name).kind == .list
          && !state.elements(plainCell(record, name), of: record).contains { $0.kind == .list }
      }
      return name == parts.end ? !plainCell(record, name).isAbsent : true
    }
  }

  /// Whether a value has everything that a selection needs. If not, the result depends on what was
  /// looked at, because the value may become whole.
  private mutating func isWhole(
    _ value: Cell, of record: RecordReference, _ node: SelectionNode
  ) -> Bool {
    var reader = RecordReader(catalog: catalog, state: state, bindings: bindings)
    reader.leavesOutIncompletePages = true
    // Proof: the reader writes to the memory as long as there is room, and does not use it after the
    // closure; only its trace is used then.
    let isWhole = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1_024) { text in
      reader.builder.start(text: text, cells: 128)
      return reader.composite(value, owner: record, node)
    }
    if !isWhole { result.trace.noteLeftOut(reader.result.trace, state) }
    return isWhole
  }
}
