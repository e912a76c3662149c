import Foundation
import Weir

/// JSON in both directions.
enum JSONCases {
  static var all: [BenchmarkCase] {
    document + tree + decoding + writing + variables
  }

  private static func payload(_ items: Int) throws -> [UInt8] {
    let bytes = Payloads.todos(items)
    try expect(items != 10_000 || bytes.count == 1_742_266, "The payload is not the right one.")
    return bytes
  }

  // MARK: Bytes to a document

  private static var document: [BenchmarkCase] {
    [small("document", .jsonSerialization(1)) { $0["data"]?.postChecksum ?? 0 }]
      + [1_000, 10_000].flatMap { items in
        [
          list("document", items, .jsonSerialization(items)) { $0["data"]?.todosChecksum ?? 0 },
          list("document, lazy", items, .jsonSerialization(items), looksAtAll: false) {
            $0["data"]?["todos"]?.count ?? 0
          },
        ]
      }
  }

  // MARK: Bytes to a tree

  private static var tree: [BenchmarkCase] {
    [small("tree", .jsonSerialization(1)) { $0.value.postChecksum }]
      + [1_000, 10_000].map { items in
        list("tree", items, .jsonSerialization(items)) { $0.value.todosChecksum }
      }
  }

  // MARK: Bytes to structs

  private static var decoding: [BenchmarkCase] {
    [
      small("decode", .jsonDecoder(1)) { try $0.decode(Response<PostData>.self).data.checksum }
    ]
      + [1_000, 10_000].map { items in
        list("decode", items, .jsonDecoder(items)) {
          try $0.decode(Response<TodosData>.self).data.checksum
        }
      } + [
        list("decode by initializers", 10_000, .jsonDecoder(10_000)) {
          try $0["data"]?.decode(TodosSelection.self).checksum ?? 0
        }
      ]
  }

  private static func small(
    _ name: String, _ yardstick: Yardstick, checksum: @escaping (JSON) throws -> Int
  ) -> BenchmarkCase {
    BenchmarkCase(name: "json/\(name)/small", yardstick: yardstick) {
      let bytes = Payloads.post(1)
      let sum = try Payloads.postChecksum(1)
      return Workload(
        run: { operations in
          for _ in 0..<operations {
            try expect(try checksum(try JSON(parsing: bytes)) == sum, wrong)
          }
        }, isCounted: true)
    }
  }

  private static func list(
    _ name: String, _ items: Int, _ yardstick: Yardstick, looksAtAll: Bool = true,
    checksum: @escaping (JSON) throws -> Int
  ) -> BenchmarkCase {
    BenchmarkCase(
      name: "json/\(name)/\(items)", yardstick: yardstick,
      scaling: Scaling(line: name, axis: "items", size: items)
    ) {
      let bytes = try payload(items)
      let sum = looksAtAll ? try Payloads.todosChecksum(items) : items
      return Workload(
        parts: (items, "item"),
        run: { operations in
          for _ in 0..<operations {
            try expect(try checksum(try JSON(parsing: bytes)) == sum, wrong)
          }
        })
    }
  }

  // MARK: To bytes

  private static var writing: [BenchmarkCase] {
    [
      BenchmarkCase(name: "json/canonical text/10000", yardstick: .jsonSerialization(10_000)) {
        let json = try JSON(parsing: payload(10_000))
        let length = json.canonicalBytes.count
        return Workload(
          parts: (10_000, "item"),
          run: { operations in
            for _ in 0..<operations { try expect(json.canonicalBytes.count == length, wrong) }
          })
      }
    ]
  }

  private static var variables: [BenchmarkCase] {
    [
      encoding("small variables", IDVariables(id: "42"), #"{"id":"42"}"#),
      encoding("nested variables", FeedVariables.sample, nestedText),
      writing("small variables, literal", ["id": "42"], #"{"id":"42"}"#),
      writing("nested variables, literal", FeedVariables.sampleValue, nestedText),
    ]
  }

  private static let nestedText =
    #"{"after":"Y3Vyc29yOjEyMw==","filter":{"author":{"id":"7"},"includeDrafts":false,"#
    + #""range":{"from":1700000000,"to":1800000000},"tags":["swift","graphql"]},"first":20}"#

  private static func encoding(
    _ name: String, _ value: some Encodable, _ text: String
  ) -> BenchmarkCase {
    BenchmarkCase(name: "json/encode/\(name)") {
      let expected = Array(text.utf8)
      return Workload(
        run: { operations in
          for _ in 0..<operations { try expect(try JSON.encode(value) == expected, wrong) }
        }, isCounted: true)
    }
  }

  private static func writing(
    _ name: String, _ value: JSONValue, _ text: String
  ) -> BenchmarkCase {
    BenchmarkCase(name: "json/encode/\(name)") {
      let expected = Array(text.utf8)
      return Workload(
        run: { operations in
          for _ in 0..<operations { try expect(try value.canonicalBytes() == expected, wrong) }
        }, isCounted: true)
    }
  }

  private static var wrong: String { "JSON was not read or written correctly." }
}
