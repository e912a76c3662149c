import Foundation

/// Reads and writes dates by ISO 8601, in the profile of RFC 3339 and GraphQL's `DateTime` scalars.
package enum ISO8601 {
  /// Reads a date, a date with a time, or a date with a time and an offset. The default offset is
  /// UTC.
  static func date(_ text: String) -> Date? {
    var text = text
    return text.withUTF8 { bytes in
      var reader = Reader(bytes: bytes)
      return reader.date()
    }
  }

  /// Writes a date in UTC, with milliseconds if there are any; nil if the year is not 0 to 9999.
  static func text(_ date: Date) -> String? {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    guard abs(milliseconds) < 1e15 else { return nil }
    let (wholeDays, rest) = floorDivide(Int64(milliseconds), 86_400_000)
    // `Int` has 32 bits on watches: too few for milliseconds, enough for these.
    let (days, time) = (Int(wholeDays), Int(rest))
    let (year, month, day) = civil(days: days)
    guard 0...9999 ~= year else { return nil }
    let fraction = time % 1000
    let second = time / 1000
    return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2) + "T"
      + padded(second / 3600, 2) + ":" + padded(second / 60 % 60, 2) + ":"
      + padded(second % 60, 2) + (fraction == 0 ? "" : "." + padded(fraction, 3)) + "Z"
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private static func floorDivide<Number: SignedInteger>(
    _ number: Number, _ divisor: Number
  ) -> (quotient: Number, rest: Number) {
    let rest = number % divisor
    return rest < 0 ? (number / divisor - 1, rest + divisor) : (number / divisor, rest)
  }

  /// Returns the days from 1970 to a day in the Gregorian calendar. Counts years from March, so
  /// that the leap day comes last, in eras of 400 years. 32 bits are enough, as tests show.
  package static func days<Number: SignedInteger>(
    year: Number, month: Number, day: Number
  ) -> Number {
    let year = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = floorDivide(year, 400)
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The day in the Gregorian calendar that is so many days after 1970 began.
  package static func civil<Number: SignedInteger>(
    days: Number
  ) -> (year: Number, month: Number, day: Number) {
    let (era, dayOfEra) = floorDivide(days + 719_468, 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }

  private struct Reader {
    /// Proof of validity: a reader is used only within the closure that receives the bytes; each
    /// index is compared with their count first.
    let bytes: UnsafeBufferPointer<UInt8>
    var at = 0

    mutating func date() -> Date? {
      guard let year = number(4), take("-"), let month = number(2), take("-"),
        let day = number(2), 1...12 ~= month, 1...ISO8601.length(ofMonth: month, in: year) ~= day
      else { return nil }
      var seconds = Int64(ISO8601.days(year: year, month: month, day: day)) * 86_400
      var fraction = 0.0
      if at < bytes.count {
        guard take("T") || take("t") || take(" "), let time = time(&fraction),
          let offset = offset(), at == bytes.count
        else { return nil }
        seconds += Int64(time - offset)
      }
      return Date(timeIntervalSince1970: Double(seconds) + fraction)
    }

    private mutating func time(_ fraction: inout Double) -> Int? {
      guard let hour = number(2), take(":"), let minute = number(2), hour < 24, minute < 60 else {
        return nil
      }
      guard take(":") else { return hour * 3600 + minute * 60 }
      // 60 is a leap second.
      guard let second = number(2), second <= 60 else { return nil }
      if take(".") || take(",") {
        var scale = 0.1
        let start = at
        while at < bytes.count, bytes[at] &- 48 < 10 {
          fraction += Double(bytes[at] &- 48) * scale
          scale /= 10
          at += 1
        }
        if at == start { return nil }
      }
      return hour * 3600 + minute * 60 + second
    }

    private mutating func offset() -> Int? {
      if at == bytes.count || take("Z") || take("z") { return 0 }
      let isNegative = take("-")
      guard isNegative || take("+"), let hour = number(2), hour < 24 else { return nil }
      var minute = 0
      if at < bytes.count {
        _ = take(":")
        guard let value = number(2), value < 60 else { return nil }
        minute = value
      }
      return (hour * 3600 + minute * 60) * (isNegative ? -1 : 1)
    }

    private mutating func number(_ width: Int) -> Int? {
      guard at + width <= bytes.count else { return nil }
      var value = 0
      for _ in 0..<width {
        guard bytes[at] &- 48 < 10 else { return nil }
        value = value * 10 + Int(bytes[at] &- 48)
        at += 1
      }
      return value
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard at < bytes.count, bytes[at] == UInt8(ascii: character) else { return false }
      at += 1
      return true
    }
  }

  private static func length(ofMonth month: Int, in year: Int) -> Int {
    if month == 2 { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28 }
    return [4, 6, 9, 11].contains(month) ? 30 : 31
  }
}
