internal import WeirSupport

/// One execution of the chain that ends when its time is over, wherever it waits.
///
/// The execution runs in a task of its own, so that the consumer need not wait for an exchange that
/// does not react to cancellation.
final class DeadlineSource: BufferedSource {
  private let execution: ResultStream
  private let deadline: Deadline
  /// The latest result, if more of it follows: its data stands beside the failure.
  private let incomplete = Locked<OperationResult?>(nil)
  private var tasks: [Task<Void, Never>] = []

  init(_ execution: ResultStream, _ deadline: Deadline) {
    self.execution = execution
    self.deadline = deadline
  }

  deinit {
    end()
    // A mutation runs on, and must not wait for a consumer that has left.
    buffer.finish()
  }

  override func start() {
    guard tasks.isEmpty else { return }
    let running = Task.startingHere { [execution, buffer, incomplete] in
      var hasIncomplete = false
      for await result in execution {
        if result.hasNext || hasIncomplete {
          hasIncomplete = result.hasNext
          // Released without the lock: its decoded value may be an object of the app.
          let former = incomplete.withLock { incomplete in
            defer { incomplete = result.hasNext ? result.withoutSignal() : nil }
            return incomplete
          }
          withExtendedLifetime(former) {}
        }
        await buffer.send(result)
      }
      buffer.finish()
    }
    let timer = Task { [deadline, buffer, incomplete] in
      do { try await deadline.sleep() } catch { return }
      let failure = deadline.failure()
      // After a final result, the execution may need time to end, but nobody waits for it.
      buffer.finish(
        unlessSettledWith: incomplete.withLock(\.self)?.ending(with: failure) ?? failure)
      if deadline.cancelsExecution { running.cancel() }
    }
    tasks = deadline.cancelsExecution ? [timer, running] : [timer]
  }

  override func end() {
    for task in tasks { task.cancel() }
  }
}

/// The end of an execution's time, and what follows.
struct Deadline: Sendable {
  let sleep: @Sendable () async throws -> Void
  let failure: @Sendable () -> OperationResult
  /// False for a mutation that the server may have executed already: its result reaches the caches.
  let cancelsExecution: Bool
}

extension ResultStream {
  /// Bounds what has to be awaited; results that are there already are delivered as they are.
  func ending(at deadline: Deadline) -> ResultStream {
    switch content {
    case .just, .results: self
    case .starting(let results, let more):
      .starting(with: results) { more().ending(at: deadline) }
    case .deferred, .awaiting, .source, .shareable:
      ResultStream(source: { DeadlineSource(self, deadline) })
    }
  }
}

extension GraphQLClient {
  func totalTimeout(of operation: GraphQLOperation) -> Duration? {
    operation.context.totalTimeout ?? configuration?.totalTimeout
  }

  /// The end of an execution's time; nil if its time is not limited.
  func deadline(of operation: GraphQLOperation) -> Deadline? {
    guard let timeout = totalTimeout(of: operation), operation.kind != .subscription else {
      return nil
    }
    return Deadline(
      sleep: { [sleep] in try await sleep(timeout) },
      failure: { [self] in timedOut(operation, after: timeout) },
      cancelsExecution: operation.kind == .query || operation.context.abortsWhenCancelled)
  }

  /// The result of an execution whose time is over. As after any other failure, cached data stands
  /// beside the error where the policy allows it, and a watch goes on.
  private func timedOut(_ operation: GraphQLOperation, after timeout: Duration) -> OperationResult {
    let error = OperationError.timedOut(operation, after: timeout)
    guard operation.kind == .query else { return OperationResult(error: error) }
    let answer = execute(operation.look(showing: operation.context.requestPolicy)).immediate
    let result = OperationResult(error: error).withSignal(answer?.refreshSignal)
    return operation.context.requestPolicy.fallback == .nothing
      ? result : result.withFallback(answer?.payload)
  }
}

extension OperationResult {
  /// The data that has arrived, as the last result of an execution that has failed.
  fileprivate func ending(with failure: OperationResult) -> OperationResult {
    guard payload.hasData, let reason = failure.error else { return failure }
    var last = withSignal(failure.refreshSignal)
    last.error = reason.adding(error?.graphQLErrors ?? [])
    last.hasNext = false
    // Nothing newer is on its way.
    last.isStale = false
    return last
  }
}

extension OperationError {
  fileprivate static func timedOut(
    _ operation: GraphQLOperation, after timeout: Duration
  ) -> OperationError {
    OperationError(
      code: .timedOut,
      message: "The \(operation.title) took longer than its total timeout of \(timeout).")
  }
}
