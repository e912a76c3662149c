/// Attaches credentials to operations, and renews them when the server rejects them.
///
/// ```swift
/// let auth = AuthExchange(
///   AuthConfiguration(
///     load: { keychain.token },
///     attach: { token, context in context.headers["authorization"] = "Bearer \(token.access)" },
///     refresh: { old in try await signIn.renew(old) },
///     store: { token, old in keychain.replace(old, with: token) }))
/// let client = GraphQLClient([.dedup, .documentCache, auth, .retry, .fetch(url)])
///
/// client.switchSession { keychain.token = signIn.token }   // a user logs in
/// ```
///
/// Place it below the cache, because it may suspend, and above retry and fetch.
///
/// - However many operations are rejected, the credentials are refreshed once. Meanwhile all
///   operations wait. Then they are forwarded in the order in which they began to wait, each by
///   itself: two equal mutations are sent twice. The requests run at the same time, so the server
///   may receive them in another order.
/// - An operation that was rejected with older credentials than the current ones is sent again
///   without a refresh. After the refresh that its rejection has started or waited for, it is sent
///   once; a second rejection is its result.
/// - If a refresh fails, or takes longer than ``AuthConfiguration/timeout``, each waiting operation
///   fails with the code ``OperationError/Code/authentication``, and so do the rejected operations
///   that were in flight meanwhile. The next new operation tries again. If the reason may pass, such as a
///   missing network, a subscription that has run does not fail, but tries again itself, as often and with the
///   delays of the ``Reconnection`` of the exchange below.
/// - A refresh continues when all operations that wait for it leave: the server may have replaced
///   the token already.
/// - A lost subscription that is rejected when it is resumed, by the response or by the first result
///   in it, gets new credentials as well, and continues. It need not have delivered an event before.
/// - A mutation is not sent again if the server may have executed a part of it: if a root field has a
///   value, or is null without being rejected itself, or if an error is further below.
/// - ``GraphQLClient/switchSession(_:)`` discards the credentials and cancels a refresh in flight,
///   whose result is neither stored nor used. The new session's credentials are loaded: store them
///   in the closure that you pass to it, so that neither session gets those of the other. See
///   <doc:SigningInAndOut>.
///
/// To renew credentials by an operation of the same client, exempt that operation:
/// `renewal.with { $0.skipsAuthentication = true }`.
///
/// An operation that need not wait costs two short locks and no task.
public final class AuthExchange<Credentials: Sendable>: StatefulExchange, SessionHolder {
  typealias State = AuthState<Credentials>

  let configuration: AuthConfiguration<Credentials>
  private let sleep: @Sendable (Duration) async throws -> Void
  private let state = Locked(State())

  /// Makes an exchange that has not loaded its credentials yet.
  ///
  /// - Parameters:
  ///   - configuration: How to load, attach and renew credentials.
  ///   - clock: The clock that measures the time limit.
  public init(
    _ configuration: AuthConfiguration<Credentials>,
    clock: some Clock<Duration> = ContinuousClock()
  ) {
    self.configuration = configuration
    sleep = { try await clock.wait(for: $0) }
  }

  /// Sends an operation with the credentials. A query with the policy ``RequestPolicy/cacheOnly`` is
  /// forwarded as it is.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    if operation.context.skipsAuthentication || operation.isCacheOnly { return forward(operation) }
    return ResultStream(source: { [self] in AuthSource(self, operation, forward) })
  }

  /// Replaces the credentials of the same user, for example by a token that your app has renewed; nil
  /// for none. When a user logs in or out, call ``GraphQLClient/switchSession(_:)`` instead.
  ///
  /// If your app waits for the credentials, the user may log out meanwhile. Pass the session from before:
  ///
  /// ```swift
  /// let session = client.session
  /// auth.update(try await renewedToken(), in: session)
  /// ```
  ///
  /// - Parameters:
  ///   - credentials: The new credentials.
  ///   - session: The session to which they belong. If another one has begun, nothing happens. By
  ///     default, they belong to the current one.
  public func update(_ credentials: Credentials?, in session: Session? = nil) {
    perform(state.withLock { $0.update(credentials, in: session) })
  }

  package var session: Session { state.withLock(\.session) }

  /// The number of operations that wait for credentials, for tests.
  var waitingCount: Int { state.withLock { $0.waiters.count } }

  /// Does nothing: credentials do not depend on cached results.
  public func invalidate(_ invalidation: Invalidation) {}

  /// Discards the credentials and cancels a refresh; the next operation loads them.
  public func switchSession(to session: Session) {
    perform(state.withLock { $0.reset(for: session) })
  }
}

