import GraphQLLanguage
import GraphQLValidation

/// The part of a schema that code is generated for.
struct SchemaUse {
  /// The leaves and input objects that are named, and the interfaces and unions that are tested.
  private(set) var names: Set<String> = []
  /// The fields that are selected, by the objects, interfaces and unions that they are selected from.
  private(set) var fields: [String: Set<String>] = [:]

  mutating func add(_ names: Set<String>, _ fields: [String: Set<String>]) {
    self.names.formUnion(names)
    self.fields.merge(fields) { $0.union($1) }
  }

  /// Adds the types that the configuration names, with all of their fields.
  mutating func add(_ types: GenerationConfiguration.SchemaTypes, of schema: TypeSystem) {
    let all: [String]
    switch types {
    case .used: return
    case .all: all = schema.typeNames.filter { schema.types[$0]?.isBuiltIn == false }
    case .named(let names): all = names
    }
    for type in all.compactMap({ schema.types[$0] }) {
      if type.kind != .object { names.insert(type.name) }
      guard type.isComposite else { continue }
      fields[type.name, default: []].formUnion(type.fields.lazy.map(\.name))
      for field in type.fields { add(field.type.namedType, of: schema) }
    }
  }

  private mutating func add(_ name: String, of schema: TypeSystem) {
    if schema.types[name]?.isComposite == true {
      if fields[name] == nil { fields[name] = [] }
    } else {
      names.insert(name)
    }
  }

  /// Adds the types of the fields that are selected, except from the `imported` types: the names of
  /// fields for caches mention them. Such a type need not be selected itself. A fragment of another
  /// module can select the field, or an object's field can have a narrower type than that of the
  /// interface.
  mutating func addFieldTypes(of schema: TypeSystem, besides imported: Set<String>) {
    var count: Int
    repeat {
      count = fields.count
      for (type, selected) in composites(of: schema) where !imported.contains(type.name) {
        for field in selected { add(field.type.namedType, of: schema) }
      }
      // A new type has the fields that are selected from its interfaces.
    } while fields.count > count
  }

  /// Completes the names with those that input objects use, and returns the types in the order of the
  /// bytes of their names.
  func types(of schema: TypeSystem) -> [SchemaType] {
    var all = names
    var pending = Array(names)
    while let name = pending.popLast() {
      for field in schema.types[name]?.inputFields ?? [] {
        let target = field.type.namedType
        if all.insert(target).inserted { pending.append(target) }
      }
    }
    return all.sorted().compactMap { schema.types[$0] }
  }

  /// The objects, interfaces and unions in the order of the bytes of their names, each with the fields
  /// that are selected from it or from its interfaces, in the order of the schema.
  func composites(of schema: TypeSystem) -> [(type: SchemaType, fields: [SchemaField])] {
    fields.keys.sorted().compactMap { schema.types[$0] }.map { type in
      let selected = type.interfaces.reduce(into: fields[type.name] ?? []) {
        $0.formUnion(fields[$1] ?? [])
      }
      return (type, type.fields.filter { selected.contains($0.name) })
    }
  }
}
