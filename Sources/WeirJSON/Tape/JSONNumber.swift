/// Converts numbers that the parser has accepted.
///
/// Proof for all buffers: they are parts of the text of a document that the caller holds. Each
/// index is below their count, which the parser has checked where the code does not: digits follow
/// an `e` and its sign.
enum JSONNumber {
  /// Returns the exact value of an integer; nil if it does not fit.
  static func integer<Integer: FixedWidthInteger>(
    _ text: UnsafeBufferPointer<UInt8>, as type: Integer.Type
  ) -> Integer? {
    if Integer.bitWidth > 64 { return Integer(String(decoding: text, as: UTF8.self)) }
    let isNegative = text.first == UInt8(ascii: "-")
    guard let magnitude = magnitude(text, from: isNegative ? 1 : 0) else { return nil }
    guard isNegative else { return Integer(exactly: magnitude) }
    guard magnitude <= 1 << 63 else { return nil }
    return Integer(exactly: Int64(truncatingIfNeeded: 0 &- magnitude))
  }

  /// Returns the exact value of an integer that is written with a point or an exponent; nil if the
  /// number is not an integer, or does not fit.
  static func scaledInteger<Integer: FixedWidthInteger>(
    _ text: UnsafeBufferPointer<UInt8>, as type: Integer.Type
  ) -> Integer? {
    guard let double = double(text) else { return nil }
    // With so few digits, the `Double` is an integer other than zero only if the number is one.
    if text.count <= 16, double != 0, abs(double) < 0x1p53 { return Integer(exactly: double) }
    guard let plain = plainInteger(text) else { return nil }
    return plain.withUnsafeBufferPointer { integer($0, as: type) }
  }

  /// Writes an integer without its point and exponent; nil if the number is not an integer, or has
  /// more digits than any type.
  private static func plainInteger(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var exponent = 0
    var at = text.first == UInt8(ascii: "-") ? 1 : 0
    var digits: [UInt8] = []
    var isFraction = false
    while at < text.count, text[at] | 0x20 != UInt8(ascii: "e") {
      if text[at] == UInt8(ascii: ".") {
        isFraction = true
      } else {
        digits.append(text[at])
        if isFraction { exponent -= 1 }
      }
      at += 1
    }
    digits = Array(digits.drop { $0 == UInt8(ascii: "0") })
    if digits.isEmpty { return [UInt8(ascii: "0")] }
    guard add(exponentOf: text, at: at, to: &exponent) else { return nil }
    while exponent < 0, digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      exponent += 1
    }
    guard exponent >= 0, digits.count + exponent <= 39 else { return nil }
    let sign = text.first == UInt8(ascii: "-") ? [UInt8(ascii: "-")] : []
    return sign + digits + Array(repeating: UInt8(ascii: "0"), count: exponent)
  }

  /// Whether two numbers that are equal as `Double`s are equal in all their digits.
  static func haveEqualDigits(
    _ text: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    significantDigits(text) == significantDigits(other)
  }

  /// The digits from the first to the last one that is not zero.
  private static func significantDigits(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    let zero = UInt8(ascii: "0")
    var digits = text.prefix { $0 | 0x20 != UInt8(ascii: "e") }.filter { $0 >= zero }
    while digits.last == zero { digits.removeLast() }
    return Array(digits.drop { $0 == zero })
  }

  private static func magnitude(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> UInt64? {
    guard text.count - start <= 20 else { return nil }
    var value: UInt64 = 0
    for index in start..<text.count {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(text[index] &- 48))
      if overflow || carry { return nil }
      value = sum
    }
    return value
  }

  /// Returns the nearest `Double`; an infinity if the number is beyond its range.
  ///
  /// A mantissa of up to 2^53 and a power of ten up to 10^22 take one exact multiplication or
  /// division (Clinger, 1990). For other numbers the standard library does the conversion.
  static func double(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    var at = text.first == UInt8(ascii: "-") ? 1 : 0
    let isNegative = at == 1
    var mantissa: UInt64 = 0
    var exponent = 0
    let first = at
    while at < text.count, text[at] &- 48 < 10 {
      mantissa = mantissa &* 10 &+ UInt64(text[at] &- 48)
      at += 1
    }
    var digits = at - first
    if at < text.count, text[at] == UInt8(ascii: ".") {
      at += 1
      let point = at
      while at < text.count, text[at] &- 48 < 10 {
        mantissa = mantissa &* 10 &+ UInt64(text[at] &- 48)
        at += 1
      }
      exponent = point - at
      digits += at - point
    }
    guard digits <= 19, mantissa <= 1 << 53, add(exponentOf: text, at: at, to: &exponent),
      abs(exponent) <= 22
    else { return Double(String(decoding: text, as: UTF8.self)) }
    let power = powersOfTen[abs(exponent)]
    let value = exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
    return isNegative ? -value : value
  }

  /// Adds the exponent of a number, if it has one; false if it has more than three digits after its
  /// zeros.
  private static func add(
    exponentOf text: UnsafeBufferPointer<UInt8>, at start: Int, to exponent: inout Int
  ) -> Bool {
    guard start < text.count else { return true }
    var at = start + 1
    let isNegative = text[at] == UInt8(ascii: "-")
    if isNegative || text[at] == UInt8(ascii: "+") { at += 1 }
    while at < text.count, text[at] == UInt8(ascii: "0") { at += 1 }
    guard text.count - at <= 3 else { return false }
    var value = 0
    for index in at..<text.count { value = value * 10 + Int(text[index] &- 48) }
    exponent += isNegative ? -value : value
    return true
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}

extension JSONTape {
  /// Returns the exact value of an integer, which may be written as `1.0` or `1e2`; nil if it does
  /// not fit.
  func integer<Integer: FixedWidthInteger>(
    _ cell: JSONCell, as type: Integer.Type = Integer.self
  ) -> Integer? {
    guard cell.kind == .number else { return nil }
    return cell.isIrregular
      ? JSONNumber.scaledInteger(text(cell), as: type) : JSONNumber.integer(text(cell), as: type)
  }

  @usableFromInline
  func integer(_ cell: JSONCell) -> Int? { integer(cell, as: Int.self) }

  /// Returns the `Double` nearest to a number.
  @usableFromInline
  package func double(_ cell: JSONCell) -> Double? {
    cell.kind == .number ? JSONNumber.double(text(cell)) : nil
  }

  /// Returns the `Float` nearest to a number.
  func float(_ cell: JSONCell) -> Float? {
    guard let double = double(cell) else { return nil }
    let float = Float(double)
    // A `Double` in the middle between two `Float`s, which are closer together below a power of
    // two, may have been rounded to be there.
    let distance = 2 * abs(double - Double(float))
    let ulp = Double(float.ulp)
    guard distance == ulp || 2 * distance == ulp || !float.isFinite else { return float }
    return Float(String(decoding: text(cell), as: UTF8.self))
  }
}
