import Testing
import Weir
@testable import WeirNormalized
@testable import WeirRecords
import WeirTesting

/// Plans of servers that name many types (N8.5).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct OvergrownPlanTests {
  private static let operation = GraphQLOperation(
    "query Q($n: Int) { a { id b { id c(n: $n) { id } } } }", variables: ["n": 1])

  /// An answer whose objects have other types each time.
  private static func data(_ number: Int) throws -> JSON {
    func type(_ level: Int) -> String { "T\(number / [1, 10, 100][level] % 10)" }
    return try JSON(
      parsing: #"""
        {"a":{"__typename":"\#(type(0))","id":"a\#(number)","b":{"__typename":"\#(type(1))",\#
        "id":"b\#(number)","c":{"__typename":"\#(type(2))","id":"c\#(number)"}}}}
        """#)
  }

  @Test("The shapes of a plan are bounded, and a watch goes on with a new plan (N8.5)")
  func manyTypes() async throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.maximumShapes = 50
    let store = StoreKind.store(configuration)
    var watch = store.watch(Self.operation).makeAsyncIterator()
    #expect(await watch.next() == .some(nil))
    for number in 0..<100 {
      let data = try Self.data(number)
      try store.write(data, for: Self.operation)
      #expect(store.read(Self.operation) == data)
      #expect(await watch.next() == data)
    }
    let plan = store.catalog.plan(for: Self.operation.prepared)
    #expect(!plan.isOutdated(store.catalog))
    // The nodes of one walk are as many as the document has for a few types, not for all of them.
    #expect(plan.makeNode([]).number < 200)
    let kept = store.state.withLock { state in
      state.results.entries.values.map { $0.bindings.plan.makeNode([]).number }
    }
    #expect(kept.allSatisfy { $0 < 200 })
  }
}
