/// A JSON value as a tree that can be taken apart with `switch`, built with literals and changed.
///
/// It is made on demand: a `JSON` within a parsed document needs a fraction of the memory and time.
/// A number is `int` if it is written as an integer that fits, `uint` if only that holds it, and
/// else `double`. `int(1)` and `double(1)` differ, objects are equal whatever the order of their
/// members, and strings are equal as Swift compares strings.
public enum JSONValue: Hashable, Sendable {
  /// `null`
  case null
  /// `true` or `false`
  case bool(Bool)
  /// An integer from -2^63 to 2^63 - 1
  case int(Int64)
  /// An integer from 2^63 to 2^64 - 1. A smaller one is written the same as an `int`, and is read
  /// as `int`.
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
  /// Whether the value is `null`.
  public var isNull: Bool { self == .null }

  /// The value of a `bool`, else nil.
  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The value of an `int`, or of a `uint` that is not too large, else nil.
  public var int: Int64? {
    switch self {
    case .int(let value): value
    case .uint(let value): Int64(exactly: value)
    default: nil
    }
  }

  /// The value of a number, rounded to the nearest `Double`, else nil.
  public var double: Double? {
    switch self {
    case .int(let value): Double(value)
    case .uint(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// The value of a `string`, else nil.
  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The elements of an `array`, else nil.
  public var array: [JSONValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The members of an `object`, else nil.
  public var object: JSONObject? {
    if case .object(let value) = self { value } else { nil }
  }

  /// The value of a member, or nil if there is none or this is no object. Setting turns anything
  /// that is no object into one; setting nil removes the member.
  public subscript(key: String) -> JSONValue? {
    get { object?[key] }
    set {
      var members = object ?? JSONObject()
      self = .null  // Lets `members` be changed in place.
      members[key] = newValue
      self = .object(members)
    }
  }

  /// The element at a position, or nil if there is none or this is no array.
  public subscript(position: Int) -> JSONValue? {
    guard case .array(let elements) = self, elements.indices.contains(position) else { return nil }
    return elements[position]
  }
}
