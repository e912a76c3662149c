import TestSupport
import Testing
import Weir
import WeirNormalized

/// Compares lists by pages with the list of a simulated server that changes. A failure reports its seed and the
/// shortest run that still fails.
@Suite(
  "Model: lists by pages against a server whose list changes", .timeLimit(.minutes(10)),
  .overStorages)
struct PageModelTests {
  @Test(
    "Pages show no element twice, and the server's list once they are loaded again (N7)",
    // The last seed has once found what others rarely find.
    arguments: PageServer.Kind.allCases, Stress.seeds(1) + [142_543])
  func model(_ kind: PageServer.Kind, seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let cursors = random.pick(PageServer.Cursors.allCases)
    let filters = kind == .tokens && random.chance(30)
    let server = PageServer(kind, cursors, filters: filters, count: random.below(9))
    let hasMembership = random.chance(30)
    let goesBackward = kind != .tokens && kind != .offsets && random.chance(40)
    let steps = (0..<StoreKind.scaled(40, by: 4)).map { _ in Self.step(&random) }
    let found = try await Shrinking.firstFailure(of: steps) { steps in
      var model = PageModel(
        server, hasMembership: hasMembership, goesBackward: goesBackward,
        storage: StoreKind.storage())
      return try await model.run(steps)
    }
    guard let found else { return }
    Issue.record("seed \(seed): \(found.message)")
  }

  static func step(_ random: inout SeededRandom) -> PageModel.Step {
    let seed = random.next()
    return switch random.below(34) {
    case 0...6: .change(seed)
    case 7...9: .first(seed)
    case 10...15: .more(seed)
    case 16...17: .previous(seed)
    case 18...19: .refetch(seed)
    case 20: .send(seed)
    case 21: .answer(seed)
    case 22...23: .show(seed)
    case 24...25: .settle(seed, commits: random.chance(50))
    case 26: .mutate(seed)
    case 27: .update(seed)
    case 28: .remove(seed)
    case 29: .invalidate(seed)
    case 30: random.chance(50) ? .collect(seed) : .first(seed)
    case 31: .restart
    default: random.chance(50) ? .converge(seed) : .more(seed)
    }
  }
}
