import GraphQLLanguage

extension SelectionMerging {
  /// Why two fields with the same response key conflict, without regard to their selection sets.
  func reason(_ first: FieldID, _ second: FieldID, isExclusive: Bool) -> String? {
    if first == second { return nil }
    let (a, b) = (table.fields[first], table.fields[second])
    if !isExclusive {
      if a.field.name != b.field.name {
        return "\"\(a.field.name)\" and \"\(b.field.name)\" are different fields"
      }
      if !a.field.arguments.isSame(as: b.field.arguments) { return "they have differing arguments" }
    }
    guard let left = a.type, let right = b.type, haveDifferentShapes(left, right) else {
      return nil
    }
    return "they return conflicting types \"\(left.canonicalText)\" and \"\(right.canonicalText)\""
  }

  /// "SameResponseShape" without the selection sets: the lists and non-null types agree, and leaves
  /// are of the same type.
  private func haveDifferentShapes(_ left: TypeReference, _ right: TypeReference) -> Bool {
    switch (left, right) {
    case (.list(let a), .list(let b)): haveDifferentShapes(a, b)
    case (.nonNull(let a), .nonNull(let b)): haveDifferentShapes(a, b)
    case (.named(let a), .named(let b)):
      a != b && (schema.types[a]?.isLeaf == true || schema.types[b]?.isLeaf == true)
    case (.list, _), (_, .list), (.nonNull, _), (_, .nonNull): true
    }
  }
}

extension [Argument] {
  /// Whether two lists have the same names and values, in any order.
  fileprivate func isSame(as other: [Argument]) -> Bool {
    haveSameValues(self, other, name: { $0.name }, value: { $0.value })
  }
}

extension Value {
  /// Whether two values are the same; the fields of input objects can be in any order.
  fileprivate func isSame(as other: Value) -> Bool {
    switch (self, other) {
    case (.list(let a), .list(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0.isSame(as: $1) }
    case (.object(let a), .object(let b)):
      haveSameValues(a, b, name: { $0.name }, value: { $0.value })
    default: self == other
    }
  }
}

/// Compares members in their order, which is most often the same, and otherwise by their names: the time
/// is in proportion to their number.
private func haveSameValues<Member>(
  _ left: [Member], _ right: [Member], name: (Member) -> String, value: (Member) -> Value
) -> Bool {
  guard left.count == right.count else { return false }
  if zip(left, right).allSatisfy({ name($0) == name($1) }) {
    return zip(left, right).allSatisfy { value($0).isSame(as: value($1)) }
  }
  // A member that occurs twice is an error of its own.
  let others = Dictionary(right.map { (name($0), value($0)) }, uniquingKeysWith: { a, _ in a })
  return left.allSatisfy { others[name($0)]?.isSame(as: value($0)) ?? false }
}
