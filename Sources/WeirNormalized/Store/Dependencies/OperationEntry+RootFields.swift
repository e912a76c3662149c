import Weir

extension OperationEntry {
  /// A field of the root, and whether its policy can answer it with an entity.
  typealias RootField = (record: RecordReference, place: FieldPlace, isRedirected: Bool)

  /// The fields of the root that the operation begins with.
  var rootFields: [RootField] {
    guard case .root(let root) = target.origin else { return [] }
    let shape = bindings.shape(bindings.plan.root, root.type, isRoot: true)
    return shape.fields.compactMap { field in
      bindings.place(field.place, table: root.reference.table).map {
        (root.reference, $0, field.policy?.redirect != nil)
      }
    }
  }

  /// The records to which the policies of root fields lead that no response has contained.
  func redirectedRecords(_ records: RecordState, _ catalog: Catalog) -> [RecordReference] {
    guard case .root(let root) = target.origin else { return [] }
    let shape = bindings.shape(bindings.plan.root, root.type, isRoot: true)
    return shape.fields.flatMap { field -> [RecordReference] in
      guard let redirect = field.policy?.redirect,
        let place = bindings.place(field.place, table: root.reference.table),
        records.cell(root.reference, place).isAbsent
      else { return [] }
      return redirect.records(of: field, bindings.variables, catalog, in: records)
    }
  }
}
