import Testing
import Weir

@testable import WeirJSON

/// The paths of errors that initializers handle.
@Suite("JSON: paths of handled errors")
struct ErrorPathTests {
  /// Reads an id that some servers write as a string, and others as a number.
  private struct AnyID: Decodable {
    let text: String
    let path: String

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      do {
        text = String(try container.decode(Int.self))
        path = ""
      } catch DecodingError.typeMismatch(_, let context) {
        text = try container.decode(String.self)
        path = context.codingPath.map { JSONPathKey($0).description }.joined(separator: " ")
      }
    }
  }

  private struct Item: Decodable {
    let id: AnyID
    let parents: [AnyID]
  }

  @Test("Each of many errors in one list has its own path")
  func paths() throws {
    let ids = (0..<100).map { $0 % 3 == 0 ? "\($0)" : "\"\($0)\"" }
    let items = ids.map { #"{"parents":[\#($0),"x"],"id":\#($0)}"# }
    let json = try JSON(parsing: #"{"a":{"b":0,"list":[\#(items.joined(separator: ","))]}}"#)
    let list = try json.decode([String: [String: JSON]].self)["a"]?["list"]
    for (number, item) in try #require(list).decode([Item].self).enumerated() {
      // The id is read first, and comes last in the text.
      let place =
        number % 3 == 0
        ? ["", "", "[\(number)] parents [1]"]
        : [
          "[\(number)] id", "[\(number)] parents [0]", "[\(number)] parents [1]",
        ]
      #expect(([item.id] + item.parents).map(\.path) == place)
    }
  }

  @Test(
    "Searches for paths walk over each element once, in whatever order paths are asked for (H10)")
  func walks() throws {
    let list = (0..<2_000).map { _ in #"{"a":1,"b":[2]}"# }.joined(separator: ",")
    let document = try JSON(parsing: #"{"x":0,"data":{"list":[\#(list)]}}"#).document
    document.withTape { tape in
      let data = tape.value(.root, at: 1)
      let array = tape.value(data, at: 0)
      var trail = PathTrail()
      for (position, item) in tape.children(of: array).enumerated() {
        for (target, rest) in [
          (tape.value(tape.value(item, at: 1), at: 0), ["\(position)", "b", "0"]), (array, []),
          (item, ["\(position)"]), (tape.value(item, at: 0), ["\(position)", "a"]),
        ] {
          let path = tape.path(from: .root, to: target, on: &trail, key: { $0 }, index: { "\($0)" })
          #expect(path == ["data", "list"] + rest)
        }
      }
      #expect(trail.walked < 3 * 2_000)
    }
  }
}
