/// What a response's headers say of how long it may be used (RFC 9111, section 5.2.2).
enum CacheControl {
  /// What is left of the response's time: `max-age` less `Age`, zero for `no-store` and `no-cache`;
  /// nil if the headers say nothing.
  static func maximumAge(_ headers: HTTPHeaders) -> Duration? {
    guard let value = headers["cache-control"] else { return nil }
    var maximum: Int64?
    for directive in value.split(separator: ",") {
      let parts = directive.split(separator: "=", maxSplits: 1).map(trimmed)
      switch parts.first?.lowercased() {
      case "no-store", "no-cache": return .zero
      case "max-age": maximum = parts.count == 2 ? seconds(parts[1]) : nil
      default: continue
      }
    }
    guard let maximum else { return nil }
    let age = headers["age"].map { trimmed($0[...]) }.flatMap(seconds) ?? 0
    return .seconds(max(0, maximum - age))
  }

  /// Section 1.2.2: what is too large counts as 2^31.
  private static func seconds(_ text: String) -> Int64? {
    let digits = text.utf8.first == UInt8(ascii: "\"") ? text.dropFirst().dropLast() : text[...]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return min(Int64(digits) ?? .max, 1 << 31)
  }

  private static func trimmed(_ text: Substring) -> String {
    let text = text.drop { $0 == " " || $0 == "\t" }
    return String(text.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }
}
