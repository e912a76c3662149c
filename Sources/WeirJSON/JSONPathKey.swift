/// One step of the path to a value: an object's key or an array's position.
public struct JSONPathKey: CodingKey, Hashable, Sendable, CustomStringConvertible {
  /// The key, or the position in digits.
  public let stringValue: String

  /// The position in an array; nil for a key.
  public let intValue: Int?

  /// Creates a step to a member.
  public init(_ key: String) {
    stringValue = key
    intValue = nil
  }

  /// Creates a step to an element.
  public init(_ position: Int) {
    stringValue = String(position)
    intValue = position
  }

  /// Creates the same step as another coding key.
  public init(_ key: some CodingKey) {
    stringValue = key.stringValue
    intValue = key.intValue
  }

  /// Creates a step to a member.
  public init?(stringValue: String) {
    self.init(stringValue)
  }

  /// Creates a step to an element.
  public init?(intValue: Int) {
    self.init(intValue)
  }

  /// The key, or the position in brackets.
  public var description: String { intValue.map { "[\($0)]" } ?? stringValue }

  /// Returns a path as programs write it: `data.todos[3].author`.
  package static func describe(_ path: [JSONPathKey]) -> String {
    path.reduce(into: "") { text, key in
      if key.intValue == nil, !text.isEmpty { text += "." }
      text += key.description
    }
  }
}

/// Whether an error is another one, passed on.
///
/// Proof: an `any Error` is one reference to a box, which is shared when the error is passed on. The
/// two are compared as numbers; both are alive here, so two boxes have two addresses. An error that
/// was put into a new box in between counts as another one.
func isSame(_ one: any Error, _ other: any Error) -> Bool {
  // Without `as`, the content of the boxes would be compared.
  unsafeBitCast(one as any Error, to: UInt.self)
    == unsafeBitCast(other as any Error, to: UInt.self)
}
