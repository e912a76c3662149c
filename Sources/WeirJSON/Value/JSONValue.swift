internal import WeirSupport

/// A JSON value as a tree that you can take apart with `switch`, build with literals, and change.
///
/// Create one only when you need a tree: a `JSON` within a parsed document takes a fraction of the
/// memory and time. A number is `int` if it is written as an integer that fits, `uint` if it fits
/// only there, and otherwise `double`. `int(1)` and `double(1)` differ, objects are equal
/// regardless of the order of their members, and strings are equal as Swift compares strings.
public enum JSONValue: Hashable, Sendable {
  /// `null`
  case null
  /// `true` or `false`
  case bool(Bool)
  /// An integer from -2^63 to 2^63 - 1
  case int(Int64)
  /// An integer from 2^63 to 2^64 - 1. A smaller one is written like an `int`, and read back as
  /// `int`.
  case uint(UInt64)
  /// Any other number
  case double(Double)
  /// A string
  case string(String)
  /// An array
  case array([JSONValue])
  /// An object
  case object(JSONObject)
}

extension JSONValue {
  /// Whether both are the same text, apart from the order of members. Strings that Swift treats as
  /// equal may have other bytes, and zeros other signs.
  package func isSpelled(like other: JSONValue) -> Bool {
    switch (self, other) {
    case (.string(let one), .string(let other)): ExactString(one) == ExactString(other)
    case (.double(let one), .double(let other)): one == other && one.sign == other.sign
    case (.array(let one), .array(let other)):
      one.count == other.count && zip(one, other).allSatisfy { $0.isSpelled(like: $1) }
    case (.object(let one), .object(let other)):
      one.count == other.count
        && one.allSatisfy { key, value in other[key].map(value.isSpelled) ?? false }
    default: self == other
    }
  }
}

extension JSONValue {
  /// Whether the value is `null`.
  public var isNull: Bool { self == .null }

  /// The value of a `bool`; otherwise nil.
  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The value of an `int`, or of another number that is an integer and fits; otherwise nil.
  public var int: Int64? {
    switch self {
    case .int(let value): value
    case .uint(let value): Int64(exactly: value)
    case .double(let value): Int64(exactly: value)
    default: nil
    }
  }

  /// The value of a `uint`, or of another number that is an integer and fits; otherwise nil.
  public var uint: UInt64? {
    switch self {
    case .int(let value): UInt64(exactly: value)
    case .uint(let value): value
    case .double(let value): UInt64(exactly: value)
    default: nil
    }
  }

  /// The value of a number, rounded to the nearest `Double`; otherwise nil.
  public var double: Double? {
    switch self {
    case .int(let value): Double(value)
    case .uint(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// The value of a `string`; otherwise nil.
  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The elements of an `array`; otherwise nil.
  public var array: [JSONValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The members of an `object`; otherwise nil.
  public var object: JSONObject? {
    if case .object(let value) = self { value } else { nil }
  }

  /// The value of a member; nil if there is none or this is not an object. Setting a value turns
  /// this into an object if it is not one; setting nil removes the member, if there is one.
  public subscript(key: String) -> JSONValue? {
    get { object?[key] }
    set {
      guard newValue != nil || object != nil else { return }
      var members = object ?? JSONObject()
      self = .null  // Lets `members` be changed in place.
      members[key] = newValue
      self = .object(members)
    }
  }

  /// The element at a position; nil if there is none or this is not an array.
  ///
  /// ```swift
  /// data["posts"]?[0]?["title"] = "Hello"     // changes nothing if there is no first post
  /// ```
  ///
  /// Setting a value replaces the element, or appends it if the position is the array's count; any
  /// other position is an error that ends the process, as in an `Array`. It turns this into an array
  /// if it is not one. Setting nil removes the element, if there is one.
  public subscript(position: Int) -> JSONValue? {
    get {
      guard case .array(let elements) = self, elements.indices.contains(position) else {
        return nil
      }
      return elements[position]
    }
    set {
      var elements = array ?? []
      guard newValue != nil || elements.indices.contains(position) else { return }
      self = .null  // Lets `elements` be changed in place.
      elements.replaceSubrange(
        position..<min(position + 1, max(position, elements.count)),
        with: newValue.map { [$0] } ?? [])
      self = .array(elements)
    }
  }
}
