// Calls that do not fit the kind of an operation. Each is an error of the compiler that names the
// right call; without these, the compiler says that a type cannot be converted.

extension GraphQLClient {
  /// Not available: `query` executes queries. Call `mutate` with a mutation.
  @available(*, unavailable, message: "`query` executes queries. Call `mutate` with a mutation.")
  public func query<Data, Variables>(
    _ mutation: Mutation<Data, Variables>, _ variables: Variables? = nil,
    context: OperationContext = OperationContext()
  ) async -> TypedResult<Data> {
    notCallable()
  }

  /// Not available: `query` executes queries. Call `subscribe` with a subscription.
  @available(
    *, unavailable, message: "`query` executes queries. Call `subscribe` with a subscription."
  )
  public func query<Data, Variables>(
    _ subscription: Subscription<Data, Variables>, _ variables: Variables? = nil,
    context: OperationContext = OperationContext()
  ) async -> TypedResult<Data> {
    notCallable()
  }

  /// Not available: `results(of:)` executes queries. Call `mutate` with a mutation.
  @available(
    *, unavailable, message: "`results(of:)` executes queries. Call `mutate` with a mutation."
  )
  public func results<Data, Variables>(
    of mutation: Mutation<Data, Variables>, _ variables: Variables? = nil,
    context: OperationContext = OperationContext()
  ) -> TypedResultStream<Data> {
    notCallable()
  }

  /// Not available: `watch` follows queries. Call `mutate` with a mutation.
  @available(*, unavailable, message: "`watch` follows queries. Call `mutate` with a mutation.")
  public func watch<Data, Variables>(
    _ mutation: Mutation<Data, Variables>, _ variables: Variables? = nil,
    context: OperationContext = OperationContext()
  ) -> TypedResultStream<Data> {
    notCallable()
  }

  /// Not available: `watch` follows queries. Call `subscribe` with a subscription.
  @available(
    *, unavailable, message: "`watch` follows queries. Call `subscribe` with a subscription."
  )
  public func watch<Data, Variables>(
    _ subscription: Subscription<Data, Variables>, _ variables: Variables? = nil,
    context: OperationContext = OperationContext()
  ) -> TypedResultStream<Data> {
    notCallable()
  }

  /// Not available: `mutate` executes mutations. Call `query` with a query.
  @available(*, unavailable, message: "`mutate` executes mutations. Call `query` with a query.")
  public func mutate<Data, Variables>(
    _ query: Query<Data, Variables>, _ variables: Variables? = nil,
    context: OperationContext = OperationContext()
  ) async -> TypedResult<Data> {
    notCallable()
  }

  /// Not available: `subscribe` executes subscriptions. Call `watch` to follow a query.
  @available(
    *, unavailable, message: "`subscribe` executes subscriptions. Call `watch` to follow a query."
  )
  public func subscribe<Data, Variables>(
    _ query: Query<Data, Variables>, _ variables: Variables? = nil,
    context: OperationContext = OperationContext()
  ) -> TypedResultStream<Data> {
    notCallable()
  }
}

// The settings of an untyped operation are its own.

extension GraphQLClient {
  /// Not available: an operation has its own settings. Pass `operation.with(.networkOnly)`.
  @available(*, unavailable, message: "Pass `operation.with(.networkOnly)`, or `.with { … }`.")
  public func query(_ operation: GraphQLOperation, context: OperationContext) async
    -> OperationResult
  {
    notCallable()
  }

  /// Not available: an operation has its own settings. Pass `operation.with(.networkOnly)`.
  @available(*, unavailable, message: "Pass `operation.with(.networkOnly)`, or `.with { … }`.")
  public func results(
    of operation: GraphQLOperation, context: OperationContext
  ) -> ResultStream {
    notCallable()
  }

  /// Not available: an operation has its own settings. Pass `operation.with(.networkOnly)`.
  @available(*, unavailable, message: "Pass `operation.with(.networkOnly)`, or `.with { … }`.")
  public func watch(
    _ operation: GraphQLOperation, context: OperationContext
  ) -> ResultStream {
    notCallable()
  }

  /// Not available: an operation has its own settings. Pass `operation.with(.networkOnly)`.
  @available(*, unavailable, message: "Pass `operation.with(.networkOnly)`, or `.with { … }`.")
  public func peek(
    _ operation: GraphQLOperation, context: OperationContext
  ) -> OperationResult? {
    notCallable()
  }

  /// Not available: an operation has its own settings. Pass `operation.with(.networkOnly)`.
  @available(*, unavailable, message: "Pass `operation.with(.networkOnly)`, or `.with { … }`.")
  public func mutate(
    _ operation: GraphQLOperation, context: OperationContext
  ) async -> OperationResult {
    notCallable()
  }

  /// Not available: an operation has its own settings. Pass `operation.with(.networkOnly)`.
  @available(*, unavailable, message: "Pass `operation.with(.networkOnly)`, or `.with { … }`.")
  public func subscribe(
    _ operation: GraphQLOperation, context: OperationContext
  ) -> ResultStream {
    notCallable()
  }
}

/// The body of a function that is not available.
private func notCallable() -> Never {
  // Never reached: no call of such a function compiles.
  fatalError("The function is not available.")
}

extension OperationError {
  /// The error of an operation that was passed to the wrong method.
  static func wrongKind(
    of operation: GraphQLOperation, for method: String, use other: String
  ) -> OperationError {
    operation.defect
      ?? .document("The \(operation.title) was passed to \(method): use \(other).")
  }
}
