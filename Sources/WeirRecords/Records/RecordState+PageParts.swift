extension RecordState {
  /// The parts of the object that a field has as its value: without another declaration, those of a page of
  /// a connection.
  package func pageParts(
    of field: FieldID, on owner: RecordReference, _ catalog: Catalog
  ) -> PageParts {
    guard catalog.hasPageTokens else { return .connection }
    let typename = catalog.typename(header(owner).type)
    let policy = catalog.policies.policy(of: catalog.info(field).name, on: typename)
    return policy?.pages?.parts ?? .connection
  }

  /// Whether a list is among the parts of an object without a key, if that is a page.
  package func isPart(
    _ list: String, of object: RecordReference, _ catalog: Catalog
  ) -> Bool {
    guard catalog.pageLists.contains(list),
      let (owner, place) = place(ofEmbedded: object, catalog)
    else { return false }
    return pageParts(of: place.field, on: owner, catalog).lists.contains(list)
  }
}
