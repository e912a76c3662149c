import Weir

@testable import WeirTesting

/// A server whose connections are controlled by the test.
final class ScriptedServer: Sendable {
  typealias Answer = @Sendable (String) -> [String]

  private let accept: @Sendable (Int) async throws -> Void
  private let answer: Answer
  private let sockets = Locked<[ScriptedSocket]>([])
  private let attempts = Locked(0)
  private let tried = ArrivalCount()
  private let opened = ArrivalCount()

  /// - Parameters:
  ///   - accept: Called with the number of each connection attempt, from 1.
  ///   - answer: Returns the immediate replies to a message.
  init(
    accept: @escaping @Sendable (Int) async throws -> Void = { _ in },
    answer: @escaping Answer = { _ in [] }
  ) {
    self.accept = accept
    self.answer = answer
  }

  /// The number of connection attempts.
  var attemptCount: Int { attempts.withLock { $0 } }

  func connect() async throws -> any TextSocket {
    let number = attempts.withLock { attempts in
      attempts += 1
      return attempts
    }
    tried.add(1)
    try await accept(number)
    let socket = ScriptedSocket(answer)
    sockets.withLock { $0.append(socket) }
    opened.add(1)
    return ScriptedSocket.Handle(socket: socket)
  }

  func wasTried(_ count: Int) async {
    await tried.reaches(count)
  }

  /// Returns the connection with this number, from 1, as soon as it exists.
  func connection(_ number: Int) async throws -> ScriptedSocket {
    await opened.reaches(number)
    let sockets = sockets.withLock { $0 }
    guard sockets.count >= number else { throw CancellationError() }
    return sockets[number - 1]
  }

  /// Returns that connection after the server has acknowledged it.
  func acknowledged(_ number: Int = 1) async throws -> ScriptedSocket {
    let socket = try await connection(number)
    _ = await socket.sent(1)
    socket.say(#"{"type":"connection_ack"}"#)
    return socket
  }

  /// Acknowledges each connection automatically.
  static let acknowledging: Answer = { text in
    text.contains("connection_init") ? [#"{"type":"connection_ack"}"#] : []
  }
}

/// The server's end of a connection.
final class ScriptedSocket: Sendable {
  private struct Log {
    var sent: [String] = []
    var closures: [SocketClosure] = []
    var sendFailure: (any Error)?
    var receivedBytes: Int?
  }

  let incoming = Mailbox<Result<String, any Error>>()
  /// Messages from the client wait here.
  let gate = Gate(isOpen: true)
  private let answer: ScriptedServer.Answer
  private let log = Locked(Log())
  private let sentCount = ArrivalCount()
  private let closedCount = ArrivalCount()
  private let releasedCount = ArrivalCount()

  init(_ answer: @escaping ScriptedServer.Answer) {
    self.answer = answer
  }

  /// The client's end.
  final class Handle: TextSocket {
    private let socket: ScriptedSocket

    init(socket: ScriptedSocket) {
      self.socket = socket
    }

    deinit { socket.releasedCount.add(1) }

    func send(_ text: String) async throws {
      await socket.gate.pass()
      try Task.checkCancellation()
      let failure = socket.log.withLock { log in
        if log.sendFailure == nil { log.sent.append(text) }
        return log.sendFailure
      }
      if let failure { throw failure }
      socket.sentCount.add(1)
      for text in socket.answer(text) { socket.say(text) }
    }

    func receive() async throws -> String {
      try await socket.incoming.next().get()
    }

    var receivedBytes: Int? { socket.log.withLock { $0.receivedBytes } }

    func close(code: Int, reason: String) async {
      socket.log.withLock { $0.closures.append(SocketClosure(code: code, reason: reason)) }
      socket.closedCount.add(1)
    }
  }

  func say(_ text: String) {
    incoming.append(.success(text))
  }

  /// Sends a part of a message.
  func sayPart(_ bytes: Int) {
    log.withLock { $0.receivedBytes = ($0.receivedBytes ?? 0) + bytes }
  }

  /// Sends an event for an operation.
  func next(_ id: String, _ number: Int) {
    say(#"{"id":"\#(id)","type":"next","payload":{"data":{"counter":\#(number)}}}"#)
  }

  func complete(_ id: String) {
    say(#"{"id":"\#(id)","type":"complete"}"#)
  }

  /// Ends the connection with an error.
  func fail(_ error: any Error) {
    incoming.append(.failure(error))
  }

  func failSending(_ error: any Error) {
    log.withLock { $0.sendFailure = error }
  }

  /// Returns the client's messages as soon as there are at least `count` of them.
  func sent(_ count: Int) async -> [String] {
    await sentCount.reaches(count)
    return log.withLock { $0.sent }
  }

  /// Returns only the types and ids of those messages, such as "subscribe 1".
  func words(_ count: Int) async -> [String] {
    await sent(count).map(Self.words)
  }

  static func words(_ text: String) -> String {
    let message = try? JSON(parsing: text)
    return [message?["type"]?.string, message?["id"]?.string].compactMap { $0 }
      .joined(separator: " ")
  }

  /// Returns the client's closures as soon as there is one.
  func closed() async -> [SocketClosure] {
    await closedCount.reaches(1)
    return log.withLock { $0.closures }
  }

  /// Waits until the client has released its end.
  func released() async {
    await releasedCount.reaches(1)
  }
}

/// A queue whose single reader waits for elements.
final class Mailbox<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var changes = 0
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let state = Locked(State())

  func append(_ element: Element) {
    change { $0.elements.append(element) }
  }

  func next() async throws -> Element {
    while true {
      let (element, changes) = state.withLock { state in
        (state.elements.isEmpty ? nil : state.elements.removeFirst(), state.changes)
      }
      if let element { return element }
      try Task.checkCancellation()
      await change(after: changes)
    }
  }

  private func change(_ body: (inout State) -> Void = { _ in }) {
    let waiting = state.withLock { state in
      body(&state)
      state.changes += 1
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume()
  }

  private func change(after changes: Int) async {
    await withCancellableContinuation { continuation in
      let isOver = state.withLock { state in
        guard state.changes == changes else { return true }
        state.waiting = continuation
        return false
      }
      if isOver { continuation.resume() }
    } onCancel: {
      change()
    }
  }
}

/// Reads a stream in its own task, either at full speed or paced by a gate.
final class Consumer: Sendable {
  private let seen = Mailbox<String>()
  private let task: Task<Void, Never>

  /// Passes the gate before it requests each result.
  init(_ stream: ResultStream, gate: Gate = Gate(isOpen: true)) {
    task = Task { [seen] in
      var iterator = stream.makeAsyncIterator()
      while true {
        await gate.pass()
        guard let result = await iterator.next(isolation: nil) else { break }
        seen.append(Self.summary(result))
      }
      seen.append("end")
    }
  }

  deinit { task.cancel() }

  func cancel() { task.cancel() }

  /// The counter of the next result, or its error; "end" at the end.
  func next() async throws -> String { try await seen.next() }

  func next(_ count: Int) async throws -> [String] {
    var found: [String] = []
    for _ in 0..<count { found.append(try await next()) }
    return found
  }

  /// A summary such as "1", "graphQL", "transport timedOut" or "transport 4403".
  static func summary(_ result: OperationResult) -> String {
    guard let error = result.error else {
      return result.data?["counter"]?.int.map(String.init) ?? "data"
    }
    if let closure = error.underlying as? SocketClosure { return "\(error.code) \(closure.code)" }
    if let cause = error.underlying as? HTTPTransportError { return "\(error.code) \(cause.code)" }
    return error.code.description
  }
}
