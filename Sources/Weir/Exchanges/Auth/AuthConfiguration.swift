/// How an ``AuthExchange`` gets, attaches and renews credentials.
public struct AuthConfiguration<Credentials: Sendable>: Sendable {
  /// Where the credentials come from: called when the first operation needs them, and again after
  /// the session was switched. Nil: nobody is logged in, and operations are sent as they are.
  public var load: @Sendable () async throws -> Credentials?

  /// Puts the credentials into an operation's context, most often as a header.
  public var attach: @Sendable (Credentials, inout OperationContext) -> Void

  /// Gets new credentials in place of those that the server rejected. It may throw: who waits gets
  /// an error with the code ``OperationError/Code/authentication``.
  public var refresh: @Sendable (Credentials) async throws -> Credentials

  /// Whether an error says that the credentials were not accepted. By default: the status 401, or
  /// a GraphQL error whose `extensions.code` is `UNAUTHENTICATED`. How a server closes a WebSocket that
  /// it does not accept differs: the code is that of the ``SocketClosure`` under the error.
  public var isRejection: @Sendable (OperationError, GraphQLOperation) -> Bool

  /// Whether credentials should be renewed before they are used at all, such as a minute before a
  /// token expires; nil to wait for the server's rejection.
  public var willExpire: (@Sendable (Credentials) -> Bool)?

  /// The longest that loading or refreshing may take. Default 30 seconds.
  public var timeout: Duration = .seconds(30)

  /// How to get, attach and renew credentials; the rest has defaults that may be changed.
  public init(
    load: @escaping @Sendable () async throws -> Credentials?,
    attach: @escaping @Sendable (Credentials, inout OperationContext) -> Void,
    refresh: @escaping @Sendable (Credentials) async throws -> Credentials
  ) {
    self.load = load
    self.attach = attach
    self.refresh = refresh
    isRejection = { error, _ in error.isUnauthenticated }
    willExpire = nil
  }
}

extension OperationError {
  /// Whether the server says that it does not know who asks: the status 401, or a GraphQL error
  /// whose `extensions.code` is `UNAUTHENTICATED`.
  public var isUnauthenticated: Bool {
    httpStatus == 401
      || graphQLErrors.contains { $0.extensions?["code"]?.string == "UNAUTHENTICATED" }
  }
}

extension OperationError.Code {
  /// The credentials could not be had or renewed: see ``OperationError/underlying``.
  public static let authentication = OperationError.Code("authentication")
}

extension OperationContext {
  private enum SkipsAuthentication: OperationContextKey {
    static let defaultValue = false
  }

  /// Whether an ``AuthExchange`` lets this execution pass as it is: for the operation that logs in,
  /// and for the one that renews credentials, which would otherwise wait for itself.
  public var skipsAuthentication: Bool {
    get { self[SkipsAuthentication.self] }
    set { self[SkipsAuthentication.self] = newValue }
  }
}
