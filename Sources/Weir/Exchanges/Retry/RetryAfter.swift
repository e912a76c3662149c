public import Foundation

extension OperationError {
  /// Returns how long the server asks to wait before the next request (RFC 9110, section 10.2.3).
  ///
  /// A date is relative to the response's `Date` field, if there is one, so that a wrong local
  /// clock has no effect.
  ///
  /// - Parameter now: The time, for a response without a `Date`.
  /// - Returns: nil if the server does not ask to wait, or the field is malformed.
  public func retryAfter(now: Date = Date()) -> Duration? {
    guard let headers = (underlying as? HTTPStatusError)?.headers,
      let text = headers["retry-after"]?[...].trimmedWhitespace
    else { return nil }
    if text.isDecimal {
      // A number that does not fit is longer than any limit.
      return .seconds(Int64(text).map { min($0, 1 << 32) } ?? 1 << 32)
    }
    guard let date = HTTPDate.date(String(text)) else { return nil }
    let reference = headers["date"].flatMap(HTTPDate.date) ?? now
    return .seconds(max(0, date.timeIntervalSince(reference)))
  }
}
