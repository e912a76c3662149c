/// One execution of an operation with credentials, in the consumer's task: it gets a pass, sends
/// the operation, and if that is rejected, waits for a newer pass and sends it again.
final class AuthSource<Credentials: Sendable>: ExecutionSource<AuthExchange<Credentials>> {
  private typealias State = AuthState<Credentials>

  /// A first result that may be replaced by that of another attempt.
  private struct Rejection {
    let result: OperationResult
    let pass: State.Pass
    /// Whether the server has accepted the credentials since the operation was sent with them.
    let followsProof: Bool
  }

  private enum Phase {
    case arriving
    case rejected(Rejection)
    /// Delivers results. With a pass, the first result, and a subscription's last one, may be a
    /// rejection.
    case sent(ResultStream.Iterator, State.Pass?, isFirst: Bool)
    case ended
  }

  private var phase = Phase.arriving
  /// The results after a rejected one, until it is decided whether the operation is sent again. Releasing
  /// them ends the request, whose slot the refresh may need.
  private var rest: ResultStream.Iterator?
  private var rejections = 0
  private var hasWaitedForRefresh = false
  /// The signs that the server accepts a subscription, and their number when it was last sent.
  private let acceptance: SubscriptionAcceptance?
  private var proofsBefore: UInt64 = 0

  override init(
    _ exchange: AuthExchange<Credentials>, _ operation: GraphQLOperation, _ forward: Forward
  ) {
    if operation.kind == .subscription {
      // Keeps the operation without the acceptance, which would keep itself.
      acceptance = SubscriptionAcceptance { [isRejection = exchange.configuration.isRejection] in
        isRejection($0, operation)
      }
    } else {
      acceptance = nil
    }
    var operation = operation
    if let acceptance { operation.context.acceptance = acceptance }
    super.init(exchange, operation, forward)
  }

  override func next() async -> OperationResult? {
    while true {
      switch phase {
      case .arriving:
        if let result = await follow(exchange.arrive(operation), after: nil) { return result }
      case .rejected(let rejection):
        let decision = exchange.reject(
          rejection.pass, of: operation, followsProof: rejection.followsProof)
        if case .wait = decision { hasWaitedForRefresh = true }
        if case .giveUp = decision {} else { rest = nil }
        if let result = await follow(decision, after: rejection) { return result }
      case .sent(var iterator, let pass, let isFirst):
        let result = await iterator.next()
        let mayBeRejected = isFirst || acceptance != nil && result?.hasNext == false
        guard let result, let pass, mayBeRejected, isRejected(result) else {
          phase = .sent(iterator, pass, isFirst: false)
          if let acceptance, let result { acceptance.noteResult(result) }
          return result
        }
        rejections += 1
        rest = iterator
        phase = .rejected(Rejection(result: result, pass: pass, followsProof: hasProof))
      case .ended:
        return nil
      }
    }
  }

  /// - Returns: A result to deliver; nil to go on.
  private func follow(
    _ decision: State.Decision, after rejection: Rejection?
  ) async -> OperationResult? {
    switch decision {
    case .admit(.success(let pass)):
      phase = .sent(send(pass).makeAsyncIterator(), pass, isFirst: true)
      return nil
    case .admit(.failure(let error)):
      return await fail(error, after: rejection)
    case .wait(let waiter):
      return await wait(waiter, after: rejection)
    case .giveUp:
      guard let rejection, let rest = rest.take() else {
        return await fail(OperationError.cancelled, after: nil)
      }
      phase = .sent(rest, nil, isFirst: false)
      return rejection.result
    }
  }

  private func wait(_ waiter: State.Waiter, after rejection: Rejection?) async -> OperationResult? {
    switch await waiter.wait() {
    case .success(let pass):
      // Started before the next operation is admitted, so that they are forwarded in order.
      phase = .sent(send(pass).makeStartedIterator(), pass, isFirst: true)
      exchange.releaseNext()
      return nil
    case .failure(let error):
      return await fail(error, after: rejection)
    case nil:
      exchange.leave(waiter)
      phase = .ended
      return nil
    }
  }

  private func send(_ pass: State.Pass) -> ResultStream {
    proofsBefore = acceptance?.proofs ?? 0
    guard let credentials = pass.credentials else { return forward(operation) }
    return forward(
      operation.with { context in
        let before = context.headers
        exchange.configuration.attach(credentials, &context)
        context.noteCredentials(addedTo: before, renewalCount: pass.renewalCount)
      })
  }

  /// Whether the server has accepted a subscription's credentials since it was last sent.
  private var hasProof: Bool { acceptance.map { $0.proofs > proofsBefore } ?? false }

  /// Whether a result says that the credentials were rejected, and sending the operation again may
  /// help and does no harm.
  private func isRejected(_ result: OperationResult) -> Bool {
    if hasProof, !result.hasNext {
      // The server had accepted the credentials; then the subscription ended and could not be
      // resumed. (A result with `hasNext` is an event of a running subscription. That a transport
      // has sent the subscription proves nothing: the rejection may be the answer to that.)
      rejections = 0
      hasWaitedForRefresh = false
    }
    guard let error = result.error, rejections < 2, !hasWaitedForRefresh, saysRejected(error) else {
      return false
    }
    return operation.kind != .mutation
      || !RejectedMutation(operation: operation, result: result, isRejection: saysRejected)
        .mayHaveRun
  }

  private func saysRejected(_ error: OperationError) -> Bool {
    exchange.configuration.isRejection(error, operation)
  }

  /// Ends with the error of a renewal. But a subscription survives one that may pass, as it survives the loss of
  /// its connection: nobody else would begin again.
  ///
  /// - Returns: A result to deliver; nil to go on.
  @inline(never)
  private func fail(_ error: any Error, after rejection: Rejection?) async -> OperationResult? {
    let failure = OperationError(authenticationFailure: error, rejection: rejection?.result.error)
    phase = .ended
    guard let acceptance, let reconnection = forward.reconnection(of: operation),
      let delay = acceptance.delay(afterRenewal: failure, reconnection)
    else { return OperationResult(error: failure) }
    operation.context.connectionChange?(.lost(failure, nextAttempt: delay))
    do {
      try await reconnection.sleep(delay)
    } catch {
      return Task.isCancelled ? nil : .cancelled
    }
    // Not sent again with rejected credentials: the failure is known, and another renewal begins.
    phase =
      rejection.map {
        .rejected(Rejection(result: $0.result, pass: $0.pass, followsProof: true))
      } ?? .arriving
    return nil
  }
}
