import GraphQLLanguage
package import Weir

/// Finds the keys that closures compute, and the groups of new types. This happens before a lock is
/// taken, because closures are the app's code.
package enum ComputedKeys {
  /// Returns the keys of the objects within an object of a type, by their cells. Costs nothing if no
  /// closure computes keys.
  static func find(
    in data: JSON, of type: TypeID, isRoot: Bool, isWhole: Bool, bindings: Bindings
  ) -> [TapeIndex: [UInt8]] {
    let hasClosures = bindings.catalog.policies.keys.values.contains {
      if case .computed = $0 { true } else { false }
    }
    guard hasClosures || bindings.catalog.policies.groupOfType != nil else { return [:] }
    return data.withTape { tape, index in
      var walk = KeyWalk(tape: tape, document: data.document, bindings: bindings, isWhole: isWhole)
      walk.visitMembers(of: index, bindings.shape(bindings.plan.root, type, isRoot: isRoot))
      return walk.keys
    }
  }

  /// The key of an object of a known type; nil if it has none.
  package static func key(
    of data: JSON, _ type: TypeID, node: SelectionNode, _ bindings: Bindings
  ) -> [UInt8]? {
    let shape = bindings.shape(node, type)
    guard let closure = shape.keyClosure else {
      return fieldKey(of: data, type, node: node, bindings)
    }
    let key = data.withTape { closure(named($1, shape, data.document)) } ?? ""
    return key.isEmpty ? nil : Array(key.utf8)
  }

  /// The key that fields of an object are; nil if it has none, or if a closure computes it.
  package static func fieldKey(
    of data: JSON, _ type: TypeID, node: SelectionNode, _ bindings: Bindings
  ) -> [UInt8]? {
    let shape = bindings.shape(node, type)
    guard shape.keyClosure == nil else { return nil }
    return data.withTape { tape, index in
      EntityKeyText.make(
        shape.keyFields.map { field in
          tape.member(named: shape.fields[field].responseKey, of: index).flatMap {
            EntityKeyText.component(tape[$0], tape)
          }
        })
    }
  }

  /// The object with its fields under their own names: keys never depend on aliases. Fields with
  /// arguments keep their aliases.
  fileprivate static func named(
    _ object: TapeIndex, _ shape: Shape, _ document: JSONDocument
  ) -> JSON {
    let whole = JSON(document: document, index: object)
    let renamed = shape.fields.filter {
      $0.syntax.alias != nil && $0.syntax.arguments.isEmpty && $0.responseKey != Array($0.name.utf8)
    }
    guard !renamed.isEmpty else { return whole }
    let names = Dictionary(
      renamed.map { (String(decoding: $0.responseKey, as: UTF8.self), $0.name) },
      uniquingKeysWith: { first, _ in first })
    let taken = Set(names.values)
    var text: [UInt8] = [UInt8(ascii: "{")]
    var written: Set<String> = []
    for (key, value) in whole.members {
      guard let name = names[key] ?? (taken.contains(key) && !shape.selects(key) ? nil : key),
        written.insert(name).inserted
      else { continue }
      if text.count > 1 { text.append(UInt8(ascii: ",")) }
      text += CanonicalJSON.string(name) + [UInt8(ascii: ":")] + value.bytes
    }
    text.append(UInt8(ascii: "}"))
    return (try? JSON(parsing: text)) ?? whole
  }
}

/// Visits the objects of data in the order in which they are written.
private struct KeyWalk {
  let tape: JSONTape
  let document: JSONDocument
  let bindings: Bindings
  /// Whether a member shows its type condition to hold.
  let isWhole: Bool
  var keys: [TapeIndex: [UInt8]] = [:]
  /// The shapes of objects with members that seemed not to be selected.
  var corrected: [Place: Shape] = [:]

  /// Objects that are written alike.
  struct Place: Hashable {
    let node: Int
    let type: TypeID
    let keyList: Int
  }

  mutating func visitMembers(of object: TapeIndex, _ shape: Shape) {
    for field in shape.fields {
      guard let node = field.child,
        let value = tape.member(named: field.responseKey, of: object)
      else { continue }
      visit(value, node, of: field, in: shape)
    }
  }

  private mutating func visit(
    _ value: TapeIndex, _ node: SelectionNode, of field: ShapeField, in parent: Shape
  ) {
    switch tape[value].kind {
    case .array:
      for element in tape.children(of: value) { visit(element, node, of: field, in: parent) }
    case .object:
      let catalog = bindings.catalog
      let type =
        node.typename(of: value, tape).flatMap(catalog.objectType)
        ?? catalog.declaredType(of: field.name, on: parent.typename)
      let shape = shape(of: value, type, node)
      if let closure = shape.keyClosure,
        let key = closure(ComputedKeys.named(value, shape, document)), !key.isEmpty
      {
        keys[value] = Array(key.utf8)
      }
      visitMembers(of: value, shape)
    default: break
    }
  }

  /// The shape with which the object will be written, which may select members after all.
  private mutating func shape(
    of object: TapeIndex, _ type: TypeID, _ node: SelectionNode
  ) -> Shape {
    let shape = bindings.shape(node, type)
    guard isWhole, type != .nameless else { return shape }
    let place = Place(node: node.number, type: type, keyList: tape.keyList(object))
    if let known = corrected[place] { return known }
    let unknown = shape.members(place.keyList, tape).unknown
    guard !unknown.isEmpty else { return shape }
    let found = bindings.shape(node, type, selecting: unknown) ?? shape
    corrected[place] = found
    return found
  }
}

extension Shape {
  /// Whether a field is selected under its own name.
  fileprivate func selects(_ name: String) -> Bool {
    fields.contains { $0.name == name && $0.responseKey == Array(name.utf8) }
  }
}

extension JSON {
  /// The cells that are null because of these errors: at an error's path, or at the nearest
  /// nullable field above it (GraphQL specification, section 6.4.4).
  package func cellsNulled(by errors: [GraphQLError]) -> Set<TapeIndex> {
    guard !errors.isEmpty else { return [] }
    var finder = ElementFinder()
    return Set(errors.compactMap { cell(nulledBy: $0, &finder) })
  }

  /// Whether each of these errors made a value null.
  package func isNulled(byEach errors: [GraphQLError]) -> Bool {
    var finder = ElementFinder()
    return errors.allSatisfy { cell(nulledBy: $0, &finder) != nil }
  }

  private func cell(nulledBy error: GraphQLError, _ finder: inout ElementFinder) -> TapeIndex? {
    var value = self
    for step in error.path {
      let next =
        switch step {
        case .key(let key): finder.member(of: value, named: key)
        case .index(let index): finder.element(of: value, at: index)
        }
      guard let next else { break }
      value = next
      if value.isNull { break }
    }
    return value.isNull ? value.index : nil
  }
}
