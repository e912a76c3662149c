import Foundation

/// How a `Date` stands in JSON. GraphQL has no scalar type for it, but `DateTime` scalars of nearly
/// all servers are ISO 8601 strings.
public enum JSONDateStrategy: Hashable, Sendable {
  /// A string like `2026-01-31T09:00:00Z`, also with a fraction of a second, an offset from UTC, or
  /// without a time, which is midnight in UTC. Written in UTC, with milliseconds if there are any.
  case iso8601
  /// Seconds since 1970 as a number.
  case secondsSince1970
  /// Milliseconds since 1970 as a number.
  case millisecondsSince1970
  /// As `Date` itself does it: seconds since 2001 as a number.
  case deferredToDate
}

extension JSON {
  /// Reads the value as a type.
  ///
  /// `Date` follows `dates`; `Data` is read from Base64, `URL` from a string, `Decimal` from a
  /// number, without going through `Double`, or from a string; a `JSON` is a part of the same
  /// document, at no cost. An integer may be written as `1.0`. Errors thrown within an `init(from:)`
  /// are `DecodingError`s, as everywhere; what comes out here wraps them.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, dates: JSONDateStrategy = .iso8601,
    userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) throws(JSONDecodingError) -> Value {
    try decode(type, DecodingSession(self, dates: dates, userInfo: userInfo))
  }

  /// Reads the value as a type; elements of long arrays are taken over from the document before.
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
      throw JSONDecodingError(error, path: session.failurePath)
    }
  }
}
