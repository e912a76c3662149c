import GraphQLLanguage
import GraphQLValidation

/// The names of the properties and of the nested types for one selection set.
struct MemberNames {
  /// The properties by response keys, and by the names of fragments with a small first letter.
  let properties: DistinctNames
  /// The nested types by response keys.
  let types: DistinctNames
  /// All names, with those that meet.
  private(set) var used = PropertyNames()

  /// Chooses the names; `reserved` are those that the configuration and other modules bring into the
  /// code, and `reservedProperties` those among them that a property would hide.
  init(
    _ collection: SelectionCollection, _ casing: GenerationConfiguration.Casing,
    reserved: Set<String>, reservedProperties: Set<String>
  ) {
    let keys = collection.fields.map(\.key)
    let converted = Set(keys)
    let spreads = collection.spreads.map { SwiftName.firstLower($0.name) }
    let conditions = collection.parts.map { SwiftName.firstUpper($0.condition.name) }
    let firstObject = collection.parts.first { $0.condition.kind == .object }
    var own = conditions.map { "as\($0)" }
    if firstObject != nil { own.append("on") }
    // Types that are nested besides those of fields: that of `on`, and that of `Identifiable`.
    let nested = (firstObject == nil ? [] : ["On"]) + (collection.isIdentifiable ? ["ID"] : [])
    properties = DistinctNames(
      keys + spreads + own,
      reserved: SwiftName.reservedProperties.union(nested).union(reservedProperties)
    ) { converted.contains($0) ? casing.property($0) : $0 }
    let objects = collection.fields.filter { !$0.sources.isEmpty }.map(\.key)
    var taken: Set<String> = []
    if !objects.isEmpty {
      // A property and a type cannot have one name either.
      taken = SwiftName.reservedTypes.union(reserved).union(nested)
      for name in keys + spreads + own { taken.insert(properties[name]) }
      taken.formUnion(conditions.lazy.map { "As\($0)" })
    }
    types = DistinctNames(objects, reserved: taken, keepsNames: false) {
      SwiftName.firstUpper(casing.property($0))
    }
    for field in collection.fields {
      used.add(properties[field.key], field.location, isField: true)
    }
    for (name, spread) in zip(spreads, collection.spreads) {
      used.add(properties[name], spread.location)
    }
    // Two conditions that meet have the same property and the same type, which is one mistake.
    var distinct: Set<String> = []
    for (name, part) in zip(conditions, collection.parts) {
      used.add("as\(name)", part.location)
      if distinct.insert(name).inserted { used.add("As\(name)", part.location) }
    }
    if let firstObject { used.add("on", firstObject.location) }
  }
}
