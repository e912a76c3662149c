import Foundation

/// The amount and the seed of random tests: `WEIR_STRESS=10` multiplies the work, `WEIR_SEED=…` repeats a
/// failed run.
package enum Stress {
  private static let environment = ProcessInfo.processInfo.environment

  package static let factor = environment["WEIR_STRESS"].flatMap(Double.init) ?? 1

  package static let givenSeed = environment["WEIR_SEED"].flatMap { UInt64($0) }

  /// Returns a number of rounds, multiplied by ``factor``.
  package static func rounds(_ count: Int) -> Int { max(1, Int(Double(count) * factor)) }
}
