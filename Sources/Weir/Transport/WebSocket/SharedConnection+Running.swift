extension SharedConnection {
  /// A decision to close the connection: the code and reason for the server, and the error for the
  /// operations.
  private struct Closing: Error {
    let closure: SocketClosure
    let reason: any Error

    static let unneeded = Closing(closure: SocketClosure(code: 1000), reason: CancellationError())
  }

  /// Connects, serves the connection until it ends, and closes it.
  func run(_ number: Int, _ signals: Signals) async {
    await withThrowingTaskGroup(of: (any TextSocket)?.self) { group in
      var socket: (any TextSocket)?
      var reason: any Error = CancellationError()
      group.addTask { [self] in try await open(number) }
      group.addTask { [self] in try await checkAcknowledgement(of: number) }
      group.addTask { [self] in try await endWhenIdle(number, signals) }
      group.addTask { try await Self.endOnRequest(signals) }
      do {
        while let child = try await group.next() {
          guard let opened = child else { continue }
          socket = opened
          group.addTask { [self] in try await receive(number, opened) }
          group.addTask { [self] in try await send(number, opened, signals) }
          group.addTask { [self] in try await keepAlive(number, opened, signals) }
        }
      } catch {
        reason = error
      }
      // Operations end before the socket is closed, which may take time. The other tasks are
      // cancelled after that, because a socket whose tasks are cancelled may close itself with
      // another code.
      lost(number, reason)
      if let closure = (reason as? Closing)?.closure {
        await socket?.close(code: closure.code, reason: closure.reason)
      }
      group.cancelAll()
    }
  }

  private func lost(_ number: Int, _ reason: any Error) {
    let error = OperationError(subscriptionFailure: (reason as? Closing)?.reason ?? reason)
    act(on: number) { state in
      let lost = state.current.take()
      let unsent = lost?.starts ?? [:]
      let actions = state.machine.lost(error, unsent: unsent.mapValues(\.text))
      // The newest operation knows the newest credentials.
      if actions.last == .connect { state.context = lost?.newestUnsent?.operation.context }
      return actions
    }
  }

  private func open(_ number: Int) async throws -> any TextSocket {
    let context = state.withLock { $0.current?.number == number ? $0.current?.context : nil }
    guard let context else { throw CancellationError() }
    let parameters = try await configuration.connectionParameters(context)?.compactBytes()
    var headers = try await headers()
    // Checked after they have been returned.
    if parameters != nil || !headers.isEmpty, isSessionOver() { throw OperationError.cancelled }
    headers.merge(context.headers)
    let socket = try await connect(context, headers)
    act(on: number) { state in
      // Its values are the app's, and the connection may be open for hours.
      state.current?.context = nil
      return state.machine.connected(parameters)
    }
    // Until here, so that the values are not released under the lock.
    withExtendedLifetime(context) {}
    return socket
  }

  private func receive(_ number: Int, _ socket: any TextSocket) async throws -> Never {
    while true {
      let message = ServerMessage(try await socket.receive())
      if let closure = act(on: number, { $0.machine.received(message) }) {
        throw Closing(closure: closure, reason: closure)
      }
    }
  }

  private func send(
    _ number: Int, _ socket: any TextSocket, _ signals: Signals
  ) async throws -> (any TextSocket)? {
    for await _ in signals.outgoing.stream {
      // One by one: the operations whose messages were not taken survive the connection.
      while let (text, operation) = takeMessage(of: number) {
        try await socket.send(text)
        operation?.queue.accept()
        if text == WebSocketStateMachine.ping { signals.pings.continuation.yield() }
      }
    }
    return nil
  }

  /// Returns the next message, and the operation that it starts; nil if there is none, or the connection
  /// was closed meanwhile.
  private func takeMessage(of number: Int) -> (text: String, operation: Operation?)? {
    state.withLock { state in
      guard state.current?.number == number else { return nil }
      while let message = state.current?.outbox.popFirst() {
        switch message {
        case .text(let text): return (text, nil)
        case .start(let id):
          if let start = state.current?.starts.removeValue(forKey: id) {
            return (start.text, start.operation)
          }
        }
      }
      return nil
    }
  }

  private func checkAcknowledgement(of number: Int) async throws -> (any TextSocket)? {
    try await configuration.sleep(configuration.acknowledgementTimeout)
    guard state.withLock({ $0.current?.number == number && !$0.machine.isOpen }) else { return nil }
    let message = "The server did not acknowledge the connection in time."
    throw Closing(
      closure: SocketClosure(code: 4504, reason: message),
      reason: HTTPTransportError(.timedOut, message))
  }

  private func keepAlive(
    _ number: Int, _ socket: any TextSocket, _ signals: Signals
  ) async throws -> (any TextSocket)? {
    guard let interval = configuration.keepAlive, interval > .zero else { return nil }
    var pings = signals.pings.stream.makeAsyncIterator()
    var known = socket.receivedBytes
    while true {
      try await configuration.sleep(interval)
      let received = socket.receivedBytes
      var sendsPing = false
      let closure = act(on: number) { state in
        let actions = state.machine.keepAliveIsDue(hasReceived: received != known)
        sendsPing = !actions.isEmpty
        return actions
      }
      if let closure {
        throw Closing(
          closure: closure,
          reason: HTTPTransportError(.timedOut, "The server sent nothing for \(interval)."))
      }
      known = received
      // The server cannot answer a ping that waits behind a large message.
      if sendsPing { await pings.next() }
    }
  }

  private func endWhenIdle(_ number: Int, _ signals: Signals) async throws -> (any TextSocket)? {
    for await _ in signals.idle.stream {
      let count = state.withLock { $0.machine.idleCount }
      try await configuration.sleep(configuration.idleTimeout)
      let isOver = state.withLock { state in
        guard state.current?.number == number, state.machine.idled(since: count) else {
          return false
        }
        // The next operation opens a new connection.
        state.current = nil
        return true
      }
      if isOver { throw Closing.unneeded }
    }
    return nil
  }

  private static func endOnRequest(_ signals: Signals) async throws -> (any TextSocket)? {
    for await _ in signals.end.stream {}
    // The stream also ends when the connection does, and this task is cancelled.
    throw Closing.unneeded
  }
}

extension SharedConnection.Current {
  /// The last operation whose message was not taken.
  fileprivate var newestUnsent: SharedConnection.Start? {
    var (outbox, newest) = (outbox, SharedConnection.Start?.none)
    while let message = outbox.popFirst() {
      if case .start(let id) = message { newest = starts[id] ?? newest }
    }
    return newest
  }
}
