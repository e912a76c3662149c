import Weir

extension TypedData {
  /// Completes the elements of a list.
  mutating func complete(
    _ elements: [JSONValue], _ field: ShapeField, _ node: SelectionNode, _ stored: PriorValue
  ) throws(StoreError) -> JSONValue {
    let wasReplacing = isReplacing
    isReplacing = true
    defer { isReplacing = wasReplacing }
    let shown = stored.value?.array ?? []
    let like = shown.isEmpty ? stored.like?.array ?? [] : shown
    let old = stored.old?.array.flatMap { $0.count == shown.count ? $0 : nil }
    let types = Set(like.map { $0.object?.typename(node) })
    // Lists of lists have no type names, but a sample, too.
    let sample = types.count == 1 ? like.first : nil
    let (places, haveKeys) = places(of: elements, in: like, old: old, node)
    let other =
      if case .same = stored.relation {
        shown.isEmpty ? PriorValue.Relation.new : .undecided(haveKeys: haveKeys)
      } else {
        stored.relation
      }
    var whole = elements
    for index in elements.indices {
      path.append(JSONPathKey(index))
      defer { path.removeLast() }
      let place = places[index]
      let element =
        place == nil || shown.isEmpty
        ? PriorValue(relation: other, like: place.map { like[$0] } ?? sample)
        : PriorValue(
          relation: stored.relation, value: place.map { shown[$0] }, like: place.map { like[$0] },
          old: place.flatMap { old?[$0] })
      whole[index] = try complete(elements[index], field, node, element)
    }
    return .array(whole)
  }

  /// The earlier positions of elements, and whether any of those had a key.
  private mutating func places(
    of elements: [JSONValue], in before: [JSONValue], old: [JSONValue]?, _ node: SelectionNode
  ) -> (places: [Int?], haveKeys: Bool) {
    var byType: [String: (members: SelectedMembers, places: [ExactString: Int])] = [:]
    for (place, element) in before.enumerated() {
      guard let object = element.object, let name = object.typename(node) else { continue }
      if byType[name] == nil, let type = bindings.catalog.objectType(named: name) {
        byType[name] = (members(node, type), [:])
      }
      // The type may write a key in another way than the server, such as in other letters.
      for object in [object, old?[place].object] {
        guard let key = byType[name]?.members.keyText(of: object) else { continue }
        if byType[name]?.places[key] == nil { byType[name]?.places[key] = place }
      }
    }
    var places = [Int?](repeating: nil, count: elements.count)
    var keyless: [Int] = []
    for (index, element) in elements.enumerated() {
      let own = element.object?.typename(node)
      let types = byType.lazy.filter { own == nil || own == $0.key }.map(\.value)
      let keys = types.map { ($0, $0.members.keyText(of: element.object)) }
      let found = keys.compactMap { type, key in key.flatMap { type.places[$0] } }
      if found.isEmpty, keys.allSatisfy({ $1 == nil }) { keyless.append(index) }
      // Two types may have the same key.
      places[index] = found.count < 2 ? found.first : found.contains(index) ? index : nil
    }
    if let old { match(keyless, of: elements, with: old, &places) }
    return (places, byType.values.contains { !$0.places.isEmpty })
  }

  /// Finds elements without keys by their contents before. If the count is the same, equal elements may
  /// stand for each other, and an element that has changed in its place is the same.
  private func match(
    _ keyless: [Int], of elements: [JSONValue], with old: [JSONValue], _ places: inout [Int?]
  ) {
    let isSameCount = elements.count == old.count
    var taken = Set(places.compactMap(\.self))
    if isSameCount {
      for index in keyless where elements[index] == old[index] && taken.insert(index).inserted {
        places[index] = index
      }
    }
    var free: [JSONValue: [Int]] = [:]
    for place in old.indices where !taken.contains(place) {
      free[old[place], default: []].append(place)
    }
    for index in keyless where places[index] == nil {
      guard let found = free[elements[index]], isSameCount || found.count == 1,
        let place = free[elements[index]]?.popLast()
      else { continue }
      places[index] = place
      taken.insert(place)
    }
    guard isSameCount else { return }
    for index in keyless where places[index] == nil && !taken.contains(index) {
      places[index] = index
    }
  }
}
