public import Foundation

extension JSON {
  /// The instant that a string gives in the form of ISO 8601, as it is decoded into a `Date`; nil for other
  /// values. See ``JSONValue/date``.
  public var date: Date? { string.flatMap { ISO8601.date($0) } }
}

extension JSONValue {
  /// The instant that a string gives in the form of ISO 8601, as it is decoded into a `Date`; nil for other
  /// values.
  ///
  /// Compare instants, not their texts, for example to sort a list: `"09:00:00.5Z"` follows `"09:00:00Z"` only
  /// as an instant, and servers write different offsets. Each call reads the text.
  public var date: Date? { string.flatMap { ISO8601.date($0) } }
}
