import Foundation
import TestSupport
import Testing
import Weir
import WeirNormalized
import WeirSQLite
import WeirTesting

/// Where the stores of a test keep their records.
enum StoreKind: CaseIterable {
  /// In memory alone.
  case memory
  /// In memory, with a file below.
  case memoryOverFile
  /// In a file alone: every read is answered with data from the file; see
  /// ``NormalizedStore/renew()``.
  case file

  @TaskLocal static var current = StoreKind.memory

  /// Returns a store of the current kind.
  static func store(
    _ configuration: NormalizedCacheConfiguration = NormalizedCacheConfiguration(),
    clock: some Clock<Duration> = ContinuousClock()
  ) -> NormalizedStore {
    NormalizedStore(configuration, storage: storage(), clock: clock)
  }

  /// The number of rounds that takes as long as `count` rounds in memory: files are slower.
  static func scaled(_ count: Int, by factor: Int = 8) -> Int {
    current == .memory ? count : max(1, count / factor)
  }

  /// Returns a storage of the current kind.
  static func storage() -> TemporaryStorage? {
    current == .memory ? nil : TemporaryStorage(isAlone: current == .file)
  }
}

extension Trait where Self == StoreKindsTrait {
  /// Runs each test of a suite with stores in memory, over a file, and in a file alone.
  static var overStorages: StoreKindsTrait { StoreKindsTrait() }
}

/// See ``overStorages``.
struct StoreKindsTrait: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let skipped = test.traits.compactMap { ($0 as? SkippedKindsTrait)?.kinds }.joined()
    var kinds = StoreKind.allCases.filter { !skipped.contains($0) }
    // A shorter run is one under the thread sanitizer. Only over a file does a thread of the storage
    // work beside the calls: in memory there is none, and in a file alone each call waits for it.
    if Stress.factor < 1, kinds.contains(.memoryOverFile) { kinds = [.memoryOverFile] }
    for kind in kinds {
      try await StoreKind.$current.withValue(kind) { try await function() }
    }
  }
}

extension Trait where Self == SkippedKindsTrait {
  /// Skips these kinds of stores in a suite that runs ``overStorages``.
  static func not(_ kinds: StoreKind..., because reason: String) -> SkippedKindsTrait {
    SkippedKindsTrait(kinds: kinds)
  }
}

/// See ``not(_:because:)``.
struct SkippedKindsTrait: SuiteTrait, TestTrait {
  let kinds: [StoreKind]
  var isRecursive: Bool { true }
}

/// A file for one store, or for several one after the other. It is deleted with this object.
final class TemporaryStorage: ForwardingStorage {
  private let directory: URL
  let base: any RecordStorage
  /// Whether memory must not answer from saved data.
  let isAlone: Bool

  init(isAlone: Bool = false) {
    self.isAlone = isAlone
    let memory = URL(fileURLWithPath: "/dev/shm")
    let parent =
      FileManager.default.isWritableFile(atPath: memory.path)
      ? memory : FileManager.default.temporaryDirectory
    directory = parent.appendingPathComponent("weir-normalized-\(UUID().uuidString)")
    base = SQLiteStorage(fileURL: directory.appendingPathComponent("cache.sqlite"))
  }

  deinit {
    base.close()
    try? FileManager.default.removeItem(at: directory)
  }
}
