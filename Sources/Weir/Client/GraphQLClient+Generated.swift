// The calls for operations that were generated from documents.

extension GraphQLClient {
  /// Returns the decoded result of a query; see ``query(_:)-(GraphQLOperation)``. Cached data is
  /// decoded once, not on every hit.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - context: The settings of the execution.
  /// - Returns: The final result.
  @inlinable @inline(__always)
  public func query<Query: GeneratedQuery>(
    _ query: Query, context: OperationContext = OperationContext()
  ) async -> TypedResult<Query.Data> {
    await result(of: query.content, context)
  }

  /// Returns the decoded results of one execution of a query as they arrive; see ``results(of:)``.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - context: The settings of the execution.
  /// - Returns: A sequence; each iteration executes the query once.
  public func results<Query: GeneratedQuery>(
    of query: Query, context: OperationContext = OperationContext()
  ) -> TypedResultStream<Query.Data> {
    TypedResultStream(results(of: query.operation(context: context)))
  }

  /// Follows the decoded result of a query; see ``watch(_:)-(GraphQLOperation)``.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - context: The settings of the execution.
  /// - Returns: A sequence of results, which ends when you leave the loop.
  public func watch<Query: GeneratedQuery>(
    _ query: Query, context: OperationContext = OperationContext()
  ) -> TypedResultStream<Query.Data> {
    typedWatch(query.operation(context: context))
  }

  /// Returns the decoded cached result of a query, or nil; see ``peek(_:)-(GraphQLOperation)``.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - context: The settings of the execution.
  /// - Returns: The cached result, or nil if there is none.
  @inlinable
  public func peek<Query: GeneratedQuery>(
    _ query: Query, context: OperationContext = OperationContext()
  ) -> TypedResult<Query.Data>? {
    peek(query.operation(context: context)).map(TypedResult.init(decoding:))
  }

  /// Executes a mutation once; see ``mutate(_:)-(GraphQLOperation)``.
  ///
  /// - Parameters:
  ///   - mutation: The mutation.
  ///   - context: The settings of the execution.
  /// - Returns: The result.
  public func mutate<Mutation: GeneratedMutation>(
    _ mutation: Mutation, context: OperationContext = OperationContext()
  ) async -> TypedResult<Mutation.Data> {
    TypedResult(decoding: await mutate(mutation.operation(context: context)))
  }

  /// Returns the decoded events of a subscription; see ``subscribe(_:)-(GraphQLOperation)``.
  ///
  /// - Parameters:
  ///   - subscription: The subscription.
  ///   - context: The settings of the execution.
  /// - Returns: A sequence of events; each iteration subscribes.
  public func subscribe<Subscription: GeneratedSubscription>(
    _ subscription: Subscription, context: OperationContext = OperationContext()
  ) -> TypedResultStream<Subscription.Data> {
    TypedResultStream(subscribe(subscription.operation(context: context)))
  }

  /// Invalidates the cached result of one query; see ``invalidate(_:)-(GraphQLOperation)``.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - context: The settings of the execution.
  public func invalidate(
    _ query: some GeneratedQuery, context: OperationContext = OperationContext()
  ) {
    invalidate(query.operation(context: context))
  }
}
