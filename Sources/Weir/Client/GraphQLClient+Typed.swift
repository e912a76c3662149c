extension GraphQLClient {
  /// Returns the decoded result of a query; see ``query(_:)-(GraphQLOperation)``. Cached data is
  /// decoded once, not on every hit.
  @inlinable @inline(__always)
  public func query<Data, Variables>(
    _ query: Query<Data, Variables>, _ variables: Variables,
    context: OperationContext = OperationContext()
  ) async -> TypedResult<Data> {
    await result(of: query.content(variables), context)
  }

  /// Returns the decoded result of a query without variables.
  @inlinable
  public func query<Data>(
    _ query: Query<Data, NoVariables>, context: OperationContext = OperationContext()
  ) async -> TypedResult<Data> {
    await self.query(query, NoVariables(), context: context)
  }

  /// Returns the decoded results of one execution of a query as they arrive; see ``results(of:)``.
  public func results<Data, Variables>(
    of query: Query<Data, Variables>, _ variables: Variables,
    context: OperationContext = OperationContext()
  ) -> TypedResultStream<Data> {
    TypedResultStream(results(of: query.operation(variables, context: context)))
  }

  /// Returns the decoded results of one execution of a query without variables.
  public func results<Data>(
    of query: Query<Data, NoVariables>, context: OperationContext = OperationContext()
  ) -> TypedResultStream<Data> {
    results(of: query, NoVariables(), context: context)
  }

  /// Follows the decoded result of a query; see ``watch(_:)-(GraphQLOperation)``.
  public func watch<Data, Variables>(
    _ query: Query<Data, Variables>, _ variables: Variables,
    context: OperationContext = OperationContext()
  ) -> TypedResultStream<Data> {
    TypedResultStream(watch(query.operation(variables, context: context)))
  }

  /// Follows the decoded result of a query without variables.
  public func watch<Data>(
    _ query: Query<Data, NoVariables>, context: OperationContext = OperationContext()
  ) -> TypedResultStream<Data> {
    watch(query, NoVariables(), context: context)
  }

  /// Returns the decoded cached result of a query, or nil; see ``peek(_:)-(GraphQLOperation)``.
  @inlinable
  public func peek<Data, Variables>(
    _ query: Query<Data, Variables>, _ variables: Variables,
    context: OperationContext = OperationContext()
  ) -> TypedResult<Data>? {
    peek(query.operation(variables, context: context)).map(TypedResult.init(decoding:))
  }

  /// Returns the decoded cached result of a query without variables, or nil.
  @inlinable
  public func peek<Data>(
    _ query: Query<Data, NoVariables>, context: OperationContext = OperationContext()
  ) -> TypedResult<Data>? {
    peek(query, NoVariables(), context: context)
  }

  /// Executes a mutation once; see ``mutate(_:)-(GraphQLOperation)``.
  public func mutate<Data, Variables>(
    _ mutation: Mutation<Data, Variables>, _ variables: Variables,
    context: OperationContext = OperationContext()
  ) async -> TypedResult<Data> {
    TypedResult(decoding: await mutate(mutation.operation(variables, context: context)))
  }

  /// Executes a mutation without variables once.
  public func mutate<Data>(
    _ mutation: Mutation<Data, NoVariables>, context: OperationContext = OperationContext()
  ) async -> TypedResult<Data> {
    await mutate(mutation, NoVariables(), context: context)
  }

  /// Returns the decoded events of a subscription; see ``subscribe(_:)-(GraphQLOperation)``.
  public func subscribe<Data, Variables>(
    _ subscription: Subscription<Data, Variables>, _ variables: Variables,
    context: OperationContext = OperationContext()
  ) -> TypedResultStream<Data> {
    TypedResultStream(subscribe(subscription.operation(variables, context: context)))
  }

  /// Returns the decoded events of a subscription without variables.
  public func subscribe<Data>(
    _ subscription: Subscription<Data, NoVariables>, context: OperationContext = OperationContext()
  ) -> TypedResultStream<Data> {
    subscribe(subscription, NoVariables(), context: context)
  }

  /// Drops the cached result of one query. If it is watched, it is refetched.
  public func invalidate<Data, Variables>(
    _ query: Query<Data, Variables>, _ variables: Variables,
    context: OperationContext = OperationContext()
  ) {
    invalidate(query.operation(variables, context: context))
  }

  /// Drops the cached result of a query without variables. If it is watched, it is refetched.
  public func invalidate<Data>(
    _ query: Query<Data, NoVariables>, context: OperationContext = OperationContext()
  ) {
    invalidate(query, NoVariables(), context: context)
  }
}
