import Testing
@testable import WeirRecords

@Suite("Data that an earlier version has saved")
struct SavedFormatTests {
  @Test("The kinds of values have the numbers of saved data (N9.1)")
  func kinds() {
    let kinds = Cell.Kind.allCases
    #expect(
      kinds == [
        .absent, .null, .false, .true, .number, .string, .json, .reference, .embedded, .list,
      ])
    #expect(kinds.map(\.rawValue) == Array(0...9))
    #expect(kinds.map { Cell($0).kind } == kinds)
  }
}
