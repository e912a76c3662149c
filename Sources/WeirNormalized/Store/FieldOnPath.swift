import Weir

/// The field of a record that a path through a result leads to before it ends at a null.
struct FieldOnPath {
  let record: RecordReference
  let place: FieldPlace
  /// From the field's value to the null: the indices of an element, or nothing.
  let pathToNull: [GraphQLError.PathElement]
  /// The rest of the path.
  let rest: [GraphQLError.PathElement]
}

extension RecordState {
  /// Follows a path through a result to a null.
  ///
  /// - Returns: nil if there is none, or if the path and the records do not agree.
  func field(
    at path: [GraphQLError.PathElement], of data: JSON, root: RecordReference,
    _ bindings: inout Bindings, _ finder: inout ElementFinder
  ) -> FieldOnPath? {
    var value = data
    var record = root
    var node = bindings.plan.root
    var cell = Cell.absent
    var place: FieldPlace?
    var start = 0
    for (index, step) in path.enumerated() {
      switch step {
      case .key(let key):
        if place != nil {
          guard cell.isReference, mayBe(cell.record, value, node, bindings) else { return nil }
          record = cell.record
        }
        let shape = bindings.shape(node, header(record).type, isRoot: place == nil)
        guard let next = finder.member(of: value, named: key),
          let field = shape.field(named: Array(key.utf8)),
          let found = bindings.place(field.place, table: record.table)
        else { return nil }
        value = next
        place = found
        start = index + 1
        cell = self.cell(record, found)
        if let child = field.child { node = child }
        // A leaf that is a list or an object is missing as a whole.
        if field.child == nil, cell.isAbsent {
          return FieldOnPath(
            record: record, place: found, pathToNull: [], rest: Array(path[(index + 1)...]))
        }
      case .index(let position):
        guard let next = finder.element(of: value, at: position) else { return nil }
        value = next
        cell = elements(cell, of: record).dropFirst(position).first ?? .absent
      }
      guard value.isNull else { continue }
      guard cell.isAbsent, let place else { return nil }
      return FieldOnPath(
        record: record, place: place, pathToNull: Array(path[start..<index + 1]),
        rest: Array(path[(index + 1)...]))
    }
    return nil
  }

  /// Whether an object of a result is the record in its place, as far as that is known without calling
  /// the app's code. The place may have another record by now, or one that was removed.
  private func mayBe(
    _ record: RecordReference, _ object: JSON, _ node: SelectionNode, _ bindings: Bindings
  ) -> Bool {
    let header = header(record)
    guard !record.isRoot else { return true }
    guard header.hasRecord else { return false }
    if let name = object.withTape({ node.typename(of: $1, $0) }),
      let type = bindings.catalog.knownType(named: name), type != header.type
    {
      return false
    }
    guard let key = ComputedKeys.fieldKey(of: object, header.type, node: node, bindings) else {
      return true
    }
    return key.withUnsafeBufferPointer { self.record(table: record.table, key: $0) } == record
  }
}
