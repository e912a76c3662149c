/// One execution of an operation with credentials, in the consumer's own task: ask for a pass, send,
/// and if that is rejected, wait for a better one and send once more.
final class AuthSource<Credentials: Sendable>: ResultSource {
  private typealias Pass = AuthState<Credentials>.Pass

  /// A first result that may not be the answer.
  private struct Rejection {
    let result: OperationResult
    let pass: Pass
    let iterator: ResultStream.Iterator
  }

  private enum Phase {
    case arriving
    case rejected(Rejection)
    case sent(ResultStream.Iterator, Pass)
    /// Whatever comes is delivered; without a pass, whatever it says.
    case delivering(ResultStream.Iterator, Pass?)
    case ended
  }

  private let operation: GraphQLOperation
  private let forward: Forward
  private let exchange: AuthExchange<Credentials>
  private var phase = Phase.arriving
  private var rejections = 0
  private var hasWaitedForRefresh = false
  /// Of a subscription, how often it was accepted, and how often it had been when it was sent last.
  private let acceptance: SubscriptionAcceptance?
  private var acceptancesBefore = 0

  init(operation: GraphQLOperation, forward: Forward, exchange: AuthExchange<Credentials>) {
    acceptance = operation.kind == .subscription ? SubscriptionAcceptance() : nil
    var operation = operation
    if let acceptance { operation.context.acceptance = acceptance }
    self.operation = operation
    self.forward = forward
    self.exchange = exchange
  }

  override func next(isolation: isolated (any Actor)?) async -> OperationResult? {
    while true {
      switch phase {
      case .arriving:
        let decision = exchange.arrive(operation)
        if let result = await follow(decision, after: nil) { return result }
      case .rejected(let rejection):
        let decision = exchange.reject(rejection.pass, of: operation)
        if case .wait = decision { hasWaitedForRefresh = true }
        if let result = await follow(decision, after: rejection) { return result }
      case .sent(var iterator, let pass):
        let result = await iterator.next(isolation: isolation)
        if !sendsAgain(after: result, iterator, pass, isFirst: true) { return result }
      case .delivering(var iterator, let pass):
        let result = await iterator.next(isolation: isolation)
        if !sendsAgain(after: result, iterator, pass, isFirst: false) { return result }
      case .ended:
        return nil
      }
    }
  }

  /// - Returns: a result to deliver, if there is one; nil to go on.
  private func follow(
    _ decision: AuthState<Credentials>.Decision, after rejection: Rejection?
  ) async -> OperationResult? {
    switch decision {
    case .pass(let pass):
      phase = .sent(send(pass).makeAsyncIterator(), pass)
      return nil
    case .wait(let waiter):
      return await wait(waiter, after: rejection)
    case .fail(let error):
      return failure(error, after: rejection)
    case .giveUp:
      guard let rejection else { return failure(OperationError.cancelled, after: nil) }
      phase = .delivering(rejection.iterator, nil)
      return rejection.result
    }
  }

  private func wait(
    _ waiter: AuthState<Credentials>.Waiter, after rejection: Rejection?
  ) async -> OperationResult? {
    switch await waiter.wait() {
    case .pass(let pass):
      // Started before the next one is let go, so that requests leave in order.
      phase = .sent(send(pass).makeStartedIterator(), pass)
      exchange.releaseNext()
      return nil
    case .failure(let error):
      return failure(error, after: rejection)
    case nil:
      exchange.leave(waiter)
      phase = .ended
      return nil
    }
  }

  private func send(_ pass: Pass) -> ResultStream {
    acceptancesBefore = acceptance?.count ?? 0
    return forward(exchange.attaching(pass, to: operation))
  }

  /// Takes a result back if the operation is to be sent again for it.
  private func sendsAgain(
    after result: OperationResult?, _ iterator: ResultStream.Iterator, _ pass: Pass?, isFirst: Bool
  ) -> Bool {
    let mayBeRejected = isFirst || acceptance != nil && result?.hasNext == false
    guard let result, let pass, mayBeRejected, isRejected(result) else {
      phase = .delivering(iterator, pass)
      return false
    }
    rejections += 1
    phase = .rejected(Rejection(result: result, pass: pass, iterator: iterator))
    return true
  }

  /// Whether a first result, or a subscription's last, says that the credentials will not do, and
  /// sending again may help and do no harm.
  private func isRejected(_ result: OperationResult) -> Bool {
    if let acceptance, !result.hasNext, acceptance.count > acceptancesBefore {
      // They did for a while: the subscription was lost, and could not be taken up again. (What has a
      // next one is an event, of a subscription that goes on.)
      rejections = 0
      hasWaitedForRefresh = false
    }
    guard let error = result.error, rejections < 2, !hasWaitedForRefresh,
      operation.kind != .mutation || !result.hasValues
    else { return false }
    return exchange.isRejection(error, operation)
  }

  private func failure(_ error: any Error, after rejection: Rejection?) -> OperationResult {
    phase = .ended
    return OperationResult(
      error: OperationError(authenticationFailure: error, rejection: rejection?.result.error))
  }
}

extension OperationResult {
  /// Whether a field of the root has a value: of a mutation, whether it was carried out in part.
  fileprivate var hasValues: Bool {
    data?.members.contains { $0.key != "__typename" && !$0.value.isNull } ?? false
  }
}

extension OperationError {
  /// Keeps what the server said beside why that could not be mended. Says of a foreign error only
  /// its type: its text may hold a token.
  fileprivate init(authenticationFailure error: any Error, rejection: OperationError?) {
    let known = error as? OperationError
    if let known, known.code == .cancelled {
      self = known
      return
    }
    let reason = known?.description ?? "\(type(of: error))"
    self.init(
      code: .authentication, message: "There are no valid credentials (\(reason)).",
      graphQLErrors: rejection?.graphQLErrors ?? [], httpStatus: rejection?.httpStatus,
      mediaType: rejection?.mediaType, underlying: error)
  }
}
