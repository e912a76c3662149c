extension DebugExchange {
  /// An event in the execution of an operation.
  public struct Event: Sendable, CustomStringConvertible {
    /// The kinds of events.
    public enum Kind: Sendable {
      /// An execution has started.
      case operation
      /// The execution has delivered a result.
      case result(OperationResult)
      /// The execution has ended.
      case end(Ending)
    }

    /// How an execution ended.
    public enum Ending: String, Hashable, Sendable {
      /// It delivered all its results.
      case finished
      /// Its consumer left, or was cancelled, before the last result.
      case cancelled
    }

    /// The number of the execution, which all its events share; counted from 1 for each exchange.
    public let execution: UInt64
    /// The name of the exchange.
    public let exchange: String
    /// Tells exchanges of equal names apart.
    let source: UInt64
    /// The operation; its variables may be private.
    public let operation: GraphQLOperation
    /// The kind of event.
    public let kind: Kind
    /// The time of the event, relative to the first use of a debug exchange in the process, or to
    /// the creation of the exchange if it has its own clock.
    public let time: Duration
    /// The time since the start of the execution.
    public let elapsed: Duration

    /// One line, without data or variables, except what the message of a server's error quotes.
    public var description: String {
      let subject = "\(exchange) #\(execution): \(operation)"
      switch kind {
      case .operation:
        return "\(subject) → \(operation.context.requestPolicy)"
      case .result(let result):
        let error = result.error.map { " \($0)" } ?? ""
        return "\(subject) ← \(result.marks.joined(separator: ", ")) after \(elapsed)\(error)"
      case .end(let ending):
        return "\(subject) \(ending.rawValue) after \(elapsed)"
      }
    }
  }
}

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
