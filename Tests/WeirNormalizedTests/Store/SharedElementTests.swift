import Testing
import Weir
import WeirNormalized

/// A typed list takes decoded elements only from the list that it replaces (N3.5).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct SharedElementTests {
  struct Cell: Decodable, Sendable, Equatable {
    struct Friend: Decodable, Sendable, Equatable {
      let name: String
    }

    let id: String
    let name: String
    let friend: Friend?
  }

  struct Board: Decodable, Sendable, Equatable {
    let rows: [[Cell]]
  }

  struct Row: Decodable, Sendable, Equatable {
    let row: [Cell]
  }

  private static func cell(_ number: Int, friend: Int? = nil) -> JSONValue {
    [
      "__typename": "Cell", "id": .string("\(number)"), "name": .string("cell \(number)"),
      "friend": friend.map(Self.friend) ?? .null,
    ]
  }

  private static func friend(_ number: Int) -> JSONValue {
    ["__typename": "Cell", "id": .string("\(number)"), "name": .string("cell \(number)")]
  }

  @Test("Lists within a list pass elements on to one another (N3.5)")
  func nested() throws {
    let store = StoreKind.store()
    let query = Query<Board, NoVariables>("{ rows { id name friend { id name } } }")
    func show(_ rows: [ClosedRange<Int>]) throws -> [[String]]? {
      let data = rows.map { JSONValue.array($0.map { Self.cell($0) }) }
      try store.write(["rows": .array(data)], for: query.operation(NoVariables()))
      return try store.read(query, NoVariables())?.rows.map { $0.map(\.id) }
    }
    for rows in [
      [1...40, 41...80], [1...41, 42...80], [1...60, 61...63, 64...110], [3...40, 1...50],
    ] {
      #expect(try show(rows) == rows.map { $0.map(String.init) })
    }
  }

  @Test("An element that was also shown within a new one keeps its place (N3.5)")
  func within() throws {
    let store = StoreKind.store()
    let query = Query<Row, NoVariables>("{ row { id name friend { id name } } }")
    func show(_ row: [JSONValue]) throws -> [String]? {
      try store.write(["row": .array(row)], for: query.operation(NoVariables()))
      return try store.read(query, NoVariables())?.row.map(\.id)
    }
    let row = (0..<40).map { Self.cell($0) }
    #expect(try show(row) == (0..<40).map(String.init))
    let new = Self.cell(100, friend: 1)
    #expect(
      try show([row[0], new] + row[1...]) == ["0", "100"] + (1..<40).map(String.init))
  }
}
