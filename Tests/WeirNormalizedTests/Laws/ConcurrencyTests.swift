import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Concurrent access. Each read must come from one moment: both halves of a record that is always
/// written as a whole are equal. At the end every reader sees the last state.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct ConcurrencyTests {
  private static let operation = GraphQLOperation(
    "query($id: ID!) { item(id: $id) { id a parts { a } } }", variables: ["id": "1"])

  private static func data(_ number: Int) -> String {
    #"{"item":{"__typename":"Item","id":"1","a":\#(number),"parts":[{"__typename":"P","a":\#(number)},{"__typename":"P","a":\#(number)}]}}"#
  }

  private static func isWhole(_ data: JSON?) -> Bool {
    guard let item = data?["item"] else { return true }
    return item["a"]?.int == item["parts"]?[0]?["a"]?.int
      && item["a"]?.int == item["parts"]?[1]?["a"]?.int
  }

  @Test("Concurrent readers and watchers see whole states and end with the last one (N4, N5.1)")
  func everybody() async throws {
    let store = StoreKind.store()
    let client = GraphQLClient([
      .dedup, .cache(store), ScriptedExchange { _ in .data(Self.data(-1)) },
    ])
    let torn = Locked(0)
    @Sendable func check(_ data: JSON?) { if !Self.isWhole(data) { torn.withLock { $0 += 1 } } }
    let last = 1_000_000
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          for await result in client.watch(Self.operation) {
            check(result.data)
            if result.data?["item"]?["a"]?.int == Int64(last) { return }
          }
        }
      }
      await withTaskGroup(of: Void.self) { others in
        for writer in 0..<2 {
          others.addTask {
            for number in 0..<StoreKind.scaled(150) {
              if let data = try? JSON(parsing: Self.data(writer * 1000 + number)) {
                #expect(throws: Never.self) { try store.write(data, for: Self.operation) }
              }
            }
          }
        }
        others.addTask {
          for number in 0..<StoreKind.scaled(100) {
            if let data = try? JSON(parsing: Self.data(5000 + number)) {
              try? store.update { try $0.write(data, for: Self.operation) }
            }
          }
        }
        for _ in 0..<2 {
          others.addTask {
            for _ in 0..<StoreKind.scaled(300) { check(store.read(Self.operation)) }
          }
        }
        others.addTask {
          for number in 0..<StoreKind.scaled(60) {
            let policy: RequestPolicy = number % 2 == 0 ? .networkOnly : .cacheFirst
            check(await client.query(Self.operation.with { $0.requestPolicy = policy }).data)
          }
        }
        others.addTask {
          for number in 0..<StoreKind.scaled(30) {
            if number % 3 == 0 { client.clear() } else { client.invalidate(types: "Item") }
            await Task.yield()
          }
        }
      }
      if let data = try? JSON(parsing: Self.data(last)) {
        #expect(throws: Never.self) { try store.write(data, for: Self.operation) }
      }
    }
    #expect(torn.withLock { $0 } == 0)
    #expect(store.read(Self.operation)?["item"]?["a"]?.int == Int64(last))
  }

  @Test(
    "Large responses that are merged outside the lock lose no concurrent writes (N5.1)",
    .not(.file, because: "the race is within one write to memory"))
  func largeMerges() async throws {
    let store = StoreKind.store()
    let rounds = StoreKind.scaled(6)
    let count = 600
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<3 {
        group.addTask {
          for round in 0..<rounds {
            let rows = (0..<count).map { row in
              #"{"__typename":"Row","id":"\#(row)","f\#(writer)":\#(round)}"#
            }
            let text = #"{"rows\#(writer)":[\#(rows.joined(separator: ","))]}"#
            guard let data = try? JSON(parsing: text) else { return }
            let document = GraphQLDocument("{ rows\(writer) { __typename id f\(writer) } }")
            #expect(throws: Never.self) {
              try store.write(data, for: GraphQLOperation(document))
            }
          }
        }
      }
      group.addTask {
        for row in 0..<count {
          let text = #"{"row":{"__typename":"Row","id":"\#(row)","small":\#(row)}}"#
          guard let data = try? JSON(parsing: text) else { return }
          #expect(throws: Never.self) {
            try store.write(data, for: GraphQLOperation("{ row { __typename id small } }"))
          }
          await Task.yield()
        }
      }
    }
    let shown = store.read(GraphQLOperation("{ rows0 { id f0 f1 f2 small } }"))
    let rows = try #require(shown?["rows0"])
    #expect(rows.count == count)
    for (number, row) in rows.elements.enumerated() {
      #expect(row["small"]?.int == Int64(number))
      for writer in 0..<3 { #expect(row["f\(writer)"]?.int == Int64(rounds - 1)) }
    }
  }
}
