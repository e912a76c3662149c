extension GraphQLClient {
  /// The result of a query, decoded; see ``query(_:)-(GraphQLOperation)``. What is cached is
  /// decoded once, not on every hit.
  @inlinable
  public func query<Data, Variables>(
    _ query: Query<Data, Variables>, _ variables: Variables,
    context: OperationContext = OperationContext()
  ) async -> TypedResult<Data> {
    TypedResult(decoding: await self.query(query.operation(variables, context: context)))
  }

  /// The result of a query without variables, decoded.
  @inlinable
  public func query<Data>(
    _ query: Query<Data, NoVariables>, context: OperationContext = OperationContext()
  ) async -> TypedResult<Data> {
    await self.query(query, NoVariables(), context: context)
  }

  /// The results of one execution of a query as they come, decoded; see ``results(of:)``.
  public func results<Data, Variables>(
    of query: Query<Data, Variables>, _ variables: Variables,
    context: OperationContext = OperationContext()
  ) -> TypedResultStream<Data> {
    TypedResultStream(results(of: query.operation(variables, context: context)))
  }

  /// The results of one execution of a query without variables, decoded.
  public func results<Data>(
    of query: Query<Data, NoVariables>, context: OperationContext = OperationContext()
  ) -> TypedResultStream<Data> {
    results(of: query, NoVariables(), context: context)
  }

  /// A query's results for as long as it is iterated, decoded; see
  /// ``watch(_:)-(GraphQLOperation)``.
  public func watch<Data, Variables>(
    _ query: Query<Data, Variables>, _ variables: Variables,
    context: OperationContext = OperationContext()
  ) -> TypedResultStream<Data> {
    TypedResultStream(watch(query.operation(variables, context: context)))
  }

  /// The results of a query without variables for as long as it is iterated, decoded.
  public func watch<Data>(
    _ query: Query<Data, NoVariables>, context: OperationContext = OperationContext()
  ) -> TypedResultStream<Data> {
    watch(query, NoVariables(), context: context)
  }

  /// The cached result of a query, decoded, or nil; see ``peek(_:)-(GraphQLOperation)``.
  @inlinable
  public func peek<Data, Variables>(
    _ query: Query<Data, Variables>, _ variables: Variables,
    context: OperationContext = OperationContext()
  ) -> TypedResult<Data>? {
    peek(query.operation(variables, context: context)).map(TypedResult.init(decoding:))
  }

  /// The cached result of a query without variables, decoded, or nil.
  @inlinable
  public func peek<Data>(
    _ query: Query<Data, NoVariables>, context: OperationContext = OperationContext()
  ) -> TypedResult<Data>? {
    peek(query, NoVariables(), context: context)
  }

  /// Runs a mutation, once; see ``mutate(_:)-(GraphQLOperation)``.
  public func mutate<Data, Variables>(
    _ mutation: Mutation<Data, Variables>, _ variables: Variables,
    context: OperationContext = OperationContext()
  ) async -> TypedResult<Data> {
    TypedResult(decoding: await mutate(mutation.operation(variables, context: context)))
  }

  /// Runs a mutation without variables, once.
  public func mutate<Data>(
    _ mutation: Mutation<Data, NoVariables>, context: OperationContext = OperationContext()
  ) async -> TypedResult<Data> {
    await mutate(mutation, NoVariables(), context: context)
  }

  /// The events of a subscription, decoded; see ``subscribe(_:)-(GraphQLOperation)``.
  public func subscribe<Data, Variables>(
    _ subscription: Subscription<Data, Variables>, _ variables: Variables,
    context: OperationContext = OperationContext()
  ) -> TypedResultStream<Data> {
    TypedResultStream(subscribe(subscription.operation(variables, context: context)))
  }

  /// The events of a subscription without variables, decoded.
  public func subscribe<Data>(
    _ subscription: Subscription<Data, NoVariables>, context: OperationContext = OperationContext()
  ) -> TypedResultStream<Data> {
    subscribe(subscription, NoVariables(), context: context)
  }

  /// Drops the cached result of one query; if it is watched, it is fetched again.
  public func invalidate<Data, Variables>(
    _ query: Query<Data, Variables>, _ variables: Variables
  ) {
    invalidate(query.operation(variables))
  }

  /// Drops the cached result of a query without variables; if it is watched, it is fetched again.
  public func invalidate<Data>(_ query: Query<Data, NoVariables>) {
    invalidate(query, NoVariables())
  }
}
