/// Speaks `graphql-transport-ws` over a WebSocket: many operations on one connection.
///
/// ```swift
/// let transport = try WebSocketTransport(url: url)                       // URLSession's WebSocket
/// let transport = WebSocketTransport { try await MyLibrary.connect(…) }  // any other TextSocket
/// ```
///
/// The connection is made when the first operation needs it, kept alive with pings, and closed a
/// while after the last operation has ended, or when the transport is let go of. If it is lost, every
/// operation ends with an error of the code `transport`, under which there is the ``SocketClosure``
/// if the server gave one; ``SubscriptionExchange`` then subscribes anew, on a new connection.
///
/// A consumer that reads more slowly than its events come does not hold up the others; what waits
/// for it is bounded (``WebSocketConfiguration/maximumUnreadBytes``).
///
/// A connection costs one task with a few children, whatever the number of operations.
///
/// Operations of two sessions never share a connection: who it belongs to was said when it was made.
/// After ``GraphQLClient/switchSession()`` the next operation connects anew, with parameters of its
/// own, and the connection before is closed with its last operation.
public final class WebSocketTransport: SubscriptionTransport {
  private let makeConnection: @Sendable () -> SharedConnection
  private let connections = Locked<[Session: SharedConnection]>([:])

  /// A transport over a socket of your choice.
  ///
  /// - Parameters:
  ///   - configuration: how the connection is kept.
  ///   - connect: opens a connection whose subprotocol is `graphql-transport-ws`. Called again when
  ///     the one before was closed. Its task is cancelled if it takes too long.
  public init(
    _ configuration: WebSocketConfiguration = WebSocketConfiguration(),
    connect: @escaping @Sendable () async throws -> any TextSocket
  ) {
    makeConnection = { SharedConnection(configuration, connect) }
  }

  /// Nobody has a place on a connection any more, or it would hold on to the transport.
  deinit {
    for connection in connections.withLock({ $0 }).values { connection.end() }
  }

  /// Starts an operation; connects first if need be.
  public func subscribe(to operation: GraphQLOperation) async throws -> SubscriptionEvents {
    let request = try GraphQLRequest(operation).body
    let (connection, (id, queue)) = start(
      request, of: operation.context.session, isSubscription: operation.kind == .subscription)
    let place = Place(id, queue, on: connection, of: self)
    try await place.accepted()
    return SubscriptionEvents { try await place.next() }
  }

  /// Starts an operation on its session's connection, in one step: in between, another session could
  /// take the connection for one that nobody needs.
  private func start(
    _ request: [UInt8], of session: Session, isSubscription: Bool
  ) -> (SharedConnection, (WebSocketStateMachine.ID, PayloadQueue)) {
    connections.withLock { connections in
      let known = connections[session]
      // One that is busy is kept: another client, of another session, may use it, too.
      if known == nil { connections = connections.filter { !$0.value.retire() } }
      let connection = known ?? makeConnection()
      connections[session] = connection
      return (connection, connection.start(request, isSubscription: isSubscription))
    }
  }
}

/// An operation's place on the connection; letting go of it ends the operation.
private final class Place: Sendable {
  private let id: WebSocketStateMachine.ID
  private let queue: PayloadQueue
  private let connection: SharedConnection
  /// The connection lives as long as somebody uses it.
  private let transport: WebSocketTransport

  init(
    _ id: WebSocketStateMachine.ID, _ queue: PayloadQueue, on connection: SharedConnection,
    of transport: WebSocketTransport
  ) {
    self.id = id
    self.queue = queue
    self.connection = connection
    self.transport = transport
  }

  deinit {
    connection.leave(id)
  }

  func accepted() async throws {
    try await queue.accepted()
  }

  func next() async throws -> JSON? {
    try await queue.next()
  }
}
