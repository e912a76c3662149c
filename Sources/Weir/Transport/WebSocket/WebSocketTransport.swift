/// Speaks `graphql-transport-ws` over a WebSocket: many operations on one connection.
///
/// ```swift
/// let transport = try WebSocketTransport(url: url)                       // URLSession's WebSocket
/// let transport = WebSocketTransport { try await MyLibrary.connect(…) }  // any other TextSocket
/// ```
///
/// The connection is made when the first operation needs it, kept alive with pings, and closed a
/// while after the last operation has ended. If it is lost, every operation ends with an error of
/// the code `transport`, under which there is the ``SocketClosure`` if the server gave one;
/// ``SubscriptionExchange`` then subscribes anew, on a new connection.
///
/// A connection costs one task with a few children, whatever the number of operations.
public final class WebSocketTransport: SubscriptionTransport {
  private struct State {
    var machine = TransportProtocol()
    var queues: [TransportProtocol.ID: PayloadQueue] = [:]
    var connection: Connection?
    var lastConnection = 0
  }

  /// What belongs to one connection, so that a late word of an old one does no harm.
  private struct Connection {
    let number: Int
    let outgoing: AsyncStream<String>.Continuation
    let idle: AsyncStream<Void>.Continuation
  }

  /// What ends a connection that nobody needs any more.
  private struct Idled: Error {}

  private let configuration: WebSocketConfiguration
  private let connect: @Sendable () async throws -> any TextSocket
  private let state = Locked(State())

  /// A transport over a socket of your choice.
  ///
  /// - Parameters:
  ///   - configuration: how the connection is kept.
  ///   - connect: opens a connection whose subprotocol is `graphql-transport-ws`. Called again when
  ///     the one before was closed.
  public init(
    _ configuration: WebSocketConfiguration = WebSocketConfiguration(),
    connect: @escaping @Sendable () async throws -> any TextSocket
  ) {
    self.configuration = configuration
    self.connect = connect
  }

  /// Starts an operation; connects first if need be.
  public func subscribe(to operation: GraphQLOperation) async throws -> SubscriptionEvents {
    let queue = PayloadQueue(limit: configuration.maximumUnreadPayloads)
    let request = try GraphQLRequest(operation).body
    let (id, actions) = state.withLock { state in
      let (id, actions) = state.machine.start(request)
      state.queues[id] = queue
      return (id, actions)
    }
    let place = Place(id: id, queue: queue, transport: self)
    perform(actions)
    // The first entry says that the server has the operation.
    guard try await queue.next() != nil else { throw OperationError.noResult }
    return SubscriptionEvents { try await place.next() }
  }

  // MARK: - What happens

  fileprivate func leave(_ id: TransportProtocol.ID) {
    perform(
      state.withLock { state in
        state.queues[id] = nil
        return state.machine.leave(id)
      })
  }

  private func perform(_ actions: [TransportProtocol.Action]) {
    for action in actions {
      switch action {
      case .connect:
        open()
      case .send(let message):
        _ = state.withLock { $0.connection }?.outgoing.yield(message)
      case .accept(let id):
        _ = state.withLock { $0.queues[id] }?.append(.accepted)
      case .deliver(let id, let payload):
        let hasRoom = state.withLock { $0.queues[id] }?.append(.payload(payload)) ?? true
        if !hasRoom { leave(id) }
      case .finish(let id, let error):
        state.withLock { $0.queues.removeValue(forKey: id) }?.finish(error)
      case .idle:
        _ = state.withLock { $0.connection }?.idle.yield()
      case .close:
        break
      }
    }
  }

  // MARK: - One connection

