import Weir
import WeirNormalized

/// The normalized store by itself, without exchanges.
enum NormalizedCases {
  static var all: [BenchmarkCase] {
    [
      BenchmarkCase(name: "normalized/write/10000", yardstick: .jsonSerialization) {
        let bytes = Payloads.todos(10_000)
        let operation = GraphQLOperation(GraphQLDocument(Documents.todos))
        return Workload(
          run: { operations in
            for _ in 0..<operations {
              let store = NormalizedStore()
              let json = try JSON(parsing: bytes)
              let changes = store.write(json["data"] ?? json, for: operation)
              try expect(changes == 11_001, "\(changes)")
            }
          }, countsAllocations: false)
      },
      BenchmarkCase(name: "normalized/write identical/10000", yardstick: .jsonSerialization) {
        let bytes = Payloads.todos(10_000)
        let operation = GraphQLOperation(GraphQLDocument(Documents.todos))
        let store = NormalizedStore()
        let json = try JSON(parsing: bytes)
        store.write(json["data"] ?? json, for: operation)
        return Workload(
          run: { operations in
            for _ in 0..<operations {
              let json = try JSON(parsing: bytes)
              let changes = store.write(json["data"] ?? json, for: operation)
              try expect(changes == 0, "\(changes)")
            }
          }, countsAllocations: false)
      },
      BenchmarkCase(name: "normalized/read/10000", yardstick: .jsonSerialization) {
        let bytes = Payloads.todos(10_000)
        let operation = GraphQLOperation(GraphQLDocument(Documents.todos))
        let store = NormalizedStore()
        let json = try JSON(parsing: bytes)
        store.write(json["data"] ?? json, for: operation)
        return Workload(
          run: { operations in
            for _ in 0..<operations {
              let result = store.read(operation)
              try expect(result?["todos"]?.count == 10_000, "not all")
              try expect(
                result?.document.bytes.count == 1_742_257, "\(result?.document.bytes.count ?? 0)")
            }
          }, countsAllocations: false)
      },
    ]
  }
}
