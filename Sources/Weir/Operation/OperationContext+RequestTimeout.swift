extension OperationContext {
  private enum RequestTimeout: OperationContextKey {
    static let defaultValue: Duration? = nil
  }

  /// The time limit for each HTTP request of the execution, instead of ``FetchConfiguration/timeout``: a
  /// longer one for a report that takes minutes, or a shorter one. Nil, the default, leaves it to the fetch
  /// exchange.
  ///
  /// ```swift
  /// let patient = OperationContext.cacheFirst.with { $0.requestTimeout = .seconds(180) }
  /// let report = await client.query(yearlyReport, context: patient)
  /// ```
  ///
  /// Like the exchange's, it is the time until the response is complete, or for a request with files the
  /// time without progress. Then the request fails with the code ``HTTPTransportError/Code/timedOut``. Each
  /// request has the whole time: each attempt of a ``RetryExchange``, both requests of an automatic
  /// persisted query, and each refetch of a watch. ``totalTimeout`` limits all that a caller waits for.
  ///
  /// A ``BatchFetchExchange`` sends the operation by itself. The limit is not part of the operation's key:
  /// an execution that joins a request (``DedupExchange``) has the limit of the one that has started it. It
  /// has no effect on subscriptions, nor on what a ``SubscriptionExchange`` sends by another transport, such
  /// as a WebSocket.
  public var requestTimeout: Duration? {
    get { self[RequestTimeout.self] }
    set { self[RequestTimeout.self] = newValue }
  }
}
