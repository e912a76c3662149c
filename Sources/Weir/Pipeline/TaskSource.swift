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
