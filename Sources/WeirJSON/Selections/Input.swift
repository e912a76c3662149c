/// The value of a variable or an input field that may be left out: absent, null, or a value.
///
/// For a server, absent and null can differ: "leave it as it is" and "remove it". Initializers of
/// generated types take plain optionals, where nil means absent; pass `.null` to send null. Then the
/// others are written as `.value(x)`, too, or left out.
@frozen
public enum Input<Wrapped: Hashable & Sendable>: Hashable, Sendable {
  /// Not sent.
  case absent
  /// Sent as null.
  case null
  /// Sent with a value.
  case value(Wrapped)

  /// Creates a value, or an absent one for nil.
  @inlinable
  public init(_ value: Wrapped?) {
    self = value.map { .value($0) } ?? .absent
  }

  /// The value; nil if it is absent or null.
  public var value: Wrapped? {
    if case .value(let value) = self { value } else { nil }
  }
}

/// A value in a place of its own in memory, for input objects that contain themselves.
@dynamicMemberLookup
public final class Box<Value: Hashable & Sendable>: Hashable, Sendable {
  /// The value.
  public let value: Value

  /// Creates a box.
  public init(_ value: Value) {
    self.value = value
  }

  /// A property of the value.
  public subscript<Member>(dynamicMember member: KeyPath<Value, Member>) -> Member {
    value[keyPath: member]
  }

  /// Returns whether the values are equal.
  public static func == (left: Box, right: Box) -> Bool { left.value == right.value }

  /// Feeds the value into a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(value)
  }
}

extension Box: InputValue where Value: InputValue {
  /// Writes the value.
  public func write(into output: inout InputWriter) {
    value.write(into: &output)
  }
}
