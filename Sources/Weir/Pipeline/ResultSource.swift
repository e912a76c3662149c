/// One iteration of a result stream whose results have to be awaited.
///
/// A source lives in the consumer's isolation, so it is not `Sendable`. It is a class, so that
/// dropping the iterator ends the work (`deinit`).
@usableFromInline
class ResultSource {
  init() {}

  /// Whether `start()` starts work that runs without a consumer. Other sources only make progress
  /// while the consumer steps and waits, and need a task to run ahead.
  var startsByItself: Bool { false }

  /// Starts the work before the consumer asks for a result.
  func start() {}

  /// Ends the iteration from any thread, and the wait that the last step has returned; nil if that is
  /// not possible.
  var stop: (@Sendable () -> Void)? { nil }

  /// Whether it is certain that no further result follows.
  var isAtEnd: Bool { false }

  /// Returns the next result if it needs no waiting; nil at the end and when the consumer's task is
  /// cancelled. Otherwise it returns what to wait for before the next step.
  ///
  /// The next step may come without the wait, and in another task, but no two run at once.
  func step() -> ResultStream.Iterator.Step {
    .done(nil)
  }

  /// Waits until another step may bring a result, if ``step()`` has returned the source to wait for.
  func wait() async {
    assertionFailure("\(type(of: self)) has nothing to wait for.")
  }
}

/// A source whose results an asynchronous function brings.
class AwaitedSource: ResultSource {
  /// What the last wait has brought.
  private var arrived: OperationResult??

  /// Returns the next result; nil at the end and when the consumer's task is cancelled.
  func next() async -> OperationResult? {
    nil
  }

  final override func step() -> ResultStream.Iterator.Step {
    if let result = arrived.take() { return .done(result) }
    return isAtEnd ? .done(nil) : .waiting(for: .source(self))
  }

  final override func wait() async {
    arrived = .some(await next())
  }
}

/// A source whose results come from another one.
class WrappingSource: ResultSource {
  /// Only the consumer of the source uses it.
  @exclusivity(unchecked) final var base: ResultSource

  init(_ base: ResultSource) {
    self.base = base
  }

  override var startsByItself: Bool { base.startsByItself }

  override func start() {
    base.start()
  }

  override var stop: (@Sendable () -> Void)? { base.stop }

  override var isAtEnd: Bool { base.isAtEnd }
}

/// Applies a closure to each result of another source.
final class MapSource: WrappingSource {
  private let transform: @Sendable (OperationResult) -> OperationResult

  init(_ base: ResultSource, _ transform: @escaping @Sendable (OperationResult) -> OperationResult)
  {
    self.transform = transform
    super.init(base)
  }

  override func step() -> ResultStream.Iterator.Step {
    base.step().map { $0.map(transform) }
  }
}

/// Iterates another stream.
final class StreamSource: ResultSource {
  private var iterator: ResultStream.Iterator

  init(_ iterator: ResultStream.Iterator) {
    self.iterator = iterator
  }

  override var stop: (@Sendable () -> Void)? { iterator.stop }

  override func step() -> ResultStream.Iterator.Step {
    iterator.step()
  }
}

/// Iterates any other asynchronous sequence of results.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class SequenceSource<Iterator: AsyncIteratorProtocol>: AwaitedSource
where Iterator.Element == OperationResult, Iterator.Failure == Never {
  private var iterator: Iterator

  init(_ iterator: Iterator) {
    self.iterator = iterator
  }

  override func next() async -> OperationResult? {
    // The sequence may ignore cancellation, and have an element each time that it is asked.
    if Task.isCancelled { return nil }
    let result = await iterator.next(isolation: #isolation)
    return Task.isCancelled ? nil : result
  }
}

/// A source whose own task puts the results into a buffer, ahead of the consumer.
class BufferedSource: ResultSource {
  final let buffer = ResultBuffer()

  override var startsByItself: Bool { true }

  override var stop: (@Sendable () -> Void)? { { [buffer] in buffer.finish() } }

  /// Ends the work when the consumer has reached the end, or is cancelled.
  func end() {}

  override func step() -> ResultStream.Iterator.Step {
    start()
    let step = buffer.step()
    if case .done(nil) = step { end() }
    return step
  }
}

/// Runs an asynchronous body in the one task that this iteration owns.
final class TaskSource: BufferedSource {
  private let body: @Sendable (Yield) async throws -> Void
  private var task: Task<Void, Never>?

  init(_ body: @escaping @Sendable (Yield) async throws -> Void) {
    self.body = body
  }

  deinit {
    guard let task else { return }
    task.cancel()
    // Otherwise a task of the body's own, which is not cancelled, would wait for the consumer.
    buffer.finish()
  }

  override func start() {
    guard task == nil else { return }
    task = Task { [work] in await work() }
  }

  /// Begins on the calling thread, if the system can, so that what is below begins in the order of the
  /// calls.
  func startHere() {
    task = Task.startingHere { [work] in await work() }
  }

  private var work: @Sendable () async -> Void {
    { [body, buffer] in
      do {
        try await body(Yield(buffer))
      } catch {
        if !(error is CancellationError && Task.isCancelled) {
          buffer.append(OperationResult(error: OperationError(exchangeFailure: error)))
        }
      }
      buffer.finish()
    }
  }

  override func end() {
    task?.cancel()
  }
}

/// Delivers the results of a ``ResultStream``'s body to the consumer.
public struct Yield: Sendable {
  private let buffer: ResultBuffer

  init(_ buffer: ResultBuffer) {
    self.buffer = buffer
  }

  /// Delivers a result without waiting for the consumer; does nothing if the consumer has left. Use
  /// it for executions with few results: those that have not been read stay in memory.
  public func callAsFunction(_ result: OperationResult) {
    buffer.append(result)
  }

  /// Delivers a result. If 16 results wait for the consumer, the call first waits until half of
  /// them are read. Use it for executions with many results: a slow consumer then slows the body
  /// down instead of filling the memory. The result is dropped if the consumer has left, or if the
  /// task is cancelled during the wait.
  public func inTurn(_ result: OperationResult) async {
    await buffer.send(result)
  }

  /// Delivers every result of a stream as it arrives, each as ``inTurn(_:)`` does.
  public func all(_ stream: ResultStream) async {
    await all(stream.makeAsyncIterator())
  }

  func all(_ iterator: consuming ResultStream.Iterator) async {
    while let result = await iterator.next(isolation: nil) { await buffer.send(result) }
  }
}
