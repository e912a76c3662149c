import Foundation
import Weir

/// JSON in both directions.
enum JSONCases {
  static var all: [BenchmarkCase] {
    document + tree + decoding + writing + variables
  }

  private static func payload(_ items: Int) throws -> [UInt8] {
    let bytes = Payloads.todos(items)
    try expect(items != 10_000 || bytes.count == 1_742_266, "The payload is not what it has to be.")
    return bytes
  }

  // MARK: Bytes to a document

  private static var document: [BenchmarkCase] {
    [
      BenchmarkCase(name: "json/document/small", yardstick: .jsonSerializationSmall) {
        let bytes = Payloads.post(1)
        return Workload(
          run: { operations in
            for _ in 0..<operations {
              let json = try JSON(parsing: bytes)
              try expect(json.count == 1, wrong)
            }
          }, countsAllocations: true)
      },
      list("document", 1_000, .dictionaryLookup) { $0["data"]?["todos"]?.count ?? 0 },
      list("document", 10_000, .jsonSerialization) { $0["data"]?["todos"]?.count ?? 0 },
    ]
  }

  // MARK: Bytes to a tree

  private static var tree: [BenchmarkCase] {
    [
      BenchmarkCase(name: "json/tree/small", yardstick: .jsonSerializationSmall) {
        let bytes = Payloads.post(1)
        return Workload(
          run: { operations in
            for _ in 0..<operations {
              let tree = try JSON(parsing: bytes).value
              try expect(tree.object?.count == 1, wrong)
            }
          }, countsAllocations: true)
      },
      list("tree", 1_000, .dictionaryLookup) { $0.value["data"]?["todos"]?.array?.count ?? 0 },
      list("tree", 10_000, .jsonSerialization) { $0.value["data"]?["todos"]?.array?.count ?? 0 },
    ]
  }

  // MARK: Bytes to structs

  private static var decoding: [BenchmarkCase] {
    [
      BenchmarkCase(name: "json/decode/small", yardstick: .jsonDecoderSmall) {
        let bytes = Payloads.post(1)
        return Workload(
          run: { operations in
            for _ in 0..<operations {
              let post = try JSON(parsing: bytes).decode(Response<PostData>.self)
              try expect(post.data.post.published, wrong)
            }
          }, countsAllocations: true)
      },
      list("decode", 1_000, .dictionaryLookup) {
        try $0.decode(Response<TodosData>.self).data.todos.count
      },
      list("decode", 10_000, .jsonDecoder) {
        try $0.decode(Response<TodosData>.self).data.todos.count
      },
      list("decode by initializers", 10_000, .jsonDecoder) {
        try $0["data"]?.decode(TodosSelection.self).todos.count ?? 0
      },
    ]
  }

  private static func list(
    _ name: String, _ items: Int, _ yardstick: Yardstick,
    count: @escaping (JSON) throws -> Int
  ) -> BenchmarkCase {
    BenchmarkCase(
      name: "json/\(name)/\(items)", yardstick: yardstick,
      scaling: Scaling(line: "bytes to \(name)", axis: "items", size: items)
    ) {
      let bytes = try payload(items)
      return Workload(
        parts: (items, "item"),
        run: { operations in
          for _ in 0..<operations {
            let found = try count(try JSON(parsing: bytes))
            try expect(found == items, wrong)
          }
        })
    }
  }

  // MARK: To bytes

  private static var writing: [BenchmarkCase] {
    [
      BenchmarkCase(name: "json/canonical text/10000", yardstick: .jsonSerialization) {
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
      encoding("small variables", PostVariables(id: "42"), #"{"id":"42"}"#),
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
        }, countsAllocations: true)
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
        }, countsAllocations: true)
    }
  }

  private static var wrong: String { "JSON is not read or written as it has to be." }
}
