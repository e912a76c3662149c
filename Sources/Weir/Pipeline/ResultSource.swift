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
