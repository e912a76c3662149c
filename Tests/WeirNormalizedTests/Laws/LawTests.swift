import Testing
@testable import Weir
@testable import WeirNormalized
import WeirTesting

/// What holds whatever the schema, the documents and the data are.
@Suite("Laws of the normalized cache", .timeLimit(.minutes(5)))
struct LawTests {
  @Test(
    "N2, N3 what was written is read, whatever schema, document and data",
    arguments: Stress.seeds(8))
  func readsWhatWasWritten(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<15 {
      let round = random
      let system = RandomTypeSystem(&random)
      let store = NormalizedStore(try system.configuration)
      var exchange = RandomExchange(system, &random)
      for _ in 0..<4 {
        let (operation, data) = exchange.make(&random)
        let document = try data.parsed
        store.write(document, for: operation)
        let read = store.read(operation)
        guard read == document else {
          Issue.record(
            """
            \(round) \(system)
            \(operation.text) \(String(decoding: operation.variables, as: UTF8.self))
            \(document)
            is read as \(read.map { "\($0)" } ?? "\(store.explain(operation))")
            """)
          return
        }
        let isSame = store.write(document, for: operation) == 0
        #expect(isSame, "the same once more changes something: \(operation.text) \(document)")
      }
    }
  }
}
