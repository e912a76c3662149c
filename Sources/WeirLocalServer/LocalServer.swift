public import Weir

/// A GraphQL server within the process: for previews, demonstrations, and tests of an app.
///
/// Fields are closures. With a schema it checks what a real server checks; without one it takes the
/// data for what they are.
///
/// ```swift
/// let server = try LocalServer(schema: "type Query { post(id: ID!): Post } type Post { id: ID! title: String! }") {
///   $0.query("post") { request in ["id": request["id"], "title": "Hello"] }
/// }
/// let client = GraphQLClient([.dedup, .documentCache, .fetch(from: server)])
/// ```
///
/// It executes as the specification has it (section 6): fragments, `@skip` and `@include`, aliases,
/// variables and defaults, abstract types, null propagation, query fields side by side and mutation
/// fields one after the other. As an `HTTPTransport` it answers by "GraphQL over HTTP", so
/// that an app's whole chain of exchanges runs, without a socket; subscriptions are event streams.
///
/// It does not do `@defer`, `@stream`, introspection, persisted documents or uploads, and checks
/// neither that fields of one response key can be merged nor that fragments can apply at all.
public final class LocalServer: Sendable {
  private struct State {
    var resolvers: LocalResolvers
    var latency: Duration = .zero
    var failures: [RequestFailure] = []
    var requests: [LocalRequest] = []
  }

  private let schema: LocalSchema?
  private let clock: any Clock<Duration>
  private let state: Locked<State>
  private let arrivals = ArrivalCount()

  /// A server with a schema.
  ///
  /// - Parameters:
  ///   - sdl: the schema in the schema definition language.
  ///   - clock: what ``latency`` and ``FieldRequest/sleep(for:)`` wait on; a ``ManualClock`` makes a
  ///     test the master of time.
  ///   - build: names the closures of fields. Fields without one are read from their object.
  /// - Throws: ``LocalServerError`` if `sdl` is no schema, or a closure is for a field that it lacks.
  public init(
    schema sdl: String, clock: any Clock<Duration> = ContinuousClock(),
    _ build: (inout LocalResolvers) -> Void = { _ in }
  ) throws(LocalServerError) {
    let schema = try LocalSchema(sdl: sdl)
    var resolvers = LocalResolvers()
    build(&resolvers)
    try schema.check(resolvers)
    self.schema = schema
    self.clock = clock
    state = Locked(State(resolvers: resolvers))
  }

  /// A server without a schema: it knows the root fields that have a closure, takes arguments as
  /// they come, and objects for whatever their `__typename` says.
  ///
  /// An object without `__typename` answers null for it, and every fragment applies to it.
  ///
  /// - Parameters:
  ///   - clock: what ``latency`` and ``FieldRequest/sleep(for:)`` wait on.
  ///   - build: names the closures of fields.
  public init(
    clock: any Clock<Duration> = ContinuousClock(), _ build: (inout LocalResolvers) -> Void
  ) {
    var resolvers = LocalResolvers()
    build(&resolvers)
    schema = nil
    self.clock = clock
    state = Locked(State(resolvers: resolvers))
  }

  /// Adds closures of fields, or replaces them, from the next request on.
  ///
  /// - Throws: ``LocalServerError`` if one is for a field that the schema lacks; nothing changes then.
  public func update(_ change: (inout LocalResolvers) -> Void) throws(LocalServerError) {
    var resolvers = state.withLock { $0.resolvers }
    change(&resolvers)
    try schema?.check(resolvers)
    state.withLock { [resolvers] in $0.resolvers = resolvers }
  }

  /// How long every request takes before it is executed; none at first.
  public var latency: Duration {
    get { state.withLock { $0.latency } }
    set { state.withLock { $0.latency = newValue } }
  }
}

// MARK: - Execution

extension LocalServer {
  /// Executes a query or a mutation, and answers with the response: `data`, `errors`.
  public func execute(_ operation: GraphQLOperation) async -> JSON {
    await execute(
      LocalRequest(
        text: operation.text, operationName: operation.name,
        variables: (try? JSON(parsing: operation.variables).value.object) ?? [:],
        headers: operation.context.headers))
  }

  /// Executes a query or a mutation, and answers with the response: `data`, `errors`.
  ///
  /// - Parameters:
  ///   - text: operations and fragments.
  ///   - variables: an object.
  ///   - operationName: which operation is meant, if there are several.
  /// - Returns: the response; request errors, too, are one.
  public func execute(
    _ text: String, variables: JSONObject = [:], operationName: String? = nil
  ) async -> JSON {
    await execute(LocalRequest(text: text, operationName: operationName, variables: variables))
  }

  private func execute(_ request: LocalRequest) async -> JSON {
    note(request)
    switch plan(for: request) {
    case .failure(let error):
      return LocalResponse(requestErrors: error.errors).json
    case .success(let execution) where execution.kind == .subscription:
      return LocalResponse(requestErrors: [.subscriptionNeedsStream]).json
    case .success(let execution):
      return await execution.response().json
    }
  }

  func plan(for request: LocalRequest) -> Result<Execution, RequestErrors> {
    let resolvers = state.withLock { $0.resolvers }
    return Result { () throws(RequestErrors) in
      try Execution(request, schema: schema, resolvers: resolvers, clock: clock)
    }
  }
}

// MARK: - What was asked

extension LocalServer {
  /// Every request, in order of arrival, those that failed by ``fail(_:times:)`` included.
  public var requests: [LocalRequest] { state.withLock { $0.requests } }

  /// How many requests came.
  public var requestCount: Int { state.withLock { $0.requests.count } }

  /// How many requests came for an operation of this name.
  public func requestCount(of operationName: String) -> Int {
    state.withLock { state in
      state.requests.count { $0.operationName == operationName }
    }
  }

  /// Waits until at least `count` requests came, or the task is cancelled.
  public func received(_ count: Int) async {
    await arrivals.reaches(count)
  }

  private func note(_ request: LocalRequest) {
    state.withLock { $0.requests.append(request) }
    arrivals.add(1)
  }
}

// MARK: - Failing

extension LocalServer {
  /// Lets the next requests fail as a whole, after those that were told to fail before.
  ///
  /// - Parameters:
  ///   - failure: how they fail.
  ///   - times: how many requests.
  public func fail(_ failure: RequestFailure, times: Int = 1) {
    state.withLock { $0.failures += Array(repeating: failure, count: max(0, times)) }
  }

  /// Notes a request that came by HTTP, and lets ``latency`` pass.
  ///
  /// - Returns: how it is to fail, if it is.
  func arrival(of request: LocalRequest) async throws -> RequestFailure? {
    note(request)
    let (latency, failure) = state.withLock { state in
      (state.latency, state.failures.isEmpty ? nil : state.failures.removeFirst())
    }
    if latency > .zero { try await clock.wait(for: latency) }
    try Task.checkCancellation()
    return failure
  }
}
