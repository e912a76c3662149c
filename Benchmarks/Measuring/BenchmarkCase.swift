/// One piece of work that is measured: a name, and how to make it ready.
struct BenchmarkCase {
  /// A path, such as `hit/typed/small/100 live`.
  let name: String
  /// What its time is shown as a multiple of.
  var yardstick = Yardstick.dictionaryLookup
  /// Where it belongs in a plot of cost against size.
  var scaling: Scaling?
  /// Whether a quick run leaves it out, unless it is asked for by name.
  var isSlow = false
  /// Makes it ready: clients, payloads and cached results are not part of what is timed.
  let prepare: () async throws -> Workload
}

/// One point of a line in a plot of cost against size.
struct Scaling {
  /// What the line shows, such as `hit, typed, small`.
  let line: String
  /// What grows, such as `other live queries`.
  let axis: String
  let size: Int
}

/// Work that is ready to be carried out again and again.
struct Workload {
  /// How many parts an operation consists of, such as the results that one mutation drops, and
  /// what they are called; their share is shown beside the operation's time.
  var parts: (count: Int, name: String)?
  /// What an operation is one of, if it says more how many are done in a second.
  var rate: String?
  /// Brings about what an operation uses up, untimed. With it, a sample is one operation; without,
  /// as many as make the clock's own cost negligible.
  var reset: (() async throws -> Void)?
  /// Carries out so many operations, and checks each answer.
  let run: (_ operations: Int) async throws -> Void
  /// What is timed in alternation with `run`, and taken off.
  var baseline: ((_ operations: Int) async throws -> Void)?
  /// Times that `run` has taken itself, in nanoseconds; they are shown instead of its own.
  var latencies: (() -> [Double])?
  /// Checks what can only be told afterwards, such as the number of requests.
  var check: () async throws -> Void = {}
  /// Ends what `prepare` began, such as watches.
  var tearDown: () async -> Void = {}
  /// Whether allocations are counted: where their number is the same in each run.
  var countsAllocations = false
}

/// An answer was not what it has to be: the figures would be worth nothing.
struct WrongAnswer: Error, CustomStringConvertible {
  let description: String
}

/// Throws if something that has to hold does not.
@inline(__always)
func expect(_ condition: Bool, _ complaint: @autoclosure () -> String) throws {
  if !condition { throw WrongAnswer(description: complaint()) }
}

/// Uses a value in a way that the optimizer cannot look through, so that making it is not skipped.
@inline(never)
@_optimize(none)
func use<Value>(_ value: borrowing Value) {}
