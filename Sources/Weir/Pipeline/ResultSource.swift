/// One iteration of a result stream: what the stream's iterator holds when results are not simply
/// there already.
///
/// It lives in the consumer's isolation, so it is not `Sendable`, and it is a class so that
/// dropping the iterator ends the work (`deinit`).
package class ResultSource {
  init() {}

  /// Whether `start()` sets work going that needs no consumer. Others only move while they are
  /// asked; who wants them to run ahead gives them a task.
  package var startsByItself: Bool { false }

  /// Lets the work begin without waiting for the consumer to ask.
  package func start() {}

  /// The next result; nil at the end and when the consumer's task is cancelled.
  package func next(isolation: isolated (any Actor)?) async -> OperationResult? {
    nil
  }
}

/// Applies a closure to each result of another source.
final class MapSource: ResultSource {
  private let base: ResultSource
  private let transform: @Sendable (OperationResult) -> OperationResult

  init(_ base: ResultSource, _ transform: @escaping @Sendable (OperationResult) -> OperationResult)
  {
    self.base = base
    self.transform = transform
  }

  override var startsByItself: Bool { base.startsByItself }

  override func start() {
    base.start()
  }

  override func next(isolation: isolated (any Actor)?) async -> OperationResult? {
    await base.next(isolation: isolation).map(transform)
  }
}

/// Iterates any other asynchronous sequence of results.
final class SequenceSource<Base: AsyncSequence>: ResultSource
where Base.Element == OperationResult, Base.Failure == Never {
  private var iterator: Base.AsyncIterator

  init(_ base: Base) {
    iterator = base.makeAsyncIterator()
  }

  override func next(isolation: isolated (any Actor)?) async -> OperationResult? {
    await iterator.next(isolation: isolation)
  }
}

/// Runs an asynchronous body in the one task that this iteration owns.
final class TaskSource: ResultSource {
  private let body: @Sendable (Yield) async throws -> Void
  private let buffer = ResultBuffer()
  private var task: Task<Void, Never>?

  init(_ body: @escaping @Sendable (Yield) async throws -> Void) {
    self.body = body
  }

  deinit {
    task?.cancel()
  }

  override var startsByItself: Bool { true }

  override func start() {
    guard task == nil else { return }
    task = Task { [body, buffer] in
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

  override func next(isolation: isolated (any Actor)?) async -> OperationResult? {
    start()
    let result = await buffer.next(isolation: isolation)
    if result == nil { task?.cancel() }
    return result
  }
}

/// What the body of a ``ResultStream`` yields its results with.
public struct Yield: Sendable {
  private let buffer: ResultBuffer

  init(_ buffer: ResultBuffer) {
    self.buffer = buffer
  }

  /// Hands one result to the consumer, and does not wait for it; does nothing if the consumer has
  /// left. For executions with few results: what is not read yet stays in memory.
  public func callAsFunction(_ result: OperationResult) {
    buffer.append(result)
  }

  /// Hands one result to the consumer; if 16 wait to be read, it waits first until half of them
  /// were. For executions with many results: a consumer that stalls then stalls what they come from
  /// instead of filling the memory. A result that waits when the task is cancelled is dropped.
  public func inTurn(_ result: OperationResult) async {
    await buffer.send(result)
  }

  /// Hands on every result of a stream, as they come, each one ``inTurn(_:)``.
  public func all(_ stream: ResultStream) async {
    for await result in stream { await buffer.send(result) }
  }
}
