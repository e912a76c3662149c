import TestSupport

#if os(Linux)
  import Foundation
  import Testing

  /// The resources of this process. Useful only in a process of its own: other tests take some, too.
  struct Holdings {
    private let descriptors: Int
    private let threads: Int
    private let bytes: Int

    private init() throws {
      func entries(of directory: String) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(directory)").count
      }
      (descriptors, threads) = (try entries(of: "fd"), try entries(of: "task"))
      bytes = residentBytes()
    }

    /// Runs `use` with a number of rounds, and expects that nothing of them is left.
    static func expectNoGrowth(
      in space: Space, rounds: Int, _ use: (Int) async throws -> Void
    ) async throws {
      // Later rounds use what the first ones have allocated.
      try await use(20)
      _ = try await space.stats()
      let before = try Holdings()
      try await use(Stress.rounds(rounds))
      var after = try Holdings()
      // A released object ends some time later.
      for _ in 0..<1_000
      where after.descriptors > before.descriptors || after.threads >= before.threads + 8 {
        _ = try await space.stats()
        after = try Holdings()
      }
      #expect(after.descriptors <= before.descriptors)
      // The system's pools of threads grow by a few.
      #expect(after.threads < before.threads + 8)
      if Stress.factor > 1 { #expect(after.bytes - before.bytes < 60_000_000) }
    }
  }
#endif
