/// Reports what passes it, without changing anything.
///
/// Where it stands decides what it sees: first in the chain, every execution; below the cache, only
/// what goes to the network. Two of them with different names show what a cache or dedup does.
///
/// ```swift
/// GraphQLClient([.debug("app"), .dedup, .documentCache, .debug("network"), .fetch(url)])
/// ```
public struct DebugExchange: Exchange {
  /// Something that passed.
  public struct Event: Sendable, CustomStringConvertible {
    /// What passed.
    public enum Kind: Sendable {
      /// An execution, on its way down.
      case operation
      /// One of its results, on its way up.
      case result(OperationResult)
    }

    /// The name of the exchange that saw it.
    public let exchange: String
    /// The operation; its variables may be private.
    public let operation: GraphQLOperation
    /// What passed.
    public let kind: Kind
    /// From the execution's beginning until now.
    public let elapsed: Duration

    /// One line, without data or variables.
    public var description: String {
      let name = operation.name ?? "anonymous"
      let subject = "\(exchange): \(operation.kind.rawValue) \(name) \(operation.key)"
      switch kind {
      case .operation:
        return "\(subject) → \(operation.context.requestPolicy)"
      case .result(let result):
        let marks = [result.isStale ? "stale" : nil, result.hasNext ? "more to come" : nil]
        let state = ["\(result.outcome)"] + marks.compactMap { $0 }
        let error = result.error.map { " \($0)" } ?? ""
        return "\(subject) ← \(state.joined(separator: ", ")) after \(elapsed)\(error)"
      }
    }
  }

  private let name: String
  private let report: @Sendable (Event) -> Void

  /// An exchange that reports to a closure.
  ///
  /// - Parameters:
  ///   - name: what events name it by.
  ///   - report: called where the execution runs, so it should be quick; prints by default.
  public init(_ name: String, report: @escaping @Sendable (Event) -> Void = { print($0) }) {
    self.name = name
    self.report = report
  }

  /// Reports the operation and each of its results.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    let start = ContinuousClock.now
    report(Event(exchange: name, operation: operation, kind: .operation, elapsed: .zero))
    return forward(operation).map { [name, report] result in
      let elapsed = ContinuousClock.now - start
      report(
        Event(exchange: name, operation: operation, kind: .result(result), elapsed: elapsed))
      return result
    }
  }
}

extension Exchange where Self == DebugExchange {
  /// Reports what passes it; see ``DebugExchange``.
  public static func debug(
    _ name: String, report: @escaping @Sendable (DebugExchange.Event) -> Void = { print($0) }
  ) -> DebugExchange {
    DebugExchange(name, report: report)
  }
}
