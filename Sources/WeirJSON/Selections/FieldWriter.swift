/// Writes the fields of one object for a ``SelectionData`` value.
///
/// Several parts of a value may write the same field. Objects are united; two different values are
/// an error, unless only one of them differs from the data before the change, which then counts.
public struct FieldWriter: ~Copyable {
  private var object = JSONObject()
  /// The object before the change; nil if there was none.
  private let old: JSONObject?
  /// Where the object stands in the data.
  private let path: [JSONPathKey]
  private let omitted: OmittedMembers?
  /// The first error; the value's `write(to:)` cannot throw, so that generated code stays small.
  private var failure: JSONEncodingError?

  init(old: JSONObject?, at path: [JSONPathKey], omitted: OmittedMembers?) {
    self.old = old
    self.path = path
    self.omitted = omitted
  }

  consuming func finish() throws -> JSONObject {
    if let failure { throw failure }
    return object
  }

  /// Writes the name of the object's type.
  public mutating func typename(_ name: String) {
    put("__typename", .string(name))
  }

  /// Writes the fields of a part: a fragment, or the fields of a type condition. Nil writes
  /// nothing.
  public mutating func part(_ part: (some SelectionData)?) {
    part?.write(to: &self)
  }
}

// MARK: - Values

extension FieldWriter {
  /// Writes a string; null for nil.
  public mutating func write(_ name: StaticString, _ value: String?) {
    put("\(name)", value.map { .string($0) } ?? .null)
  }

  /// Writes an integer; null for nil.
  public mutating func write(_ name: StaticString, _ value: Int?) {
    put("\(name)", value.map { .int(Int64($0)) } ?? .null)
  }

  /// Writes a number; null for nil.
  public mutating func write(_ name: StaticString, _ value: Double?) {
    put("\(name)", value.map { .double($0) } ?? .null)
  }

  /// Writes a Boolean; null for nil.
  public mutating func write(_ name: StaticString, _ value: Bool?) {
    put("\(name)", value.map { .bool($0) } ?? .null)
  }

  /// Writes a value of an enumeration; null for nil.
  public mutating func write(_ name: StaticString, _ value: (some GraphQLEnum)?) {
    write(name, value?.rawValue)
  }

  /// Writes an object; null for nil.
  public mutating func write(_ name: StaticString, _ value: (some SelectionData)?) {
    let key = "\(name)"
    put(key, value.map { tree(of: $0, old?[key], at: [JSONPathKey(key)]) } ?? .null)
  }

  /// Writes a list of objects; null for nil.
  public mutating func write(_ name: StaticString, _ values: [some SelectionData]?) {
    write(name, values?.map(Optional.init))
  }

  /// Writes a list of objects, some of which may be null; null for nil.
  public mutating func write(_ name: StaticString, _ values: [(some SelectionData)?]?) {
    let key = "\(name)"
    guard let values else { return put(key, .null) }
    let before = old?[key]?.array.flatMap { $0.count == values.count ? $0 : nil }
    var elements: [JSONValue] = []
    for (place, value) in values.enumerated() {
      let path = [JSONPathKey(key), JSONPathKey(place)]
      elements.append(value.map { tree(of: $0, before?[place], at: path) } ?? .null)
    }
    put(key, .array(elements))
  }

  /// Writes a value of any other type by `Encodable`, such as a date or a list of numbers; null for
  /// nil. Numbers are rounded as by `JSONValue(encoding:)`.
  public mutating func encode(_ name: StaticString, _ value: (some Encodable)?) {
    let key = "\(name)"
    do {
      put(key, try value.map { try JSONValue(encoding: $0) } ?? .null, isLeaf: true)
    } catch {
      note(error, at: [JSONPathKey(key)])
    }
  }

  private mutating func tree(
    of value: some SelectionData, _ before: JSONValue?, at path: [JSONPathKey]
  ) -> JSONValue {
    do {
      return try JSONValue(
        selection: value, old: before, at: self.path + path, omitted: omitted)
    } catch {
      note(error, at: path)
      return .null
    }
  }

  private mutating func note(_ error: any Error, at path: [JSONPathKey]) {
    guard failure == nil else { return }
    failure = JSONEncodingError(error, within: path)
  }
}

// MARK: - Uniting

extension FieldWriter {
  /// Writes a value. A leaf is not united with another, although it may be an object or a list.
  private mutating func put(_ key: String, _ value: JSONValue, isLeaf: Bool = false) {
    guard let other = object[key] else {
      object[key] = value
      return
    }
    let united =
      isLeaf
      ? Self.changed(other, value, old?[key])
      : united(other, value, old?[key], at: path + [JSONPathKey(key)])
    if let united {
      object[key] = united
    } else {
      note(
        JSONEncodingError(reason: .conflictingParts, path: [JSONPathKey(key)]), at: [])
    }
  }

