import TestSupport
import Testing
import Weir
import WeirNormalized

/// Compares a store over a file with the oracle. The store restarts after some steps or after each,
/// whenever nothing is in flight.
@Suite("Model: the normalized store over a file", .timeLimit(.minutes(10)))
struct StoredModelTests {
  @Test(
    "After a restart the file has exactly the data from before (N9.1, N9.4)",
    arguments: Stress.seeds(8))
  func model(seed: UInt64) async throws {
    let stepsAtOnce = seed % 2 == 0 ? 4 : 1
    var random = SeededRandom(seed: seed)
    let storage = TemporaryStorage()
    var model = Model(
      operations: (0..<7).map { _ in RandomOperation(.query, &random) },
      mutations: (0..<3).map { _ in RandomOperation(.mutation, &random) }, storage: storage)
    for round in 0..<(stepsAtOnce == 1 ? 30 : 15) {
      // No collection: data that memory evicts is still in the file.
      let steps = (0..<stepsAtOnce).map { _ in ModelTests.step(&random) }.filter {
        if case .collect = $0 { false } else { true }
      }
      if let problem = try model.run(steps) {
        Issue.record("seed \(seed), round \(round): \(problem)")
        return
      }
      try await model.restart(over: storage)
    }
  }
}
