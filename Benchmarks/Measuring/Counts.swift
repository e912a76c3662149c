import CCounts

/// The costs of an operation that can be counted. Counts, unlike times, are the same in every run; only
/// those of waiting threads vary.
struct Counts: Sendable {
  /// The blocks of memory that are allocated.
  var allocations: Double
  /// The mutexes that are locked, those of the system's libraries included.
  var locks: Double
  /// The tasks that are created.
  var tasks: Double
  /// The continuations that are resumed.
  var resumes: Double
  /// The jobs that are enqueued on the pool. (The runtime does not tell about the main actor's jobs.)
  var enqueues: Double
  /// How often a thread waits, and so has to be woken.
  var waits: Double

  /// The counts by the names that `Budgets.json` uses.
  var byName: [(name: String, count: Double)] {
    zip(Self.names, [allocations, locks, tasks, resumes, enqueues, waits]).map { ($0, $1) }
  }

  static let names = ["allocations", "locks", "tasks", "resumes", "enqueues", "waits"]

  /// True only on Linux with glibc.
  static var areAvailable: Bool { weir_can_count() }

  /// Counts what all threads do while `body` runs.
  ///
  /// - Returns: the counts divided by the number of operations.
  static func during(_ operations: Int, _ body: () async throws -> Void) async throws -> Counts {
    weir_start_counting()
    let result: Result<Void, any Error>
    do {
      result = .success(try await body())
    } catch {
      result = .failure(error)
    }
    let counted = weir_stop_counting()
    try result.get()
    func each(_ count: UInt64) -> Double { Double(count) / Double(operations) }
    return Counts(
      allocations: each(counted.allocations), locks: each(counted.locks),
      tasks: each(counted.tasks), resumes: each(counted.resumes),
      enqueues: each(counted.enqueues), waits: each(counted.waits))
  }

  /// The number of bytes that are allocated now; nil if the system does not say.
  static var bytesInUse: Int? {
    let bytes = weir_allocated_bytes()
    return bytes == 0 ? nil : Int(bytes)
  }
}
