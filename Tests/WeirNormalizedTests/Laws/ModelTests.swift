import TestSupport
import Testing
@testable import Weir
@testable import WeirNormalized
@testable import WeirRecords
import WeirTesting

/// Compares the store with the oracle under random operations. A failure reports its seed and the
/// shortest run that still fails.
@Suite("Model: the normalized store against plain dictionaries", .timeLimit(.minutes(10)))
struct ModelTests {
  enum Step {
    /// The server's data changes.
    case change(UInt64)
    /// An operation is sent, and answered now or later with the server's data of this moment.
    case send(Int, UInt64)
    case answer(Int)
    /// A mutation with the fields of a query is answered.
    case mutate(Int, UInt64)
    /// The server's data of this moment is written by hand or in a transaction.
    case write(Int, UInt64)
    /// An optimistic result is shown, for a mutation that is sent or without one.
    case show(Int, UInt64, isSent: Bool)
    /// An optimistic result is removed, with its mutation's result or without one.
    case settle(Int, UInt64, commits: Bool)
    case remove(Removal)
    /// Data that is not watched is collected: either unreachable data or everything.
    case collect(everything: Bool)
    case clear
  }

  @Test(
    "Reads equal those of plain dictionaries, and exactly the affected watches wake (N1–N6, N8.2)",
    arguments: Stress.seeds(10))
  func model(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let operations = (0..<7).map { _ in RandomOperation(.query, &random) }
    let mutations = (0..<3).map { _ in RandomOperation(.mutation, &random) }
    let steps = (0..<60).map { _ in Self.step(&random) }
    let found = try await Shrinking.firstFailure(of: steps) { steps in
      var model = Model(operations: operations, mutations: mutations)
      return try model.run(steps)
    }
    guard let found else { return }
    Issue.record("seed \(seed): \(found.message)\nsteps: \(found.steps)")
  }

  static func step(_ random: inout SeededRandom) -> Step {
    switch random.below(32) {
    case 0...3: .change(random.next())
    case 4...8: .send(random.below(7), random.next())
    case 9...13: .answer(random.below(100))
    case 14...15: .mutate(random.below(3), random.next())
    case 16...18: .write(random.below(7), random.next())
    case 19...21: .show(random.below(3), random.next(), isSent: random.chance(60))
    case 22...25: .settle(random.below(100), random.next(), commits: random.chance(60))
    case 26...28: .remove(Removal(&random))
    case 29...30: .collect(everything: random.chance(50))
    default: random.chance(30) ? .clear : .change(random.next())
    }
  }
}

/// Finds the shortest run that fails.
enum Shrinking {
  /// Returns the message of the shortest failing run found; nil if `steps` do not fail.
  static func firstFailure<Step>(
    of steps: [Step], _ failure: ([Step]) async throws -> String?
  ) async rethrows -> (message: String, steps: [Step])? {
    guard var message = try await failure(steps) else { return nil }
    var steps = steps
    var size = steps.count / 2
    while size > 0 {
      var start = 0
      while start < steps.count {
        var fewer = steps
        fewer.removeSubrange(start..<min(start + size, steps.count))
        if let found = try await failure(fewer) {
          (steps, message) = (fewer, found)
        } else {
          start += size
        }
      }
      size /= 2
    }
    return (message, steps)
  }
}

extension JSONValue {
  var parsed: JSON {
    get throws { try JSON(parsing: compactBytes()) }
  }
}
