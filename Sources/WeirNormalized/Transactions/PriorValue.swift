import Weir

/// The store's data in the place of a value.
struct PriorValue {
  enum Relation {
    /// The same object or list; some of it may be missing unless it is whole.
    case same(isWhole: Bool)
    /// Nothing.
    case new
    /// One of several objects, but it is unknown which; they have keys, or none of them has.
    case undecided(haveKeys: Bool)
  }

  let relation: Relation
  /// The same object or list in the store.
  var value: JSONValue?
  /// Data of the same types.
  let like: JSONValue?
  /// The value as the type encoded it before the update.
  var old: JSONValue?

  func member(_ key: String) -> PriorValue {
    let like = like?[key]
    guard case .same = relation else { return PriorValue(relation: relation, like: like) }
    guard let value = value?[key], !value.isNull else {
      return PriorValue(relation: .new, like: like)
    }
    return PriorValue(relation: relation, value: value, like: like ?? value, old: old?[key])
  }
}

extension PriorValue {
  var isUndecided: Bool { if case .undecided = relation { true } else { false } }

  /// Whether there is an object with a key here, of which this is a part.
  func hasKey(_ part: JSONValue?) -> Bool {
    switch relation {
    case .same: part != nil
    case .new: false
    case .undecided(let haveKeys): haveKeys
    }
  }
}

/// The members of a selection for one type, with their keys as strings.
final class SelectedMembers {
  struct Member {
    let key: String
    let child: SelectionNode?
    let field: ShapeField
    let isKey: Bool
    let isCertain: Bool
  }

  let shape: Shape
  let list: [Member]

  init(_ shape: Shape) {
    self.shape = shape
    list = shape.fields.indices.compactMap { index in
      let field = shape.fields[index]
      switch field.place {
      case .typename, .computed: return nil
      case .fixed, .variable:
        return Member(
          key: String(decoding: field.responseKey, as: UTF8.self), child: field.child,
          field: field, isKey: shape.keyFields.contains(index),
          isCertain: shape.assumptions?.isCertain(field.responseKey) ?? true)
      }
    }
  }

  /// The key of an entity; nil if there is none, or if a part of it is missing.
  func keyText(of object: JSONObject?) -> ExactString? {
    guard let object, !shape.keyFields.isEmpty else { return nil }
    let parts = shape.keyFields.map { index -> [UInt8]? in
      let key = String(decoding: shape.fields[index].responseKey, as: UTF8.self)
      switch object[key] {
      case .string(let text): return text.isEmpty ? nil : Array(text.utf8)
      case .int, .uint, .double, .bool: return object[key].map { Array($0.description.utf8) }
      case .null, .array, .object, nil: return nil
      }
    }
    return EntityKeyText.make(parts).map { ExactString(String(decoding: $0, as: UTF8.self)) }
  }
}
