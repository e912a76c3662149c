/// An input value as it is written in a document (specification, section 2.9).
///
/// Numbers keep the text of the source, so that no digit is lost: `1e50` and
/// `123456789012345678901234567890` stay what they are.
public enum Value: Hashable, Sendable {
  /// A variable; the name is without `$`.
  case variable(String)
  /// An integer of any size, in decimal digits with an optional minus sign.
  case int(String)
  /// A number with a fraction or an exponent, as it was written.
  case float(String)
  /// A text.
  case string(StringValue)
  /// `true` or `false`.
  case boolean(Bool)
  /// `null`.
  case null
  /// The name of an enumeration's value.
  case `enum`(String)
  /// A list, possibly empty.
  case list([Value])
  /// An input object in the order of the source text.
  case object([ObjectField])
}

extension Value {
  /// Parses a text that holds one value, for example `{ ids: [1, 2], first: $count }`.
  ///
  /// - Throws: `GraphQLSyntaxError` when the text is anything else.
  public init(
    parsing text: String, options: ParseOptions = ParseOptions()
  ) throws(GraphQLSyntaxError) {
    var parser = try Parser(text, options: options)
    self = try parser.parseValue(isConstant: false)
    try parser.expect(.endOfFile)
  }

  /// Whether no variable occurs in the value.
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

/// A text in a document: the value of a string literal, or a description.
///
/// Two texts are equal when they have the same Unicode scalars. That is stricter than `String`, for
/// which `"\u{E9}"` and `"e\u{301}"` are equal: a server may well tell them apart.
public struct StringValue: Sendable {
  /// The text itself: without quotes, its escape sequences replaced, a block string's indentation
  /// removed.
  public var value: String
  /// Whether it is written as a block string, between triple quotes.
  public var isBlock: Bool

  /// Makes a text.
  public init(_ value: String, isBlock: Bool = false) {
    self.value = value
    self.isBlock = isBlock
  }
}

extension StringValue: Hashable {
  /// Compares the scalars, and whether both are block strings.
  public static func == (left: StringValue, right: StringValue) -> Bool {
    left.isBlock == right.isBlock && left.value.utf8.elementsEqual(right.value.utf8)
  }

  /// Hashes the text as `String` does: what is equal here is equal there.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(value)
    hasher.combine(isBlock)
  }
}

extension StringValue: ExpressibleByStringLiteral {
  /// Makes a text that is written between simple quotes.
  public init(stringLiteral value: String) {
    self.init(value)
  }
}
