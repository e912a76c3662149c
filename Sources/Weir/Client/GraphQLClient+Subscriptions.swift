extension GraphQLClient {
  /// Returns the events of a subscription. Refuses a query or a mutation, with an error.
  ///
  /// Each iteration subscribes again; leaving the loop unsubscribes. The iteration ends when the
  /// server completes the subscription, and with ``OperationError/cancelled`` when the session
  /// ends.
  ///
  /// A slow consumer loses no events. When 16 events wait for it, the transport stops reading, so
  /// that the connection holds the server back, if the transport supports that: see
  /// ``URLSessionTransport``.
  public func subscribe(_ operation: GraphQLOperation) -> ResultStream {
    guard operation.kind == .subscription else {
      return .just(
        OperationResult(error: .wrongKind(of: operation, for: "subscribe", use: "query or mutate")))
    }
    return .deferred { [self] in
      let stamped = operation.stamped(sessions.current)
      // The session may have ended while the event waited for the consumer.
      return events(of: stamped).map { [sessions] event in
        sessions.isCurrent(stamped) ? event : .cancelled
      }
    }
  }

  private func events(of stamped: GraphQLOperation) -> ResultStream {
    ResultStream { [self] yield in
      let events = Task { [self] in
        for await result in forward(stamped) {
          guard sessions.isCurrent(stamped), !Task.isCancelled else { return }
          await yield.inTurn(result.withoutSignal())
        }
      }
      let ending = sessions.onEnd(of: stamped.context.session) { events.cancel() }
      defer { ending.forget() }
      await withTaskCancellationHandler {
        await events.value
      } onCancel: {
        events.cancel()
      }
      if !sessions.isCurrent(stamped) { yield(.cancelled) }
    }
  }
}
