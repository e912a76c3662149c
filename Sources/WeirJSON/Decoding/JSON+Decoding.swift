import Foundation

/// The form of a `Date` in JSON. GraphQL has no scalar type for dates, but nearly all servers have
/// `DateTime` scalars that are ISO 8601 strings.
public enum JSONDateStrategy: Hashable, Sendable {
  /// A string like `2026-01-31T09:00:00Z`. A fraction of a second and an offset from UTC are read,
  /// too, and a date without a time is midnight in UTC. Written in UTC, with milliseconds if there
  /// are any.
  case iso8601
  /// Seconds since 1970 as a number.
  case secondsSince1970
  /// Milliseconds since 1970 as a number.
  case millisecondsSince1970
  /// The form that `Date` itself chooses: seconds since 2001 as a number.
  case deferredToDate
}

extension JSON {
  /// Decodes the value as a type.
  ///
  /// A `Date` is read as `dates` says, `Data` from Base64, a `URL` from a string, and a `Decimal`
  /// from a number (not through `Double`) or from a string. A `JSON` is a part of the same
  /// document, at no cost. An integer may be written as `1.0`. Within an `init(from:)`, errors are
  /// `DecodingError`s as usual; this method wraps them. The keys of a `codingPath` have the same strings
  /// and indices as those of the type, but not its `CodingKeys` as their type.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, dates: JSONDateStrategy = .iso8601,
    userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) throws(JSONDecodingError) -> Value {
    try decode(type, DecodingSession(self, dates: dates, userInfo: userInfo))
  }

  /// Decodes the value as a type, and reuses elements of the long arrays of the document before.
  package func decode<Value: Decodable>(
    _ type: Value.Type, reusing elements: DecodedElements?
  ) throws(JSONDecodingError) -> Value {
    defer { elements?.forgetBefore() }
    return try decode(
      type, DecodingSession(self, dates: .iso8601, userInfo: [:], elements: elements))
  }

  private func decode<Value: Decodable>(
    _ type: Value.Type, _ session: DecodingSession
  ) throws(JSONDecodingError) -> Value {
    do {
      return try session.holdingTape {
        try JSONValueDecoder(session: session, index: index).root(type)
      }
    } catch {
      throw JSONDecodingError(error, path: session.failurePath, ownMessage: session.ownMessage)
    }
  }
}
