import GraphQLLanguage

/// Fields by the types that they are selected from. Fields of two object types never apply to the
/// same object; any other two may.
struct ParentPartition {
  /// For each object type, the positions of its fields.
  private(set) var objects: [[Int]] = []
  /// The positions of the fields of interfaces, unions and unknown types.
  private(set) var others: [Int] = []

  init(_ parents: [SchemaType?]) {
    var positions: [ObjectIdentifier: Int] = [:]
    for (index, parent) in parents.enumerated() {
      guard let parent, parent.kind == .object else {
        others.append(index)
        continue
      }
      if let position = positions[ObjectIdentifier(parent)] {
        objects[position].append(index)
      } else {
        positions[ObjectIdentifier(parent)] = objects.count
        objects.append([index])
      }
    }
  }

  /// The sets of fields that may apply to the same object.
  var unions: [[Int]] {
    if objects.isEmpty { return [others] }
    return others.isEmpty ? objects : objects.map { ($0 + others).sorted() }
  }
}
