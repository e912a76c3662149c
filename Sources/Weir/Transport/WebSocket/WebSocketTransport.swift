internal import WeirSupport

/// Sends operations with the `graphql-transport-ws` protocol over a WebSocket: many operations
/// share one connection.
///
/// ```swift
/// let transport = try WebSocketTransport(url: url)                       // on Apple platforms
/// let transport = try WebSocketTransport(url: url, socket: .curl)        // WeirCurl, on Linux
/// let transport = WebSocketTransport { try await MyLibrary.connect(…) }  // any other TextSocket
/// ```
///
/// On Linux, `URLSession` has no WebSockets; the product `WeirCurl` has them.
///
/// The transport connects when the first operation needs it, sends pings, and closes the connection
/// some time after the last operation has ended, or when the transport is released. If the
/// connection is lost, every operation ends with an error of the code `transport`, with the
/// ``SocketClosure`` as underlying error if the server sent one. ``SubscriptionExchange`` then
/// subscribes again on a new connection.
///
/// A slow consumer does not delay the others; the size of its unread payloads is limited
/// (``WebSocketConfiguration/maximumUnreadBytes``).
///
/// A connection costs one task with a few children, whatever the number of operations.
///
/// Operations of different sessions never share a connection, because a connection is authenticated
/// when it is opened. After ``GraphQLClient/switchSession(_:)`` the next operation opens a
/// connection with new parameters, and the old connection closes when its last operation has ended.
public final class WebSocketTransport: SubscriptionTransport {
  private let makeConnection: @Sendable (Session) -> SharedConnection
  private let latestSession: LatestSession
  private let connections = Locked<[Session: SharedConnection]>([:])

  /// Makes a transport over a socket of your choice.
  ///
  /// - Parameters:
  ///   - configuration: The settings.
  ///   - connect: Opens a connection with the subprotocol `graphql-transport-ws`. Called again
  ///     after a connection was closed. Its task is cancelled if it takes too long. If it asks for
  ///     credentials itself, it must not use those of a later user.
  public convenience init(
    _ configuration: WebSocketConfiguration = WebSocketConfiguration(),
    connect: @escaping @Sendable () async throws -> any TextSocket
  ) {
    self.init(configuration, headers: { [:] }) { _ in try await connect() }
  }

  /// Makes a transport over a socket that is opened by a request with header fields.
  package init(
    _ configuration: WebSocketConfiguration,
    headers: @escaping @Sendable () async throws -> HTTPHeaders,
    connect: @escaping @Sendable (HTTPHeaders) async throws -> any TextSocket
  ) {
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
    for connection in connections.withLock({ $0 }).values { connection.end() }
  }

  /// Starts an operation; connects first if necessary.
  public func subscribe(to operation: GraphQLOperation) async throws -> SubscriptionEvents {
    let request = try GraphQLRequest(operation).body
    let (connection, (id, queue)) = start(
      request, of: operation.context.session, isSubscription: operation.kind == .subscription)
    // Also retains the transport until the operation has ended.
    let leave = ReleaseAction { [self] in withExtendedLifetime(self) { connection.leave(id) } }
    defer { withExtendedLifetime(leave) {} }
    try await queue.accepted()
    return SubscriptionEvents {
      defer { withExtendedLifetime(leave) {} }
      return try await queue.next()
    }
  }

  /// Connection parameters and header fields that are returned from now on are not used for older
  /// sessions: such a connection is not opened, and its operations end with
  /// ``OperationError/cancelled``.
  public func switchSession(to session: Session) {
    latestSession.note(session)
  }

  /// Starts an operation on its session's connection, in one step, because an operation of another
  /// session could retire an idle connection in between.
  private func start(
    _ request: [UInt8], of session: Session, isSubscription: Bool
  ) -> (SharedConnection, (WebSocketStateMachine.ID, PayloadQueue)) {
    latestSession.note(session)
    return connections.withLock { connections in
      let known = connections[session]
      // A busy connection stays: another client with another session may use it.
      if known == nil { connections = connections.filter { !$0.value.retire() } }
      let connection = known ?? makeConnection(session)
      connections[session] = connection
      return (connection, connection.start(request, isSubscription: isSubscription))
    }
  }
}

/// The latest session that a transport has met.
private final class LatestSession: Sendable {
  private let number = AtomicWord()

  func note(_ session: Session) { _ = number.raise(to: session.number) }

  func isAfter(_ session: Session) -> Bool { number.load() > session.number }
}
