import Foundation
import Weir

/// The properties of a decoded value, which reflection shows: independent of the generated reading and
/// writing.
struct PropertyView {
  let value: Any

  init(_ value: Any) { self.value = value }

  /// Returns the JSON that the properties stand for, without the names of types. `json` tells fields
  /// from fragments and parts, which show the same object.
  func json(for json: JSONValue?) -> JSONValue {
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional {
      guard let wrapped = mirror.children.first else { return .null }
      return PropertyView(wrapped.value).json(for: json)
    }
    switch value {
    case let value as String: return .string(value)
    case let value as Int: return .int(Int64(value))
    case let value as Double: return .double(value)
    case let value as Bool: return .bool(value)
    case let value as JSONValue: return value
    case let value as any GraphQLEnum: return .string(value.rawValue)
    case let value as any SelectionData: return .object(object(Mirror(reflecting: value), json))
    case let values as [Any]:
      return .array(
        values.enumerated().map { PropertyView($1).json(for: json?[$0]) })
    case let value as any Encodable: return (try? JSONValue(encoding: value)) ?? "not encodable"
    default: return "of an unexpected type"
    }
  }

  private func object(_ mirror: Mirror, _ json: JSONValue?) -> JSONObject {
    var object = JSONObject()
    let labels = Set(mirror.children.compactMap(\.label))
    for child in mirror.children {
      let label = child.label ?? ""
      if label == "__typename" { continue }
      if let key = key(label, among: labels, in: json) {
        let member = PropertyView(child.value).json(for: json?[key])
        // The field may be conditional here and selected by another part, too.
        if member.isNull, json?[key]?.isNull == false { continue }
        object[key] = merged(object[key], member)
      } else {
        for (key, member) in part(child.value, json) { object[key] = merged(object[key], member) }
      }
    }
    return object
  }

  /// The response key of a property; nil for a fragment, a part, or a field that is not there.
  private func key(
    _ label: String, among labels: Set<String>, in json: JSONValue?
  ) -> String? {
    if json?[label] != nil { return label }
    var plain = label
    while plain.hasSuffix("_") {
      plain.removeLast()
      // A key that has its own name as a property takes precedence.
      if json?[plain] != nil, !labels.contains(plain) { return plain }
    }
    return nil
  }

  /// The fields of a fragment, a part, or the case of a type condition.
  private func part(_ value: Any, _ json: JSONValue?) -> JSONObject {
    // The cast unwraps optionals, whose reflection would show a property `some`.
    if let data = value as? any SelectionData { return object(Mirror(reflecting: data), json) }
    let mirror = Mirror(reflecting: value)
    guard let inner = mirror.children.first,
      mirror.displayStyle == .optional || mirror.displayStyle == .enum
    else { return [:] }
    return part(inner.value, json)
  }

  /// The members that several parts show of one object.
  private func merged(_ one: JSONValue?, _ other: JSONValue) -> JSONValue {
    switch (one, other) {
    case (.object(var object)?, .object(let members)):
      for (key, member) in members { object[key] = merged(object[key], member) }
      return .object(object)
    case (.array(let elements)?, .array(let others)) where elements.count == others.count:
      return .array(zip(elements, others).map { merged($0, $1) })
    default:
      // Two parts that show different values would hide one of them.
      return one == nil || one == other ? other : "shown with two values"
    }
  }
}

extension JSONValue {
  /// The value without the names of types.
  var withoutTypenames: JSONValue {
    switch self {
    case .object(let members):
      .object(
        JSONObject(
          members.filter { $0.key != "__typename" }.map { ($0.key, $0.value.withoutTypenames) }))
    case .array(let elements): .array(elements.map(\.withoutTypenames))
    default: self
    }
  }

  /// Describes the first difference; nil if there is none. An integer equals the same number.
  func difference(from other: JSONValue, at path: String = "") -> String? {
    switch (self, other) {
    case (.object(let members), .object(let others)):
      for key in Set(members.keys).union(others.keys).sorted() {
        guard let one = members[key], let other = others[key] else {
          return "at \(path).\(key): it is missing \(members[key] == nil ? "first" : "second")"
        }
        if let difference = one.difference(from: other, at: "\(path).\(key)") { return difference }
      }
      return nil
    case (.array(let elements), .array(let others)) where elements.count == others.count:
      for (position, (one, other)) in zip(elements, others).enumerated() {
        if let difference = one.difference(from: other, at: "\(path)[\(position)]") {
          return difference
        }
      }
      return nil
    default:
      if self == other || (double != nil && double == other.double) { return nil }
      return "at \(path): \(self) and \(other)"
    }
  }
}
