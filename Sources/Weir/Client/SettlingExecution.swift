/// One execution, until it has the result that a call returns: the first one that is neither stale nor
/// incomplete, otherwise the last one.
@usableFromInline
struct SettlingExecution: ~Copyable {
  @usableFromInline
  enum Beginning {
    /// Nothing had to be awaited.
    case settled(OperationResult)
    case waiting(WaitingExecution)
  }

  private let operation: GraphQLOperation
  private let sessions: SessionKeeper
  private var iterator: ResultStream.Iterator
  private var last: OperationResult?
  private var isOver = false

  /// Begins an iteration, and goes on as far as that needs no waiting.
  @inline(never)
  static func begin(
    _ iterator: consuming ResultStream.Iterator, of operation: GraphQLOperation,
    _ sessions: SessionKeeper
  ) -> Beginning {
    // Called while the session changes: nothing is sent.
    guard sessions.mayDeliver(operation) else {
      operation.context.finishUploadProgress()
      return .settled(.cancelled)
    }
    var execution = SettlingExecution(
      operation: operation, sessions: sessions, iterator: iterator)
    if let wait = execution.advance() {
      return .waiting(WaitingExecution(execution, wait))
    }
    return .settled(execution.result())
  }

  /// Goes on as far as that needs no waiting.
  ///
  /// - Returns: what to wait for; nil at the end.
  fileprivate mutating func advance() -> ResultWait? {
    while !isOver {
      switch iterator.step() {
      case .waiting(let wait): return wait
      case .done(let result): note(result)
      }
    }
    return nil
  }

  private mutating func note(_ result: consuming OperationResult?) {
    guard var result else {
      isOver = true
      return
    }
    if !sessions.mayDeliver(operation) {
      isOver = true
      result = .cancelled
    } else if operation.kind == .subscription {
      // Each event is complete, and a subscription may never end.
      isOver = true
      result.hasNext = false
    } else {
      isOver = !result.isStale && !result.hasNext
    }
    last = result
  }

  /// The result that the call returns.
  fileprivate func result() -> OperationResult {
    operation.context.finishUploadProgress()
    // The source may have ended without a result because the session did.
    guard sessions.mayDeliver(operation) else { return .cancelled }
    if last.map({ $0.isStale || $0.hasNext }) ?? true, Task.isCancelled { return .cancelled }
    return last?.withoutSignal().explainingMiss(of: operation) ?? OperationResult(error: .noResult)
  }
}

/// An execution whose next result has to be awaited.
///
/// It is an object, and what happens between two waits is not inlined, so that the waiting task
/// keeps one reference. A task allocates what it keeps in pieces of about 1 KB, which cost more than
/// an object.
@usableFromInline
final class WaitingExecution {
  private var execution: SettlingExecution
  private var wait: ResultWait

  fileprivate init(_ execution: consuming SettlingExecution, _ wait: ResultWait) {
    self.execution = execution
    self.wait = wait
  }

  @usableFromInline
  func settled() async -> OperationResult {
    while true {
      await wait()
      if let result = advance() { return result }
    }
  }

  @inline(never)
  private func advance() -> OperationResult? {
    guard let wait = execution.advance() else { return execution.result() }
    self.wait = wait
    return nil
  }
}
