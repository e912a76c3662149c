extension GraphQLClient {
  /// Executes a mutation once. Refuses a query or a subscription, with an error.
  ///
  /// If the caller is cancelled, the call returns at once with ``OperationError/cancelled``. By
  /// default the request continues and its result still reaches the caches: the server may have
  /// made the change already, and without the result the caches would serve outdated data. Set
  /// ``OperationContext/abortsWhenCancelled`` to cancel the request, too. If the caller was
  /// cancelled before the call, nothing is sent.
  public func mutate(_ operation: GraphQLOperation) async -> OperationResult {
    if let refusal = refusalToMutate(operation) { return refusal }
    let mutation = RunningMutation(operation, self)
    if let result = mutation.result() { return result }
    let ending = mutation.noteEnd()
    while true {
      await mutation.answer.waitForResult()
      if let result = mutation.result(ending) { return result }
    }
  }

  /// Not inlined, as the parts of ``RunningMutation``: only what a mutation itself keeps has to be in its
  /// task's memory while it waits.
  @inline(never)
  private func refusalToMutate(_ operation: GraphQLOperation) -> OperationResult? {
    if operation.kind == .mutation, !Task.isCancelled { return nil }
    operation.context.finishUploadProgress()
    return operation.kind == .mutation
      ? .cancelled
      : OperationResult(error: .wrongKind(of: operation, for: "mutate", use: "query"))
  }
}

/// A mutation that runs in a task of its own, which goes on if the caller's task is cancelled.
private struct RunningMutation {
  let answer = ResultBuffer()
  private let operation: GraphQLOperation
  private let sessions: SessionKeeper
  private let task: Task<Void, Never>

  @inline(never)
  init(_ operation: GraphQLOperation, _ client: GraphQLClient) {
    sessions = client.sessions
    let stamped = operation.stamped(sessions.begun)
    self.operation = stamped
    task = Task.startingHere { [answer] in
      switch client.beginSettling(stamped) {
      case .settled(let result): answer.finish(with: result)
      case .waiting(let execution): answer.finish(with: await execution.settled())
      }
    }
  }

  /// Ends the wait for the result when the session ends, or at once if it has ended already.
  @inline(never)
  func noteEnd() -> SessionEnding {
    sessions.onEnd(of: operation.context.session) { [answer] in answer.finish() }
  }

  /// Ends the mutation with its result; nil if the result has to be awaited.
  @inline(never)
  func result(_ ending: SessionEnding? = nil) -> OperationResult? {
    guard let element = answer.take() else { return nil }
    defer {
      ending?.forget()
      operation.context.finishUploadProgress()
    }
    if element.result == nil, operation.context.abortsWhenCancelled { task.cancel() }
    // The session may have ended while the result waited for the caller.
    guard let result = element.result, sessions.mayDeliver(operation) else { return .cancelled }
    return result
  }
}
