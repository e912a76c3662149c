/// One piece of work that is measured: its name, and how to prepare it.
struct BenchmarkCase {
  /// A path, such as `hit/typed/small/100 live`.
  let name: String
  /// The work that its time is compared with; the table shows the multiple.
  var yardstick = Yardstick.lookUp
  /// Its place in a plot of time against size.
  var scaling: Scaling?
  /// Whether a quick run leaves it out, unless it is asked for by name.
  var isSlow = false
  /// Prepares the least that the case can cost: the same tasks, resumes, parses, reads and decodes
  /// without a client. It is timed in alternation with the case; see ``Floors``.
  var floor: (() async throws -> Workload)?
  /// Prepares the work. Making clients, payloads and cached results is not timed.
  let prepare: () async throws -> Workload
}

/// One point of a line in a plot of time against size.
struct Scaling {
  /// The name of the line, such as `hit, typed`.
  let line: String
  /// The quantity that grows, such as `other live queries`.
  let axis: String
  let size: Int
}

/// Work that is ready to be carried out again and again.
struct Workload {
  /// The number of parts of one operation and what they are called, such as the queries that are
  /// started at once. The table shows the time of one part beside the time of the operation.
  var parts: (count: Int, name: String)?
  /// The name of an operation, if the number of them per second says more.
  var rate: String?
  /// How many operations a sample consists of, if there is a `reset`.
  var batch = 1
  /// Prepares what a sample uses up, untimed. Without it, a sample consists of as many operations
  /// as make the cost of the clock negligible.
  var reset: (() async throws -> Void)?
  /// Carries out a number of operations and checks each answer.
  let run: (_ operations: Int) async throws -> Void
  /// Holds the time of what counts, if not everything that `run` does counts.
  var stopwatch: Stopwatch?
  /// Runs in alternation with `run`; its time is subtracted.
  var baseline: ((_ operations: Int) async throws -> Void)?
  /// Times that `run` has measured itself, in nanoseconds. The table shows these instead.
  var latencies: (() -> [Double])?
  /// Checks what is known only afterwards, such as the number of requests.
  var check: () async throws -> Void = {}
  /// Ends what `prepare` began, such as watches.
  var tearDown: () async -> Void = {}
  /// Whether allocations, locks, and tasks are counted, which makes sense if every run has the same
  /// number.
  var isCounted = false
}

/// An answer was wrong, so the figures would be worth nothing.
struct WrongAnswer: Error, CustomStringConvertible {
  let description: String
}

/// Throws if a condition does not hold.
@inline(__always)
func expect(_ condition: Bool, _ complaint: @autoclosure () -> String) throws {
  if !condition { throw WrongAnswer(description: complaint()) }
}

/// Uses a value without the optimizer knowing how, so that it cannot skip the work that makes the
/// value.
@inline(never)
@_optimize(none)
func use<Value>(_ value: borrowing Value) {}
