import Weir

extension Catalog {
  /// The declared type of objects that came without `__typename`; otherwise the nameless type.
  package func declaredType(of field: String, on parent: String) -> TypeID {
    guard let (name, objects) = declaration(of: field, on: parent), objects == [name] else {
      return .nameless
    }
    return type(named: name) ?? .nameless
  }

  /// The object types that the schema declares for a field; empty if it declares none.
  func declaredTypes(of field: ShapeField) -> [TypeID] {
    declaration(of: field.name, on: field.typename)?.objects.compactMap(type(named:)) ?? []
  }

  /// The name of a field's declared type, and the object types that belong to it.
  private func declaration(
    of field: String, on parent: String
  ) -> (name: String, objects: Set<String>)? {
    guard let schema = policies.schema, let name = schema.compositeFields[parent]?[field]
    else { return nil }
    return (name, schema.possibleTypes(of: name))
  }
}
