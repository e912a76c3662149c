import Testing
import Weir
@testable import WeirNormalized
@testable import WeirRecords

/// The memory of texts that other texts have replaced (N8.2).
@Suite(.timeLimit(.minutes(10)))
struct ReplacedTextTests {
  @Test("Replaced texts of a field do not pile up (N8.2)", arguments: ["", #"(locale: "en")"#])
  func replaced(arguments: String) throws {
    let store = NormalizedStore()
    let operation = GraphQLOperation(GraphQLDocument("{ banner\(arguments) }"))
    for number in 0..<200 {
      let banner = String(repeating: "\(number % 10)", count: 1_000)
      try store.write(["banner": .string(banner)], for: operation)
      #expect(store.read(operation)?["banner"]?.string == banner)
    }
    let size = store.state.withLock { $0.records[RootType.query.reference].text.count }
    #expect(size < 20_000)
  }
}
