import Testing
import WeirJSON

@testable import Weir

/// Arithmetic of the library with the 32 bits that `Int` has on watches.
@Suite("Integers of 32 bits")
struct NarrowIntegerTests {
  @Test("Days are computed in 32 bits as in 64, for each month of 10,000 years")
  func days() {
    for year in Int32(0)...9999 {
      for month in Int32(1)...12 {
        let days = ISO8601.days(year: year, month: month, day: Int32(28))
        let wide = ISO8601.days(year: Int64(year), month: Int64(month), day: 28)
        #expect(Int64(days) == wide)
        let civil = ISO8601.civil(days: days)
        #expect(civil.year == year && civil.month == month && civil.day == 28)
      }
    }
  }

  @Test("The parts of a duration fit into 32 bits, and a longer one has none")
  func durations() throws {
    let longest = Duration.seconds(Int64(Int32.max)) + .nanoseconds(999_999_999)
    for duration in [.zero, .nanoseconds(-1), longest, .seconds(Int64(Int32.min))] {
      let narrow = try #require(duration.parts(Int32.self))
      let wide = try #require(duration.parts(Int64.self))
      #expect(Int64(narrow.seconds) == wide.seconds)
      #expect(Int64(narrow.nanoseconds) == wide.nanoseconds)
    }
    #expect(Duration.seconds(Int64(1) << 31).parts(Int32.self) == nil)
    #expect(Duration.seconds(Int64.max).parts(Int32.self) == nil)
  }
}
