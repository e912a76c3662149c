/// One execution that a debug exchange reports.
struct DebuggedExecution: Sendable {
  let number: UInt64
  let operation: GraphQLOperation
  let start: Duration
  let exchange: DebugExchange

  func report(_ kind: DebugExchange.Event.Kind) {
    exchange.report(kind, of: self)
  }
}

/// Reports one iteration and its end. An iteration that is never asked for a result is not
/// reported.
final class DebugSource: WrappingSource {
  private let begin: () -> DebuggedExecution
  private var execution: DebuggedExecution?
  private var isComplete = false
  private var hasEnded = false
  /// Whether the consumer has ended the iteration while it waited.
  private let isStopped = Locked(false)

  init(_ base: ResultSource, begin: @escaping () -> DebuggedExecution) {
    self.begin = begin
    super.init(base)
  }

  deinit {
    // A consumer that has the last result need not ask for another one.
    if !hasEnded { execution?.report(.end(isComplete ? .finished : .cancelled)) }
  }

  override func start() {
    if execution == nil { execution = begin() }
    base.start()
  }

  // Otherwise a watch above could not end a slow execution.
  override var stop: (@Sendable () -> Void)? {
    guard let stop = base.stop else { return nil }
    return { [isStopped] in
      isStopped.withLock { $0 = true }
      stop()
    }
  }

  override func step() -> ResultStream.Iterator.Step {
    if execution == nil { execution = begin() }
    let step = base.step()
    if case .done(let result) = step { report(result) }
    return step
  }

  private func report(_ result: OperationResult?) {
    if let result {
      isComplete = !result.hasNext && !result.isStale
      execution?.report(.result(result))
    } else if !hasEnded {
      hasEnded = true
      let isCut = !isComplete && (Task.isCancelled || isStopped.withLock { $0 })
      execution?.report(.end(isCut ? .cancelled : .finished))
    }
  }
}
