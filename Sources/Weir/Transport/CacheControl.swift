/// Reads how long a response may be used from its header fields (RFC 9111, section 5.2.2).
enum CacheControl {
  /// Returns the remaining lifetime of a response: `max-age` less `Age`, zero for `no-store` and
  /// `no-cache`, nil if the header fields do not say.
  static func maximumAge(_ headers: HTTPHeaders) -> Duration? {
    guard let value = headers["cache-control"] else { return nil }
    var maximum: Int64?
    for directive in value.split(separator: ",") {
      let parts = directive.split(separator: "=", maxSplits: 1).map(\.trimmedWhitespace)
      switch parts.first?.lowercased() {
      case "no-store", "no-cache": return .zero
      case "max-age": maximum = parts.count == 2 ? seconds(parts[1]) : nil
      default: continue
      }
    }
    guard let maximum else { return nil }
    let age = headers["age"].flatMap { seconds($0[...].trimmedWhitespace) } ?? 0
    return .seconds(max(0, maximum - age))
  }

  /// Section 1.2.2: a value that is too large counts as 2^31.
  private static func seconds(_ text: Substring) -> Int64? {
    let digits = text.utf8.first == UInt8(ascii: "\"") ? text.dropFirst().dropLast() : text
    guard digits.isDecimal else { return nil }
    return min(Int64(digits) ?? .max, 1 << 31)
  }
}
