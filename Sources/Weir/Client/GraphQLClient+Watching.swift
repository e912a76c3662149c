extension GraphQLClient {
  /// Follows a query: delivers its results, and a new one whenever the last one was superseded,
  /// until the consumer leaves the loop.
  ///
  /// That needs an exchange that attaches a ``RefreshSignal`` to results, such as a cache or a
  /// ``RefreshExchange``. Without one, the watch ends after the results of its first execution.
  ///
  /// A mutation, a newer response to another execution, or ``invalidate(_:)-(Invalidation)``
  /// supersedes a result, and so does any event for which an exchange attaches a ``RefreshSignal``.
  ///
  /// The first execution has the policy of the operation's context. Each further one, after the result
  /// was superseded, has the policy ``RequestPolicy/cacheFirst``, or ``RequestPolicy/cacheOnly`` if that
  /// is the operation's own. The caches do so even if an exchange gives the refetch another policy.
  ///
  /// A superseded result is delivered once more as stale if the newer data has to be requested. Until the
  /// response is there, changes of a normalized cache, such as optimistic results, are delivered as stale,
  /// too; each time, the watch executes the chain with the policy ``RequestPolicy/cacheOnly``. A
  /// failed refetch keeps the last data beside its error. A result is not delivered if its data, error and
  /// flags equal those of the last one; extensions, outcome and timing are not compared. Leaving the loop
  /// ends the watch; there is nothing to cancel.
  ///
  /// Any number of watches of one query share one request per refetch. A watch costs no task of its
  /// own. Only queries can be watched.
  public func watch(_ operation: GraphQLOperation) -> ResultStream {
    watch(operation, isUnfit: nil)
  }

  /// Follows a query. Cached data that is `isUnfit` for its purpose is requested instead of delivered, once.
  func watch(
    _ operation: GraphQLOperation, isUnfit: (@Sendable (OperationResult) -> Bool)?
  ) -> ResultStream {
    guard operation.kind == .query else {
      return .just(
        OperationResult(error: .wrongKind(of: operation, for: "watch", use: "mutate or subscribe")))
    }
    return ResultStream(source: { [self] in
      WatchSource(operation: operation, client: self, isUnfit: isUnfit)
    })
  }
}
