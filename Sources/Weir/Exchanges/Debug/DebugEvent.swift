extension DebugExchange {
  /// Something that passed.
  public struct Event: Sendable, CustomStringConvertible {
    /// What passed.
    public enum Kind: Sendable {
      /// An execution, on its way down.
      case operation
      /// One of its results, on its way up.
      case result(OperationResult)
      /// Nothing more comes of it.
      case end(Ending)
    }

    /// How an execution ended.
    public enum Ending: String, Hashable, Sendable {
      /// It brought all that it had.
      case finished
      /// Its consumer left, or was cancelled, before the last result.
      case cancelled
    }

    /// Numbers the executions that an exchange saw, from 1; what belongs together has one number.
    public let execution: UInt64
    /// The name of the exchange that saw it.
    public let exchange: String
    /// The operation; its variables may be private.
    public let operation: GraphQLOperation
    /// What passed.
    public let kind: Kind
    /// When it passed: since the process first asked. All exchanges count from the same moment,
    /// unless they were given a clock.
    public let time: Duration
    /// From the execution's beginning until now.
    public let elapsed: Duration

    /// One line, without data or variables.
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

/// One execution that a debug exchange reports on.
struct DebuggedExecution: Sendable {
  let number: UInt64
  let operation: GraphQLOperation
  let start: Duration
  let exchange: DebugExchange

  func report(_ kind: DebugExchange.Event.Kind) {
    exchange.report(kind, of: self)
  }
}

/// Reports on one iteration, and how it ends. One that is never asked for anything is none.
final class DebugSource: ResultSource {
  private let begin: () -> DebuggedExecution
  private let base: ResultSource
  private var execution: DebuggedExecution?
  private var isComplete = false
  private var hasEnded = false

  init(_ base: ResultSource, begin: @escaping () -> DebuggedExecution) {
    self.base = base
    self.begin = begin
  }

  deinit {
    // Who takes the last result need not ask whether there is one more.
    if !hasEnded { execution?.report(.end(isComplete ? .finished : .cancelled)) }
  }

  override var startsByItself: Bool { base.startsByItself }

  override func start() {
    if execution == nil { execution = begin() }
    base.start()
  }

  override func next(isolation: isolated (any Actor)?) async -> OperationResult? {
    if execution == nil { execution = begin() }
    let result = await base.next(isolation: isolation)
    if let result {
      isComplete = !result.hasNext && !result.isStale
      execution?.report(.result(result))
    } else if !hasEnded {
      hasEnded = true
      execution?.report(.end(isComplete || !Task.isCancelled ? .finished : .cancelled))
    }
    return result
  }
}
