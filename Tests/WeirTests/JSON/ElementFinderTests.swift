import Testing
import Weir

@testable import WeirJSON

@Suite("Elements by position")
struct ElementFinderTests {
  @Test("Positions in any order, of several arrays, are found")
  func positions() throws {
    let json = try JSON(parsing: "[[0,[1],2,3],[4,5,{}],6]")
    var finder = ElementFinder()
    let (first, second) = (finder.element(of: json, at: 0), finder.element(of: json, at: 1))
    let (inner, other) = (try #require(first), try #require(second))
    for position in [0, 3, 2, 2, 0, 1, 3] {
      #expect(finder.element(of: inner, at: position) == inner[position])
    }
    for position in [2, 0, 1] {
      #expect(finder.element(of: other, at: position) == other[position])
      #expect(finder.element(of: json, at: position) == json[position])
    }
    for position in [-1, 4, .max] { #expect(finder.element(of: inner, at: position) == nil) }
    #expect(finder.element(of: other[2] ?? json, at: 0) == nil)
  }
}
