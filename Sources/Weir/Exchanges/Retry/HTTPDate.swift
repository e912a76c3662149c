import Foundation

/// Parses dates in the three formats of RFC 9110, section 5.6.7; always UTC.
enum HTTPDate {
  /// Parses `Sun, 06 Nov 1994 08:49:37 GMT`, and the obsolete `Sunday, 06-Nov-94 08:49:37 GMT` and
  /// `Sun Nov  6 08:49:37 1994`. Ignores the name of the day.
  static func date(_ text: String) -> Date? {
    let parts = text.split { $0 == " " || $0 == "-" || $0 == "," }
    switch parts.count {
    case 6 where parts[5] == "GMT" && text.contains(","):
      return date(year: parts[3], month: parts[2], day: parts[1], time: parts[4])
    case 5 where !text.contains(","):
      return date(year: parts[4], month: parts[1], day: parts[2], time: parts[3])
    default:
      return nil
    }
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func date(
    year: Substring, month: Substring, day: Substring, time: Substring
  ) -> Date? {
    let clock = time.split(separator: ":", omittingEmptySubsequences: false)
    guard let month = months.firstIndex(of: String(month)), let year = fullYear(year),
      let day = number(day, upTo: 31), day > 0, clock.count == 3,
      let hour = number(clock[0], upTo: 23), let minute = number(clock[1], upTo: 59),
      let second = number(clock[2], upTo: 60)
    else { return nil }
    let days = ISO8601.days(year: year, month: month + 1, day: day)
    return Date(
      timeIntervalSince1970: Double(((Int64(days) * 24 + Int64(hour)) * 60 + Int64(minute)) * 60)
        + Double(second))
  }

  /// Two digits from 70 on belong to the last century, others to this one.
  private static func fullYear(_ text: Substring) -> Int? {
    guard let year = number(text, upTo: 9999) else { return nil }
    return text.count > 2 ? year : year + (year < 70 ? 2000 : 1900)
  }

  private static func number(_ text: Substring, upTo limit: Int) -> Int? {
    guard text.isDecimal, text.utf8.count <= 4, let number = Int(text), number <= limit else {
      return nil
    }
    return number
  }
}
