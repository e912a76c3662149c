import GraphQLLanguage
import Weir

/// Parsing and printing GraphQL.
enum GraphQLCases {
  private static let sizes = [1, 10, 100]

  static var all: [BenchmarkCase] {
    sizes.flatMap { size in
      [parse(size), print(size, "canonical") { $0.canonicalText }]
    } + [print(1, "minified") { $0.minifiedText }]
  }

  private static func text(_ size: Int) -> String {
    size == 1 ? Documents.feed : Documents.feeds(size)
  }

  private static func lines(_ size: Int) -> Int {
    text(size).utf8.count { $0 == UInt8(ascii: "\n") } + 1
  }

  private static func parse(_ size: Int) -> BenchmarkCase {
    BenchmarkCase(
      name: "graphql/parse/\(lines(size)) lines", yardstick: .jsonSerialization(size),
      scaling: Scaling(line: "parse", axis: "lines of GraphQL", size: lines(size))
    ) {
      let text = text(size)
      return Workload(
        run: { operations in
          for _ in 0..<operations {
            let document = try Document(parsing: text)
            try expect(document.definitions.count == 2 * size, "Definitions are missing.")
          }
        }, isCounted: size == 1)
    }
  }

  private static func print(
    _ size: Int, _ name: String, _ print: @escaping (Document) -> String
  ) -> BenchmarkCase {
    BenchmarkCase(
      name: "graphql/print \(name)/\(lines(size)) lines", yardstick: .jsonSerialization(size),
      scaling: name == "canonical"
        ? Scaling(line: "print", axis: "lines of GraphQL", size: lines(size)) : nil
    ) {
      let document = try Document(parsing: text(size))
      let printed = print(document)
      try expect(
        try Document(parsing: printed) == document, "The printed text has another meaning.")
      return Workload(
        run: { operations in
          for _ in 0..<operations {
            try expect(print(document).utf8.count == printed.utf8.count, "The text has changed.")
          }
        }, isCounted: size == 1)
    }
  }
}
