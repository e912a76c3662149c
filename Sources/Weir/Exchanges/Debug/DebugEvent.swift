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
