/// An input value as it is written in a document (specification, section 2.10).
///
/// Numbers keep their source text, so numbers such as `123456789012345678901234567890` lose no
/// digit.
public enum Value: Hashable, Sendable {
  /// A variable, by its name without `$`.
  case variable(String)
  /// An integer of any size, in decimal digits with an optional minus sign.
  case int(String)
  /// A number with a fraction or an exponent, as in the source text.
  case float(String)
  /// A string.
  case string(StringValue)
  /// `true` or `false`.
  case boolean(Bool)
  /// `null`.
  case null
  /// A value of an enumeration, by its name.
  case `enum`(String)
  /// A list, possibly empty.
  case list([Value])
  /// An input object; its fields are in the order of the source text.
  case object([ObjectField])
}

extension Value {
  /// Whether the value contains no variable.
  public var isConstant: Bool {
    switch self {
    case .variable: false
    case .int, .float, .string, .boolean, .null, .enum: true
    case .list(let elements): elements.allSatisfy(\.isConstant)
    case .object(let fields): fields.allSatisfy(\.value.isConstant)
    }
  }
}

/// A named member of an input object.
public struct ObjectField: Hashable, Sendable {
  /// The name of the member.
  public var name: String
  /// The value of the member.
  public var value: Value

  /// Makes a member of an input object.
  public init(name: String, value: Value) {
    self.name = name
    self.value = value
  }
}

/// A string literal or a description.
///
/// Two strings are equal if they have the same Unicode scalars. This is stricter than `String`, for
/// which `"\u{E9}"` and `"e\u{301}"` are equal, because a server may distinguish them.
public struct StringValue: Sendable {
  /// The text without quotes, with escape sequences replaced and a block string's indentation
  /// removed.
  public var value: String
  /// Whether it is written as a block string, between triple quotes.
  public var isBlock: Bool

  /// Makes a string.
  public init(_ value: String, isBlock: Bool = false) {
    self.value = value
    self.isBlock = isBlock
  }
}

extension StringValue: Hashable {
  /// Compares the scalars and the notation (quoted or block string).
  public static func == (left: StringValue, right: StringValue) -> Bool {
    left.isBlock == right.isBlock && left.value.utf8.elementsEqual(right.value.utf8)
  }

  /// Hashes the text as a `String`; equal values are also equal as `String`.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(value)
    hasher.combine(isBlock)
  }
}

extension StringValue: ExpressibleByStringLiteral {
  /// Makes a string that is written in simple quotes.
  public init(stringLiteral value: String) {
    self.init(value)
  }
}
