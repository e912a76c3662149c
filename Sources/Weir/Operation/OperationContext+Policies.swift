// A request policy and nothing else, as short as it can be said where an execution begins.

extension OperationContext {
  /// A context with the policy ``RequestPolicy/cacheFirst``, which is the default.
  public static var cacheFirst: OperationContext { .init() }

  /// A context with the policy ``RequestPolicy/cacheAndNetwork``.
  public static var cacheAndNetwork: OperationContext { .init(requestPolicy: .cacheAndNetwork) }

  /// A context with the policy ``RequestPolicy/networkOnly``.
  ///
  /// ```swift
  /// let newest = await client.query(feed, context: .networkOnly)
  /// ```
  public static var networkOnly: OperationContext { .init(requestPolicy: .networkOnly) }

  /// A context with the policy ``RequestPolicy/networkFirst``.
  public static var networkFirst: OperationContext { .init(requestPolicy: .networkFirst) }

  /// A context with the policy ``RequestPolicy/cacheOnly``.
  public static var cacheOnly: OperationContext { .init(requestPolicy: .cacheOnly) }
}

extension GraphQLOperation {
  /// Returns a copy with another request policy.
  ///
  /// ```swift
  /// let newest = await client.query(todos.with(.networkOnly))
  /// ```
  public func with(_ policy: RequestPolicy) -> GraphQLOperation {
    with { $0.requestPolicy = policy }
  }
}