// MARK: - Events of an execution

extension AuthExchange {
  /// Decides how an operation is sent.
  func arrive(_ operation: GraphQLOperation) -> State.Decision {
    let decision = decide { $0.arrive(of: operation.context.session) }
    if case .admit(.success(let pass)) = decision, let credentials = pass.credentials,
      configuration.willExpire?(credentials) == true
    {
      return reject(pass, of: operation)
    }
    return decision
  }

  /// Decides what to do with an operation that was rejected.
  func reject(
    _ pass: State.Pass, of operation: GraphQLOperation, followsProof: Bool = false
  ) -> State.Decision {
    decide { $0.reject(pass, of: operation.context.session, followsProof: followsProof) }
  }

  /// Admits the next waiting operation after the previous one was sent.
  func releaseNext() {
    perform(state.withLock { $0.release() })
  }

  /// Removes an operation that does not wait any more.
  func leave(_ waiter: State.Waiter) {
    state.withLock { $0.leave(waiter) }
  }

  private func decide(
    _ event: (inout State) -> (State.Decision, [State.Action])
  ) -> State.Decision {
    let (decision, actions) = state.withLock(event)
    perform(actions)
    return decision
  }
}

// MARK: - Actions of the state

extension AuthExchange {
  private func perform(_ actions: [State.Action]) {
    var actions = actions
    while !actions.isEmpty {
      var following: [State.Action] = []
      for action in actions {
        switch action {
        case .answer(let waiter, let admission):
          // If the operation has left, the next one is admitted. Thousands may have left.
          if !waiter.deliver(admission), case .success = admission {
            following += state.withLock { $0.release() }
          }
        case .begin(let work):
          begin(work)
        case .cancel(let renewal):
          renewal.cancel()
        case .discard:
          break
        }
      }
      actions = following
    }
  }

  /// Loads or refreshes, and stops waiting after the time limit: code that ignores its cancellation
  /// delays nobody.
  private func begin(_ work: State.Work) {
    let renewal = Task { try await renewed(work) }
    if !state.withLock({ $0.note(renewal, of: work.id) }) { renewal.cancel() }
    Task { [self] in
      let timer = Task {
        try await sleep(configuration.timeout)
        let error = OperationError(
          code: .timedOut,
          message: "Loading credentials timed out after \(configuration.timeout).")
        perform(state.withLock { $0.finish(work.id, .failure(error), isTimeout: true) })
        renewal.cancel()
      }
      let outcome = await renewal.result
      timer.cancel()
      perform(state.withLock { $0.finish(work.id, outcome) })
    }
  }

  private func renewed(_ work: State.Work) async throws -> Credentials? {
    switch work.step {
    case .load:
      let loaded = try await configuration.load()
      guard let loaded, configuration.willExpire?(loaded) == true else { return loaded }
      return try await refreshed(loaded, for: work)
    case .refresh(let rejected):
      return try await refreshed(rejected, for: work)
    case .store(let renewed):
      return try await stored(renewed, for: work)
    }
  }

  private func refreshed(_ old: Credentials, for work: State.Work) async throws -> Credentials {
    let renewed = try await configuration.refresh(old)
    return try await stored(State.Renewed(credentials: renewed, old: old), for: work)
  }

  private func stored(
    _ renewed: State.Renewed, for work: State.Work
  ) async throws -> Credentials {
    // Meanwhile another user may have logged in, whose credentials must stay.
    guard state.withLock({ $0.receive(renewed, from: work.id) }) else { throw CancellationError() }
    await configuration.store?(renewed.credentials, renewed.old)
    return renewed.credentials
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
