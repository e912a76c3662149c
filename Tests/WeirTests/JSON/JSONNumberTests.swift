import Testing
@testable import Weir

@testable import WeirJSON
@testable import WeirSupport

@Suite("JSON: numbers")
struct JSONNumberTests {
  @Test(
    "A Float is rounded once",
    arguments: [
      // Just above and just below the middle between two numbers, and in the middle.
      ("1.00000005960464477539062500001", 1.0000001), ("1.000000059604644775390625", 1),
      ("1.0000000596046447753906249999", 1), ("1.00000017881393432617187499", 1.0000001),
      ("1.00000017881393432617187500", 1.0000002), ("-1.00000005960464477539062500001", -1.0000001),
      ("0.1", 0.1), ("16777217", 16_777_216), ("16777219", 16_777_220),
      ("1e-45", .leastNonzeroMagnitude),
      ("7.0064923216240853546186479164495e-46", 0),
      ("7.0064923216240853546186479164495807e-46", .leastNonzeroMagnitude), ("-0.0", -0.0),
      ("3.4028235677973366163753939545814e38", .greatestFiniteMagnitude),
    ] as [(String, Float)])
  func floats(_ text: String, _ expected: Float) throws {
    #expect(try JSON(parsing: text).decode(Float.self) == expected)
  }

  @Test(
    "An exponent may have any number of zeros",
    arguments: [
      ("1.0000000000000000e0000", 1), ("12345678901234567.0e+0000", 12_345_678_901_234_567),
      ("1.2345678901234567800e00018", 1_234_567_890_123_456_780),
      ("10000000000000000.0e-0001", 1_000_000_000_000_000),
    ] as [(String, Int)])
  func exponents(_ text: String, _ expected: Int) throws {
    #expect(try JSON(parsing: text).int == Int64(expected))
    #expect(try JSON(parsing: text).decode(Int.self) == expected)
    #expect(try JSON(parsing: text).double == Double(text))
  }

  @Test("The error of a tree that nests too deeply has no offset")
  func offset() {
    let value = (0..<513).reduce(JSONValue.null) { value, _ in [value] }
    #expect(throws: JSONError(.tooDeep, offset: 0)) { try value.compactBytes() }
  }

  @Test(
    "A duration in milliseconds is never negative",
    arguments: [
      (Duration.milliseconds(-500), 0), (.seconds(-2), 0), (.zero, 0), (.microseconds(1500), 1),
      (.seconds(Int64.max), .max),
    ] as [(Duration, Int64)])
  func milliseconds(_ duration: Duration, _ expected: Int64) {
    #expect(duration.milliseconds == expected)
  }

  @Test(
    "Results look alike only if their numbers have the same digits (W5)",
    arguments: [
      ("12345678901234567.89", "12345678901234567.90", false),
      ("18446744073709551617", "18446744073709551618", false),
      ("-18446744073709551617", "-18446744073709551617.0", true), ("1.10", "11e-1", true),
      ("0.010", "1E-2", true), ("-0.0", "0.0", true), ("0.1", "-0.1", false), ("1", "1.0", false),
      ("1.5", "1.5e0", true), ("20.0", "2.0e1", true),
    ])
  func equality(_ one: String, _ other: String, _ areEqual: Bool) throws {
    let results = try [one, other].map { OperationResult(data: try JSON(parsing: $0)) }
    #expect(results[0].looksLike(results[1]) == areEqual)
  }
}