  private func open() {
    let (outgoing, outgoingEnd) = AsyncStream.makeStream(of: String.self)
    let (idle, idleEnd) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.lastConnection += 1
      state.connection = Connection(
        number: state.lastConnection, outgoing: outgoingEnd, idle: idleEnd)
      return state.lastConnection
    }
    // It ends by itself: with the connection, which ends when it is idle.
    Task { [self] in
      let error = await run(number, outgoing: outgoing, idle: idle)
      let actions = state.withLock { state -> [TransportProtocol.Action] in
        guard state.connection?.number == number else { return [] }
        state.connection = nil
        return state.machine.lost(error)
      }
      perform(actions)
    }
  }

  /// Connects, and works until the connection ends.
  private func run(
    _ number: Int, outgoing: AsyncStream<String>, idle: AsyncStream<Void>
  ) async -> OperationError {
    do {
      let socket = try await within(configuration.acknowledgementTimeout) { [self] in
        let parameters = try await configuration.connectionParameters()
        let socket = try await connect()
        let bytes = try parameters?.compactBytes()
        perform(state.withLock { $0.machine.connected(bytes) })
        return socket
      }
      return await serve(socket, number, outgoing: outgoing, idle: idle)
    } catch {
      return OperationError(subscriptionFailure: error)
    }
  }

  private func serve(
    _ socket: any TextSocket, _ number: Int, outgoing: AsyncStream<String>,
    idle: AsyncStream<Void>
  ) async -> OperationError {
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { [self] in
          while true { try handle(try await socket.receive()) }
        }
        group.addTask {
          for await message in outgoing { try await socket.send(message) }
        }
        group.addTask { [self] in try await checkAcknowledgement() }
        if let interval = configuration.keepAlive {
          group.addTask { [self] in try await keepAlive(every: interval) }
        }
        group.addTask { [self] in try await endWhenIdle(number, idle) }
        defer { group.cancelAll() }
        while try await group.next() != nil {}
      }
      return .cancelled
    } catch is Idled {
      await socket.close(code: 1000, reason: "")
      return .cancelled
    } catch {
      if let closure = error as? SocketClosure {
        await socket.close(code: closure.code, reason: closure.reason)
      }
      return OperationError(subscriptionFailure: error)
    }
  }

  private func handle(_ text: String) throws(SocketClosure) {
    let actions = state.withLock { $0.machine.received(text) }
    perform(actions)
    if case .close(let closure)? = actions.last { throw closure }
  }

  private func checkAcknowledgement() async throws {
    try await configuration.sleep(configuration.acknowledgementTimeout)
    guard state.withLock({ $0.machine.isOpen }) else { throw HTTPTransportError.unacknowledged }
  }

  private func keepAlive(every interval: Duration) async throws {
    while true {
      try await configuration.sleep(interval)
      let actions = state.withLock { $0.machine.keepAliveIsDue() }
      perform(actions)
      if case .close? = actions.last {
        throw HTTPTransportError(.timedOut, "Nothing was received for \(interval).")
      }
    }
  }

  private func endWhenIdle(_ number: Int, _ idle: AsyncStream<Void>) async throws {
    for await _ in idle {
      try await configuration.sleep(configuration.idleTimeout)
      let isOver = state.withLock { state in
        guard state.connection?.number == number, state.machine.idled() else { return false }
        // From here on it is nobody's: the next operation makes a new one.
        state.connection = nil
        return true
      }
      if isOver { throw Idled() }
    }
  }

  /// Runs `body`, but not for longer than a server may take.
  private func within<Value: Sendable>(
    _ limit: Duration, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
      group.addTask { try await body() }
      group.addTask { [configuration] in
        try await configuration.sleep(limit)
        throw HTTPTransportError.unacknowledged
      }
      defer { group.cancelAll() }
      guard let first = try await group.next() else { throw CancellationError() }
      return first
    }
  }
}

extension HTTPTransportError {
  fileprivate static let unacknowledged = HTTPTransportError(
    .timedOut, "The server did not acknowledge the connection in time.")
}

/// An operation's place on the connection; letting go of it ends the operation.
private final class Place: Sendable {
  private let id: TransportProtocol.ID
  private let queue: PayloadQueue
  private let transport: WebSocketTransport

  init(id: TransportProtocol.ID, queue: PayloadQueue, transport: WebSocketTransport) {
    self.id = id
    self.queue = queue
    self.transport = transport
  }

  deinit {
    transport.leave(id)
  }

  func next() async throws -> JSON? {
    while let entry = try await queue.next() {
      if case .payload(let payload) = entry { return payload }
    }
    return nil
  }
}
