public import Weir

/// A GraphQL server within the process, for previews, demonstrations and tests of an app.
///
/// Closures resolve the fields. With a schema, the server validates requests by all rules of the
/// specification (section 5), and values, like a real server; without one, it returns the data as it
/// is.
///
/// ```swift
/// let server = try LocalServer(schema: "type Query { post(id: ID!): Post } type Post { id: ID! title: String! }") {
///   $0.query("post") { request in ["id": request["id"], "title": "Hello"] }
/// }
/// let client = GraphQLClient([.dedup, .documentCache, .fetch(from: server)])
/// ```
///
/// It executes operations according to the specification (section 6): fragments, `@skip` and
/// `@include`, aliases, variables and defaults, abstract types, null propagation, concurrent query
/// fields and serial mutation fields. It is an `HTTPTransport` for "GraphQL over HTTP", so an app's
/// whole chain of exchanges runs without a socket. Subscriptions are event streams.
///
/// With a schema, it answers introspection, so tools can read the schema from it.
///
/// It does not support `@defer`, `@stream`, persisted documents, batches or uploads.
public final class LocalServer: Sendable {
  private struct State {
    var resolvers: LocalResolvers
    var latency: Duration = .zero
    var failures: [(failure: RequestFailure, times: Int)] = []
    var requests: [LocalRequest] = []
    /// How often the resolvers were changed.
    var updates = 0

    /// Returns the failure of the next request, if it fails.
    mutating func takeFailure() -> RequestFailure? {
      guard let first = failures.first else { return nil }
      if first.times == 1 { failures.removeFirst() } else { failures[0].times -= 1 }
      return first.failure
    }
  }

  private let schema: LocalSchema?
  private let clock: any Clock<Duration>
  private let state: Locked<State>
  private let arrivals = ArrivalCount()

  /// Makes a server with a schema.
  ///
  /// - Parameters:
  ///   - sdl: The schema in the schema definition language.
  ///   - filling: The values of fields without a resolver that their objects lack; nil makes them null.
  ///   - clock: The clock for ``latency`` and ``FieldRequest/sleep(for:)``. In a test, use a
  ///     `ManualClock` to control the time.
  ///   - build: Adds the resolvers of fields. A field without a resolver is read from its object.
  /// - Throws: ``LocalServerError`` if the schema is invalid, or if it lacks the field of a resolver
  ///   or a scalar of the filling.
  public init(
    schema sdl: String, filling: Filling? = nil, clock: any Clock<Duration> = ContinuousClock(),
    _ build: (inout LocalResolvers) -> Void = { _ in }
  ) throws(LocalServerError) {
    let schema = try LocalSchema(sdl: sdl, filling: filling)
    var resolvers = LocalResolvers()
    build(&resolvers)
    try schema.check(resolvers)
    self.schema = schema
    self.clock = clock
    state = Locked(State(resolvers: resolvers))
  }

  /// Makes a server without a schema.
  ///
  /// Its root fields are those with a resolver. It does not coerce arguments, and takes the types of
  /// objects from their `__typename`. A fragment applies to an object if it names that type, so one on
  /// an interface or a union does not. For an object without a `__typename`, that is null, and every
  /// fragment applies to it; so it does to the root.
  ///
  /// - Parameters:
  ///   - clock: The clock for ``latency`` and ``FieldRequest/sleep(for:)``.
  ///   - build: Adds the resolvers of fields.
  public init(
    clock: any Clock<Duration> = ContinuousClock(), _ build: (inout LocalResolvers) -> Void
  ) {
    var resolvers = LocalResolvers()
    build(&resolvers)
    schema = nil
    self.clock = clock
    state = Locked(State(resolvers: resolvers))
  }

  /// Adds or replaces resolvers, starting with the next request.
  ///
  /// If two calls overlap, the closure of one is called again.
  ///
  /// - Throws: ``LocalServerError`` if the schema lacks the field of a resolver; then nothing changes.
  public func update(_ change: (inout LocalResolvers) -> Void) throws(LocalServerError) {
    // A closure that updates the server itself would otherwise be called without end.
    for attempt in 0..<100 {
      var (resolvers, updates) = state.withLock { ($0.resolvers, $0.updates) }
      change(&resolvers)
      try schema?.check(resolvers)
      let isDone = state.withLock { state in
        guard state.updates == updates || attempt == 99 else { return false }
        // What is replaced is not released under the lock: that may run users' code.
        swap(&state.resolvers, &resolvers)
        state.updates += 1
        return true
      }
      if isDone { return }
    }
  }

