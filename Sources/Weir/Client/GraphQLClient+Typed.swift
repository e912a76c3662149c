extension GraphQLClient {
  /// Returns the decoded result of a query; see ``query(_:)-(GraphQLOperation)``. Cached data is
  /// decoded once, not on every hit.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - variables: The values of its variables.
  ///   - context: The settings of the execution.
  /// - Returns: The final result.
  @inlinable @inline(__always)
  public func query<Data, Variables>(
    _ query: Query<Data, Variables>, _ variables: Variables,
    context: OperationContext = OperationContext()
  ) async -> TypedResult<Data> {
    await result(of: query.content(variables), context)
  }

  /// Returns the decoded result of a query without variables.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - context: The settings of the execution.
  /// - Returns: The final result.
  @inlinable
  public func query<Data>(
    _ query: Query<Data, NoVariables>, context: OperationContext = OperationContext()
  ) async -> TypedResult<Data> {
    await self.query(query, NoVariables(), context: context)
  }

  /// Returns the decoded results of one execution of a query as they arrive; see ``results(of:)``.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - variables: The values of its variables.
  ///   - context: The settings of the execution.
  /// - Returns: A sequence; each iteration executes the query once.
  public func results<Data, Variables>(
    of query: Query<Data, Variables>, _ variables: Variables,
    context: OperationContext = OperationContext()
  ) -> TypedResultStream<Data> {
    TypedResultStream(results(of: query.operation(variables, context: context)))
  }

  /// Returns the decoded results of one execution of a query without variables.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - context: The settings of the execution.
  /// - Returns: A sequence; each iteration executes the query once.
  public func results<Data>(
    of query: Query<Data, NoVariables>, context: OperationContext = OperationContext()
  ) -> TypedResultStream<Data> {
    results(of: query, NoVariables(), context: context)
  }

  /// Follows the decoded result of a query; see ``watch(_:)-(GraphQLOperation)``.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - variables: The values of its variables.
  ///   - context: The settings of the execution.
  /// - Returns: A sequence of results, which ends when you leave the loop.
  public func watch<Data, Variables>(
    _ query: Query<Data, Variables>, _ variables: Variables,
    context: OperationContext = OperationContext()
  ) -> TypedResultStream<Data> {
    typedWatch(query.operation(variables, context: context))
  }

  /// Watches a query. If a cache has data that does not fit the type, it is requested once, with `cacheFirst`.
  func typedWatch<Data>(_ operation: GraphQLOperation) -> TypedResultStream<Data> {
    TypedResultStream(watch(operation) { result in result.isUnfitHit(for: Data.self) })
  }

  /// Follows the decoded result of a query without variables.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - context: The settings of the execution.
  /// - Returns: A sequence of results, which ends when you leave the loop.
  public func watch<Data>(
    _ query: Query<Data, NoVariables>, context: OperationContext = OperationContext()
  ) -> TypedResultStream<Data> {
    watch(query, NoVariables(), context: context)
  }

  /// Returns the decoded cached result of a query, or nil; see ``peek(_:)-(GraphQLOperation)``.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - variables: The values of its variables.
  ///   - context: The settings of the execution.
  /// - Returns: The cached result, or nil if there is none.
  @inlinable
  public func peek<Data, Variables>(
    _ query: Query<Data, Variables>, _ variables: Variables,
    context: OperationContext = OperationContext()
  ) -> TypedResult<Data>? {
    peek(query.operation(variables, context: context)).map(TypedResult.init(decoding:))
  }

  /// Returns the decoded cached result of a query without variables, or nil.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - context: The settings of the execution.
  /// - Returns: The cached result, or nil if there is none.
  @inlinable
  public func peek<Data>(
    _ query: Query<Data, NoVariables>, context: OperationContext = OperationContext()
  ) -> TypedResult<Data>? {
    peek(query, NoVariables(), context: context)
  }

  /// Executes a mutation once; see ``mutate(_:)-(GraphQLOperation)``.
  ///
  /// - Parameters:
  ///   - mutation: The mutation.
  ///   - variables: The values of its variables.
  ///   - context: The settings of the execution.
  /// - Returns: The result.
  public func mutate<Data, Variables>(
    _ mutation: Mutation<Data, Variables>, _ variables: Variables,
    context: OperationContext = OperationContext()
  ) async -> TypedResult<Data> {
    TypedResult(decoding: await mutate(mutation.operation(variables, context: context)))
  }

  /// Executes a mutation without variables once.
  ///
  /// - Parameters:
  ///   - mutation: The mutation.
  ///   - context: The settings of the execution.
  /// - Returns: The result.
  public func mutate<Data>(
    _ mutation: Mutation<Data, NoVariables>, context: OperationContext = OperationContext()
  ) async -> TypedResult<Data> {
    await mutate(mutation, NoVariables(), context: context)
  }

  /// Returns the decoded events of a subscription; see ``subscribe(_:)-(GraphQLOperation)``.
  ///
  /// - Parameters:
  ///   - subscription: The subscription.
  ///   - variables: The values of its variables.
  ///   - context: The settings of the execution.
  /// - Returns: A sequence of events; each iteration subscribes.
  public func subscribe<Data, Variables>(
    _ subscription: Subscription<Data, Variables>, _ variables: Variables,
    context: OperationContext = OperationContext()
  ) -> TypedResultStream<Data> {
    TypedResultStream(subscribe(subscription.operation(variables, context: context)))
  }

  /// Returns the decoded events of a subscription without variables.
  ///
  /// - Parameters:
  ///   - subscription: The subscription.
  ///   - context: The settings of the execution.
  /// - Returns: A sequence of events; each iteration subscribes.
  public func subscribe<Data>(
    _ subscription: Subscription<Data, NoVariables>, context: OperationContext = OperationContext()
  ) -> TypedResultStream<Data> {
    subscribe(subscription, NoVariables(), context: context)
  }

  /// Invalidates the cached result of one query; see ``invalidate(_:)-(GraphQLOperation)``.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - variables: The values of its variables.
  ///   - context: The settings of the execution.
  public func invalidate<Data, Variables>(
    _ query: Query<Data, Variables>, _ variables: Variables,
    context: OperationContext = OperationContext()
  ) {
    invalidate(query.operation(variables, context: context))
  }

  /// Invalidates the cached result of a query without variables; see
  /// ``invalidate(_:)-(GraphQLOperation)``.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - context: The settings of the execution.
  public func invalidate<Data>(
    _ query: Query<Data, NoVariables>, context: OperationContext = OperationContext()
  ) {
    invalidate(query, NoVariables(), context: context)
  }
}
