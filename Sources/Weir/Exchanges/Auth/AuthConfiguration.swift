/// How an ``AuthExchange`` loads, attaches and renews credentials.
public struct AuthConfiguration<Credentials: Sendable>: Sendable {
  /// Loads the stored credentials: called when the first operation needs them, and again after the
  /// session was switched, or by the next operation if it has thrown.
  ///
  /// nil means that nobody is logged in; operations are then sent without credentials. It is kept: after
  /// a login, switch the session, or call ``AuthExchange/update(_:in:)``.
  public var load: @Sendable () async throws -> Credentials?

  /// Adds the credentials to an operation's context, usually as a header field.
  public var attach: @Sendable (Credentials, inout OperationContext) -> Void

  /// Renews credentials that the server rejected. If it throws, the waiting operations fail with
  /// the code ``OperationError/Code/authentication``. A subscription that has run tries again, by its
  /// ``Reconnection``, if the error is transient (``OperationError/isTransient``). So throw what your
  /// client or `URLSession` has thrown if the request fails, and an error of your own if the user has to
  /// sign in again.
  ///
  /// It must not store them: while it waits for the server, another user may log in. That is what
  /// ``store`` is for.
  public var refresh: @Sendable (Credentials) async throws -> Credentials

  /// Stores renewed credentials in the place of the old ones, for the next start of the app; nil if
  /// they are kept in memory only.
  ///
  /// It is called after a refresh, unless the session was switched, or the credentials were
  /// replaced, meanwhile. The operations that wait for the credentials wait for it, too. Its second
  /// argument is what was renewed. If your app may store another user's credentials while the
  /// closure runs, write only if the stored credentials are still those.
  public var store: (@Sendable (_ renewed: Credentials, _ old: Credentials) async -> Void)?

  /// Returns whether an error means that the server rejected the credentials. By default: the
  /// status 401, or a GraphQL error whose `extensions.code` is `UNAUTHENTICATED`, or
  /// `SUBSCRIPTION_JWT_EXPIRED`, by which Apollo Router ends a subscription. Servers differ in
  /// how they reject a WebSocket: the code is that of the underlying ``SocketClosure``. A lost
  /// subscription is not sent again with rejected credentials, but at once with renewed ones.
  public var isRejection: @Sendable (OperationError, GraphQLOperation) -> Bool

  /// Returns whether credentials should be renewed before they are used, such as a minute before a
  /// token expires; nil to wait until the server rejects them.
  public var willExpire: (@Sendable (Credentials) -> Bool)?

  /// The one time limit for ``load``, ``refresh`` and ``store`` together. Default 30 seconds.
  ///
  /// When it is over, the waiting operations fail with the code ``OperationError/Code/authentication``
  /// (subscriptions may try again), and the closure's task is cancelled. If the closure returns credentials all
  /// the same, they are still stored and used, unless others have come meanwhile.
  public var timeout: Duration = .seconds(30)

  /// Makes a configuration; the other properties have defaults that you can change.
  ///
  /// - Parameters:
  ///   - load: Loads the stored credentials; nil if nobody is logged in. See ``load``.
  ///   - attach: Adds the credentials to the context of an operation.
  ///   - refresh: Renews credentials that the server rejected, without storing them.
  ///   - store: Stores renewed credentials in the place of the old ones; nil, the default, to keep them
  ///     in memory only. See ``store``.
  public init(
    load: @escaping @Sendable () async throws -> Credentials?,
    attach: @escaping @Sendable (Credentials, inout OperationContext) -> Void,
    refresh: @escaping @Sendable (Credentials) async throws -> Credentials,
    store: (@Sendable (_ renewed: Credentials, _ old: Credentials) async -> Void)? = nil
  ) {
    self.load = load
    self.attach = attach
    self.refresh = refresh
    self.store = store
    isRejection = { error, _ in error.isUnauthenticated }
  }
}

extension OperationError {
  /// Whether the server does not accept the user's credentials: the status 401, or a GraphQL error
  /// whose `extensions.code` is `UNAUTHENTICATED`, or that of Apollo Router for a subscription whose token has
  /// expired, `SUBSCRIPTION_JWT_EXPIRED`.
  public var isUnauthenticated: Bool {
    httpStatus == 401
      || graphQLErrors.contains {
        ["UNAUTHENTICATED", "SUBSCRIPTION_JWT_EXPIRED"].contains($0.code)
      }
  }
}

extension OperationError.Code {
  /// The credentials could not be loaded or renewed: see ``OperationError/underlying``.
  public static let authentication = OperationError.Code("authentication")
}