  /// The delay before the execution of each HTTP request; zero at first.
  ///
  /// The timeouts of requests do not end it. To test a server that is too slow, use
  /// ``fail(_:times:)`` with `.noResponse(.timedOut)`.
  public var latency: Duration {
    get { state.withLock { $0.latency } }
    set { state.withLock { $0.latency = newValue } }
  }
}

// MARK: - Execution

extension LocalServer {
  /// Executes a query or a mutation and returns the response, with `data` and `errors`.
  public func execute(_ operation: GraphQLOperation) async -> JSON {
    await execute(
      LocalRequest(
        text: operation.text, operationName: operation.name,
        variables: (try? JSON(parsing: operation.variables).value.object) ?? [:],
        headers: operation.context.headers))
  }

  /// Executes a query or a mutation and returns the response, with `data` and `errors`.
  ///
  /// - Parameters:
  ///   - text: A document.
  ///   - variables: The variables.
  ///   - operationName: The name of the operation; necessary if the document has several.
  /// - Returns: the response, also for an invalid request.
  public func execute(
    _ text: String, variables: JSONObject = [:], operationName: String? = nil
  ) async -> JSON {
    await execute(LocalRequest(text: text, operationName: operationName, variables: variables))
  }

  private func execute(_ request: LocalRequest) async -> JSON {
    record(request)
    do throws(RequestErrors) {
      let execution = try plan(for: request)
      if execution.kind == .subscription { throw .subscriptionNeedsStream }
      return await execution.response().json
    } catch {
      return LocalResponse(error).json
    }
  }

  func plan(for request: LocalRequest) throws(RequestErrors) -> Execution {
    let resolvers = state.withLock { $0.resolvers }
    return try Execution(request, schema: schema, resolvers: resolvers, clock: clock)
  }
}

// MARK: - Requests

extension LocalServer {
  /// All requests in order of arrival, including those that failed because of ``fail(_:times:)``.
  public var requests: [LocalRequest] { state.withLock { $0.requests } }

  /// The number of requests.
  public var requestCount: Int { state.withLock { $0.requests.count } }

  /// Returns the number of requests for an operation with this name. If a request names none, the only
  /// operation of its document counts.
  public func requestCount(of operationName: String) -> Int {
    requests.count { $0.nameOfOperation == operationName }
  }

  /// Waits until the server has received `count` requests, or the task is cancelled.
  public func received(_ count: Int) async {
    await arrivals.reaches(count)
  }

  private func record(_ request: LocalRequest) {
    state.withLock { $0.requests.append(request) }
    arrivals.add(1)
  }
}

// MARK: - Failures

extension LocalServer {
  /// Makes the next requests fail, after the failures of earlier calls.
  ///
  /// - Parameters:
  ///   - failure: The kind of failure.
  ///   - times: The number of requests; `.max` for all until ``endFailures()``.
  public func fail(_ failure: RequestFailure, times: Int = 1) {
    guard times > 0 else { return }
    state.withLock { $0.failures.append((failure, times)) }
  }

  /// Lets requests succeed again, starting with the next one.
  ///
  /// ```swift
  /// server.fail(.noResponse(.offline), times: .max)
  /// await model.refresh()      // offline
  /// server.endFailures()
  /// await model.refresh()      // online again
  /// ```
  public func endFailures() {
    state.withLock { $0.failures = [] }
  }

  /// Records an HTTP request and waits for ``latency``.
  ///
  /// - Returns: the failure for the request, if there is one.
  func arrival(of request: LocalRequest) async throws -> RequestFailure? {
    record(request)
    let (latency, failure) = state.withLock { state in
      (state.latency, state.takeFailure())
    }
    if latency > .zero { try await clock.wait(for: latency) }
    try Task.checkCancellation()
    return failure
  }
}
