/// Attaches credentials to operations, and renews them when the server rejects them.
///
/// ```swift
/// let auth = AuthExchange(
///   AuthConfiguration(
///     load: { keychain.token },
///     attach: { token, context in context.headers["authorization"] = "Bearer \(token.access)" },
///     refresh: { old in
///       let token = try await signIn.renew(old)
///       keychain.token = token
///       return token
///     }))
/// let client = GraphQLClient([.dedup, .documentCache, auth, .retry, .fetch(url)])
/// ```
///
/// It stands below the cache (it may suspend) and above retry and fetch.
///
/// - However many operations are rejected, the credentials are refreshed once. Meanwhile all
///   operations wait, and are then sent in the order in which they came to wait, each for itself:
///   two equal mutations are two mutations.
/// - An operation that was rejected with older credentials than there are now is sent again
///   without a refresh. After a refresh each is sent once; a second rejection is its result.
/// - A refresh that fails, or takes longer than ``AuthConfiguration/timeout``, gives each waiting
///   operation an error with the code ``OperationError/Code/authentication``. So do those get it
///   that were on their way meanwhile; the next new one tries again.
/// - A refresh that has begun goes on when those who wait for it leave: the server may have
///   replaced the token already.
/// - A subscription that was lost, and is rejected when it is taken up again, gets new credentials as
///   well, and goes on. It need not have brought an event before.
/// - A mutation is not sent again if one of its fields has brought a value: it was carried out.
/// - ``GraphQLClient/switchSession()`` forgets the credentials; they are loaded again. So store
///   the new user's credentials before it, where ``AuthConfiguration/load`` finds them.
///
/// To renew by an operation of the same client, let that one pass:
/// `renewal.with { $0.skipsAuthentication = true }`.
///
/// An operation that need not wait costs two short locks and no task.
public final class AuthExchange<Credentials: Sendable>: StatefulExchange {
  private let configuration: AuthConfiguration<Credentials>
  private let sleep: @Sendable (Duration) async throws -> Void
  private let state = Locked(AuthState<Credentials>())

  /// An exchange that has not loaded its credentials yet.
  ///
  /// - Parameters:
  ///   - configuration: how to get, attach and renew credentials.
  ///   - clock: what the timeout is measured with.
  public init(
    _ configuration: AuthConfiguration<Credentials>,
    clock: some Clock<Duration> = ContinuousClock()
  ) {
    self.configuration = configuration
    sleep = { try await clock.wait(for: $0) }
  }

  /// Sends an operation with the credentials.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    if operation.context.skipsAuthentication { return forward(operation) }
    return ResultStream(source: { [self] in
      AuthSource(operation: operation, forward: forward, exchange: self)
    })
  }

  /// Uses these credentials from now on, such as those of a log-in; nil for none.
  public func update(_ credentials: Credentials?) {
    perform(state.withLock { $0.take(credentials) })
  }

  /// How many operations wait for credentials: for tests of order.
  package var waitingCount: Int { state.withLock { $0.waiters.count } }

  /// Credentials do not depend on what is cached.
  public func invalidate(_ invalidation: Invalidation) {}

  /// Forgets the credentials; the next operation loads them.
  public func switchSession(to session: Session) {
    perform(state.withLock { $0.reset(for: session) })
  }
}

// MARK: - What an execution asks

extension AuthExchange {
  /// What an operation is to be sent with.
  func arrive(_ operation: GraphQLOperation) -> AuthState<Credentials>.Decision {
    let session = operation.context.session
    let decision = performing { $0.arrive(of: session) }
    if case .pass(let pass) = decision, let credentials = pass.credentials,
      configuration.willExpire?(credentials) == true
    {
      return reject(pass, of: operation)
    }
    return decision
  }

  func reject(
    _ pass: AuthState<Credentials>.Pass, of operation: GraphQLOperation
  ) -> AuthState<Credentials>.Decision {
    let session = operation.context.session
    return performing { $0.reject(pass, of: session) }
  }

  func releaseNext() {
    perform(state.withLock { $0.releaseNext() })
  }

  func leave(_ waiter: AuthState<Credentials>.Waiter) {
    state.withLock { $0.leave(waiter) }
  }

  func attaching(
    _ pass: AuthState<Credentials>.Pass, to operation: GraphQLOperation
  ) -> GraphQLOperation {
    guard let credentials = pass.credentials else { return operation }
    return operation.with { configuration.attach(credentials, &$0) }
  }

  func isRejection(_ error: OperationError, _ operation: GraphQLOperation) -> Bool {
    configuration.isRejection(error, operation)
  }
}

// MARK: - Carrying out what the state decides

extension AuthExchange {
  private func performing(
    _ event: (inout AuthState<Credentials>) -> (
      AuthState<Credentials>.Decision, [AuthState<Credentials>.Action]
    )
  ) -> AuthState<Credentials>.Decision {
    let (decision, actions) = state.withLock(event)
    perform(actions)
    return decision
  }

  private func perform(_ actions: [AuthState<Credentials>.Action]) {
    for action in actions {
      switch action {
      case .answer(let waiter, let admission):
        // One that has left lets the next one go.
        if !waiter.deliver(admission), case .pass = admission { releaseNext() }
      case .begin(let work):
        begin(work)
      }
    }
  }

  /// Loads or refreshes, and stops waiting for it when its time is over; code that takes no notice
  /// of being cancelled holds nobody up.
  private func begin(_ work: AuthState<Credentials>.Work) {
    Task { [self] in
      let renewal = Task { try await renewed(work.rejected) }
      let timer = Task {
        try await sleep(configuration.timeout)
        let outcome = Result<Credentials?, any Error>.failure(timeout)
        perform(state.withLock { $0.finish(work.id, outcome, isTimeout: true) })
        renewal.cancel()
      }
      let outcome = await renewal.result
      timer.cancel()
      perform(state.withLock { $0.finish(work.id, outcome) })
    }
  }

  private func renewed(_ rejected: Credentials?) async throws -> Credentials? {
    if let rejected { return try await configuration.refresh(rejected) }
    let loaded = try await configuration.load()
    if let loaded, configuration.willExpire?(loaded) == true {
      return try await configuration.refresh(loaded)
    }
    return loaded
  }

  private var timeout: OperationError {
    OperationError(
      code: .authentication,
      message: "The credentials did not come within \(configuration.timeout).")
  }
}

extension Exchange {
  /// Attaches and renews credentials; see ``AuthExchange``. Place it below the cache.
  public static func auth<Credentials>(
    _ configuration: AuthConfiguration<Credentials>
  ) -> Self where Self == AuthExchange<Credentials> {
    AuthExchange(configuration)
  }
}
