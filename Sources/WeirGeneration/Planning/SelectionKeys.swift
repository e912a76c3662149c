import GraphQLLanguage
import GraphQLValidation

/// Finds the response keys that tell whether a response has a part.
struct SelectionKeys {
  let schema: TypeSystem
  let documents: Documents

  /// The types and the fragments around a selection set.
  private struct Place {
    let type: SchemaType
    /// The object's own type, if it is known.
    let object: String?
    /// The object types that type conditions have left; nil without one.
    var objects: [String]?
    /// The fragments around the selections.
    var spreading: Set<String> = []
  }

  /// Returns the paths to the leaves that are selected without a directive. A key that is selected of
  /// some object types only begins with them, as in `Post|Author:name`.
  func paths(_ sources: [SelectionCollection.Source], on type: SchemaType) -> [String] {
    var seen: Set<String> = []
    return sources.filter { !$0.isConditional }
      .flatMap { paths($0.selections, Place(type: type, object: object(type))) }
      .filter { seen.insert($0).inserted }
  }

  /// Returns the same paths below a key.
  func paths(
    _ sources: [SelectionCollection.Source], on type: SchemaType, at key: String
  ) -> [String] {
    paths(sources, on: type).map { "\(key).\($0)" }
  }

  /// The key of the type's name, if a fragment on a root type asks for it: the client adds it to every
  /// other object.
  func typename(of condition: String, on type: SchemaType) -> [String] {
    typename(of: condition, object: object(type))
  }

  private func typename(of condition: String, object: String?) -> [String] {
    guard let object, schema.rootTypes.values.contains(object) else { return [] }
    return schema.types[condition]?.isAbstract ?? false ? ["__typename"] : []
  }

  private func object(_ type: SchemaType) -> String? { type.isAbstract ? nil : type.name }

  private func paths(_ set: SelectionSet, _ place: Place) -> [String] {
    set.selections.flatMap { selection -> [String] in
      switch selection {
      case .field(let field):
        guard !field.directives.areConditional, !field.isTypename else { return [] }
        return paths(field, place)
      case .fragmentSpread(let spread):
        guard !spread.directives.areConditional, !place.spreading.contains(spread.name),
          let fragment = documents.fragments[spread.name]?.definition,
          let inner = narrowed(place, to: fragment.typeCondition, in: spread.name)
        else { return [] }
        let below = paths(fragment.selectionSet, inner)
        // An unmasked fragment is no value of its own that would read and write the name.
        return spread.isUnmasked
          ? below : typename(of: fragment.typeCondition, object: place.object) + below
      case .inlineFragment(let fragment):
        guard !fragment.directives.areConditional else { return [] }
        return narrowed(place, to: fragment.typeCondition)
          .map { paths(fragment.selectionSet, $0) } ?? []
      }
    }
  }

  private func paths(_ field: Field, _ place: Place) -> [String] {
    let prefix = place.objects.map { "\($0.joined(separator: "|")):" } ?? ""
    let key = prefix + field.responseKey
    guard let selections = field.selectionSet,
      let inner = schema.field(field.name, of: place.type).flatMap({ schema.type(of: $0.type) })
    else { return [key] }
    let below = paths(
      selections, Place(type: inner, object: object(inner), spreading: place.spreading))
    return below.isEmpty ? [key] : below.map { "\(key).\($0)" }
  }

  /// The place within a fragment; nil if no object can have its type.
  private func narrowed(
    _ place: Place, to condition: String?, in fragment: String? = nil
  ) -> Place? {
    var spreading = place.spreading
    if let fragment { spreading.insert(fragment) }
    let name = condition ?? place.type.name
    guard let type = schema.types[name] else { return nil }
    var objects = place.objects
    if !schema.isSubtype(place.object ?? place.type.name, of: name) {
      if place.object != nil { return nil }
      let possible = objects ?? schema.possibleTypes(of: place.type.name)
      let left = possible.filter { schema.isSubtype($0, of: name) }.sorted()
      if left.isEmpty { return nil }
      objects = left
    }
    return Place(
      type: type, object: place.object ?? object(type), objects: objects, spreading: spreading)
  }
}
