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
    count == other.count
      && allSatisfy { argument in
        other.first { $0.name == argument.name }.map { $0.value.isSame(as: argument.value) }
          ?? false
      }
  }
}

extension Value {
  /// Whether two values are the same; the fields of input objects can be in any order.
  fileprivate func isSame(as other: Value) -> Bool {
    switch (self, other) {
    case (.list(let a), .list(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0.isSame(as: $1) }
    case (.object(let a), .object(let b)):
      a.count == b.count
        && a.allSatisfy { field in
          b.first { $0.name == field.name }.map { $0.value.isSame(as: field.value) } ?? false
        }
    default: self == other
    }
  }
}
