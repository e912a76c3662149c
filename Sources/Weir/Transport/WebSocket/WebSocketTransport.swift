internal import WeirSupport

/// Sends operations with the `graphql-transport-ws` protocol over a WebSocket: many operations
/// share one connection.
///
/// ```swift
/// let transport = try WebSocketTransport(url: url)                       // on Apple platforms
/// let transport = try WebSocketTransport(url: url, socket: .curl)        // WeirCurl, on Linux
/// let transport = WebSocketTransport { _ in try await MyLibrary.connect(…) }  // another TextSocket
/// ```
///
/// On Linux, `URLSession` has no WebSockets; the product `WeirCurl` has them.
///
/// The transport connects when the first operation needs it, sends pings, and closes the connection
/// some time after the last operation has ended, or when the transport is released. If the
/// connection is lost, every operation ends with an error of the code `transport`, with the
/// ``SocketClosure`` as underlying error if the server sent one. ``SubscriptionExchange`` then
/// subscribes again on a new connection. An operation that was not sent before the loss is sent on the
/// new connection. One that ends before it was sent is never sent.
///
/// A slow consumer does not delay the others; the size of its unread payloads is limited
/// (``WebSocketConfiguration/maximumUnreadBytes``).
///
/// A connection costs one task with a few children, whatever the number of operations.
///
/// A connection is authenticated when it is opened, so operations share one only if they belong to
/// one session, have equal headers, except neutral ones (``HeaderRules``), and agree in
/// ``OperationContext/skipsAuthentication``. The header fields of
/// the operation's context are sent with the request that opens it. After
/// ``GraphQLClient/switchSession(_:)`` the next operation opens a connection with new parameters,
/// and the old connection closes when its last operation has ended. After an ``AuthExchange`` has
/// renewed the token that it attaches, the next operation opens a connection, too.
///
/// A transport with a URL refuses operations that have an ``OperationContext/endpoint``.
public final class WebSocketTransport: SubscriptionTransport, SessionHolder {
  /// Identifies the operations that share a connection.
  private struct Key: Hashable {
    let session: Session
    let scope: String?
  }

  private let heedsEndpoints: Bool
  private let makeConnection: @Sendable (Session) -> SharedConnection
  private let latestSession: LatestSession
  private let connections = Locked(Connections())

  private struct Connections {
    var byKey: [Key: SharedConnection] = [:]
    /// The session and the number of connections at the last pruning.
    private var prunedFor = Session(number: 0)
    private var countAfterPruning = 0

    /// Retires the connections of older sessions, and forgets those that nothing uses.
    ///
    /// A busy connection stays: another client with another session may use it. This looks at each
    /// connection, so it happens only in a new session, and when their number has doubled: otherwise
    /// connections for many users would cost the square of their number.
    mutating func pruneIfGrown(for session: Session) {
      guard session > prunedFor || byKey.count >= 2 * countAfterPruning + 16 else { return }
      byKey = byKey.filter { other, connection in
        other.session < session ? !connection.retire() : !connection.isUnused
      }
      (prunedFor, countAfterPruning) = (max(prunedFor, session), byKey.count)
    }
  }

  /// Makes a transport over a socket of your choice.
  ///
  /// - Parameters:
  ///   - configuration: The settings.
  ///   - connect: Opens a connection with the subprotocol `graphql-transport-ws` for operations
  ///     with a context, whose endpoint and headers it may use. Called again after a connection was
  ///     closed. Its task is cancelled if it takes too long. If it asks for credentials itself, it
  ///     must not use those of a later user.
  public convenience init(
    _ configuration: WebSocketConfiguration = WebSocketConfiguration(),
    connect: @escaping @Sendable (_ context: OperationContext) async throws -> any TextSocket
  ) {
    self.init(configuration, heedsEndpoints: true, headers: { [:] }) { context, _ in
      try await connect(context)
    }
  }

  /// Makes a transport over a socket that is opened by a request to one URL.
  package convenience init(
    _ configuration: WebSocketConfiguration,
    headers: @escaping @Sendable () async throws -> HTTPHeaders,
    connect: @escaping @Sendable (HTTPHeaders) async throws -> any TextSocket
  ) {
    self.init(configuration, heedsEndpoints: false, headers: headers) { _, headers in
      try await connect(headers)
    }
  }

  /// Makes a transport over a socket that is opened by a request with header fields.
  private init(
    _ configuration: WebSocketConfiguration,
    heedsEndpoints: Bool,
    headers: @escaping @Sendable () async throws -> HTTPHeaders,
    connect: @escaping SharedConnection.Connect
  ) {
    self.heedsEndpoints = heedsEndpoints
    let latest = LatestSession()
    latestSession = latest
    makeConnection = { session in
      SharedConnection(
        configuration, headers, connect, isSessionOver: { latest.isAfter(session) })
    }
  }

  /// Closes the connections, which have no operations any more: each operation retains the
  /// transport.
  deinit {
    for connection in connections.withLock({ $0 }).byKey.values { connection.end() }
  }

  /// Starts an operation; connects first if necessary.
  public func subscribe(to operation: GraphQLOperation) async throws -> SubscriptionEvents {
    guard heedsEndpoints || operation.context.endpoint == nil else {
      throw HTTPTransportError.otherEndpoint
    }
    let request = try GraphQLRequest(operation).body
    let (connection, (id, queue)) = start(
      request, operation.context, isSubscription: operation.kind == .subscription)
    // Also retains the transport until the operation has ended.
    let leave = ReleaseAction { [self] in withExtendedLifetime(self) { connection.leave(id) } }
    defer { withExtendedLifetime(leave) {} }
    try await queue.accepted()
    return SubscriptionEvents {
      defer { withExtendedLifetime(leave) {} }
      return try await queue.next()
    }
  }

  package var session: Session { latestSession.session }

  /// Connection parameters and header fields that are returned from now on are not used for older
  /// sessions: such a connection is not opened, and its operations end with
  /// ``OperationError/cancelled``.
  public func switchSession(to session: Session) {
    latestSession.note(session)
  }

  /// Starts an operation on its connection, in one step, because an operation of another session
  /// could retire an idle connection in between.
  private func start(
    _ request: [UInt8], _ context: OperationContext, isSubscription: Bool
  ) -> (SharedConnection, (WebSocketStateMachine.ID, PayloadQueue)) {
    latestSession.note(context.session)
    let key = Key(session: context.session, scope: context.scope?.text)
    return connections.withLock { connections in
      let known = connections.byKey[key]
      if known == nil { connections.pruneIfGrown(for: key.session) }
      let connection = known ?? makeConnection(context.session)
      connections.byKey[key] = connection
      return (connection, connection.start(request, context, isSubscription: isSubscription))
    }
  }
}

extension HTTPTransportError {
  fileprivate static let otherEndpoint = HTTPTransportError(
    .invalidRequest,
    "The operation has an endpoint of its own, but the WebSocket transport connects to one URL."
      + " Make a transport for that endpoint, or one whose `connect` closure heeds it.")
}

/// The latest session that a transport has met.
private final class LatestSession: Sendable {
  private let number = AtomicWord()

  func note(_ session: Session) { _ = number.raise(to: session.number) }

  var session: Session { Session(number: number.load()) }

  func isAfter(_ session: Session) -> Bool { self.session > session }
}