  /// Returns the leaf that two parts stand for.
  private static func changed(
    _ one: JSONValue, _ other: JSONValue, _ old: JSONValue?
  ) -> JSONValue? {
    if one.isSpelled(like: other) { return one }
    guard let old else { return Optional.none }
    if one.isSpelled(like: old) { return other }
    // Not `nil`, which would be a null.
    return other.isSpelled(like: old) ? one : Optional.none
  }

  /// Returns the value that two parts stand for; nil if they differ, and nothing tells which of
  /// them counts.
  private func united(
    _ one: JSONValue, _ other: JSONValue, _ old: JSONValue?, at place: [JSONPathKey]
  ) -> JSONValue? {
    if one.isSpelled(like: other) { return one }
    switch (old.map(one.isPart) ?? false, old.map(other.isPart) ?? false) {
    case (true, false):
      omitted?.note(one, missingIn: other, at: place)
      return other
    case (false, true):
      omitted?.note(other, missingIn: one, at: place)
      return one
    case (true, true), (false, false):
      return merged(one, other, old, at: place)
    }
  }

  /// Unites two values that have both changed, or neither of them.
  private func merged(
    _ one: JSONValue, _ other: JSONValue, _ old: JSONValue?, at place: [JSONPathKey]
  ) -> JSONValue? {
    switch (one, other) {
    case (.object(var object), .object(let members)):
      for (key, member) in members {
        guard let first = object[key] else {
          object[key] = member
          continue
        }
        // Otherwise the changed fields of one object would be those of the other.
        if identifying.contains(key), !first.isSpelled(like: member) { return Optional.none }
        guard let value = united(first, member, old?[key], at: place + [JSONPathKey(key)])
        else { return Optional.none }
        object[key] = value
      }
      return .object(object)
    case (.array(let elements), .array(let others)) where elements.count == others.count:
      let before = old?.array.flatMap { $0.count == elements.count ? $0 : nil }
      var values: [JSONValue] = []
      for index in elements.indices {
        let place = place + [JSONPathKey(index)]
        guard let value = united(elements[index], others[index], before?[index], at: place)
        else { return Optional.none }
        values.append(value)
      }
      return .array(values)
    default: return Optional.none
    }
  }
}

/// The members that usually say which object it is.
private let identifying: Set = ["__typename", "id", "_id"]

/// The members that a changed object lacks because only another part of the data, which has not changed,
/// selects them. Their values in that part may be those of another object.
package final class OmittedMembers {
  private var places: Set<[JSONPathKey]> = []

  package init() {}

  /// Whether nothing is known of the value at a place.
  package func contains(_ place: [JSONPathKey]) -> Bool { places.contains(place) }

  /// Notes the members of `part` that `value` lacks.
  fileprivate func note(_ part: JSONValue, missingIn value: JSONValue, at place: [JSONPathKey]) {
    switch (part, value) {
    case (.object(let members), .object(let object)):
      for (key, member) in members {
        let place = place + [JSONPathKey(key)]
        if let value = object[key] {
          note(member, missingIn: value, at: place)
        } else {
          places.insert(place)
        }
      }
    case (.array(let members), .array(let elements)):
      // The elements may be in another order.
      let sample = members.reduce(JSONValue.null) { $0.withMembers(of: $1) }
      for (index, element) in elements.enumerated() {
        note(sample, missingIn: element, at: place + [JSONPathKey(index)])
      }
    default: break
    }
  }
}

extension JSONValue {
  /// Whether all that it has is in the data before the change, which unites several parts.
  fileprivate func isPart(of old: JSONValue) -> Bool {
    switch (self, old) {
    case (.object(let object), .object(let others)):
      object.allSatisfy { key, value in others[key].map(value.isPart) ?? false }
    case (.array(let elements), .array(let others)):
      elements.count == others.count && zip(elements, others).allSatisfy { $0.isPart(of: $1) }
    default: isSpelled(like: old)
    }
  }

  /// An object or a list with the members that occur in either of two.
  fileprivate func withMembers(of other: JSONValue) -> JSONValue {
    switch (self, other) {
    case (.object(var object), .object(let members)):
      for (key, member) in members {
        object[key] = object[key].map { $0.withMembers(of: member) } ?? member
      }
      return .object(object)
    case (.array(let elements), .array(let others)):
      // One element stands for all.
      return .array([(elements + others).reduce(JSONValue.null) { $0.withMembers(of: $1) }])
    case (.object, _), (.array, _): return self
    default: return other
    }
  }
}
