/// The client's side of the `graphql-transport-ws` protocol, for many operations on one connection.
///
/// Its methods are events, and return the actions to perform. Its driver owns the connection, the
/// clock and the queues of payloads.
struct WebSocketStateMachine {
  typealias ID = String

  enum Action: Equatable {
    /// Open a connection, then call `connected` or `lost`.
    case connect
    case send(String)
    /// Send the message that starts an operation, for which its consumer waits.
    case subscribe(ID, String)
    case deliver(ID, JSON)
    /// End the subscription by the errors of a response.
    case fail(ID, JSON)
    /// End the operation, which is complete or has failed.
    case finish(ID, OperationError?)
    /// There are no more operations; `idled` may follow.
    case idle
    /// Close the connection, because the server refuses it or violated the protocol; then call `lost`.
    case close(SocketClosure)
  }

  private enum Phase { case disconnected, connecting, initializing, open }

  private struct Operation {
    /// The message that starts it, until it is sent.
    var unsent: String?
    let isSubscription: Bool
    /// Whether a connection was lost before the message left.
    var isDelayed = false
  }

  private var phase = Phase.disconnected
  private var operations: [ID: Operation] = [:]
  private var lastID = 0
  private var hasHeardSincePing = true
  /// Counts how often the last operation ended.
  private(set) var idleCount = 0

  /// Whether the server has acknowledged the connection.
  var isOpen: Bool { phase == .open }

  init() {}

  /// Starts an operation with the parameters of its request, a JSON object. A query or mutation
  /// ends with its first payload, unless that announces more; its consumer then leaves without
  /// sending `complete`.
  mutating func start(
    _ request: [UInt8], isSubscription: Bool = true
  ) -> (id: ID, actions: [Action]) {
    lastID += 1
    let id = String(lastID)
    let text = #"{"id":"\#(id)","type":"subscribe","payload":"#
    let message = text + String(decoding: request, as: UTF8.self) + "}"
    guard phase != .open else {
      operations[id] = Operation(isSubscription: isSubscription)
      return (id, [.subscribe(id, message)])
    }
    operations[id] = Operation(unsent: message, isSubscription: isSubscription)
    guard phase == .disconnected else { return (id, []) }
    phase = .connecting
    return (id, [.connect])
  }

  /// Ends an operation whose consumer has left. If the machine has asked to send the message that starts
  /// it, `isTaken` says whether that was taken.
  mutating func leave(_ id: ID, isTaken: Bool = true) -> [Action] {
    guard let operation = operations.removeValue(forKey: id) else { return [] }
    let isSent = operation.unsent == nil && isTaken
    return (isSent ? [.send(#"{"id":"\#(id)","type":"complete"}"#)] : []) + becomeIdle()
  }

  /// The connection is open. Sends the parameters, a JSON value, if there are any.
  mutating func connected(_ parameters: [UInt8]?) -> [Action] {
    phase = .initializing
    hasHeardSincePing = true
    let payload = parameters.map { #","payload":"# + String(decoding: $0, as: UTF8.self) } ?? ""
    return [.send(#"{"type":"connection_init"\#(payload)}"#)]
  }

  static let ping = #"{"type":"ping"}"#

  /// The keep-alive interval has passed since the last ping was sent.
  ///
  /// - Parameter hasReceived: Whether bytes have arrived since then, perhaps of an incomplete message.
  /// - Returns: A ping to send, or the end of the connection; empty if it is not open.
  mutating func keepAliveIsDue(hasReceived: Bool = false) -> [Action] {
    guard phase == .open else { return [] }
    guard hasHeardSincePing || hasReceived else {
      return [
        .close(SocketClosure(code: 4499, reason: "The server sent nothing since the last ping."))
      ]
    }
    hasHeardSincePing = false
    return [.send(Self.ping)]
  }

  /// The idle time of the connection has passed.
  ///
  /// - Parameter count: The value of `idleCount` when the idle time began.
  /// - Returns: Whether to close the connection; the next operation opens a new one.
  mutating func idled(since count: Int) -> Bool {
    guard operations.isEmpty, idleCount == count else { return false }
    reset()
    return true
  }

  /// The connection was lost or could not be opened. Its operations end in the order of their start.
  ///
  /// - Parameters:
  ///   - error: The reason.
  ///   - messages: The messages of `subscribe` that have not left. If the connection was open, their
  ///     operations do not end, but wait for another connection. They do so once, because each
  ///     connection may be lost as soon as it is open.
  /// - Returns: The ends of the operations, and the start of another connection if it is needed.
  mutating func lost(_ error: OperationError, unsent messages: [ID: String] = [:]) -> [Action] {
    let delayed = phase == .open ? messages.filter { operations[$0.key]?.isDelayed == false } : [:]
    let ended = idsInOrder.filter { delayed[$0] == nil }
    for id in ended { operations[id] = nil }
    for (id, message) in delayed {
      operations[id]?.unsent = message
      operations[id]?.isDelayed = true
    }
    phase = delayed.isEmpty ? .disconnected : .connecting
    return ended.map { .finish($0, error) } + (delayed.isEmpty ? [] : [.connect])
  }

  private mutating func becomeIdle() -> [Action] {
    guard operations.isEmpty else { return [] }
    idleCount += 1
    return [.idle]
  }

  private mutating func reset() {
    phase = .disconnected
    operations = [:]
  }

  /// The ids of the operations in the order of their start.
  private var idsInOrder: [ID] {
    operations.keys.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
  }
}

// MARK: - Messages of the server

extension WebSocketStateMachine {
  /// A message has arrived.
  mutating func received(_ message: ServerMessage) -> [Action] {
    hasHeardSincePing = true
    switch message {
    case .acknowledgement: return acknowledged()
    case .ping: return [.send(#"{"type":"pong"}"#)]
    case .pong: return []
    case .invalid(let reason): return [.invalid(reason)]
    case .refusal(let reason): return [.close(SocketClosure(code: 4403, reason: reason))]
    case .next, .error, .complete:
      guard phase == .open else { return [.invalid("A message arrived before connection_ack.")] }
    }
    switch message {
    // Messages for operations that were left meanwhile are ignored.
    case .next(let id, let payload) where operations[id] != nil:
      let isLast = operations[id]?.isSubscription == false && !payload.announcesMore
      return [.deliver(id, payload)] + (isLast ? finished(id) : [])
    case .error(let id, let response):
      guard let operation = operations.removeValue(forKey: id) else { return [] }
      let end: [Action] =
        operation.isSubscription
        ? [.fail(id, response)] : [.deliver(id, response), .finish(id, nil)]
      return end + becomeIdle()
    case .complete(let id):
      return finished(id)
    default:
      return []
    }
  }

  private mutating func acknowledged() -> [Action] {
    guard phase == .initializing else { return [.invalid("An unexpected connection_ack arrived.")] }
    phase = .open
    return idsInOrder.compactMap { id in
      guard let message = operations[id]?.unsent else { return nil }
      operations[id]?.unsent = nil
      return .subscribe(id, message)
    }
  }

  private mutating func finished(_ id: ID) -> [Action] {
    guard operations.removeValue(forKey: id) != nil else { return [] }
    return [.finish(id, nil)] + becomeIdle()
  }
}

extension JSON {
  /// Whether more payloads follow this one of a query, although not every server says so in words: it is
  /// a part, or announces or completes some.
  fileprivate var announcesMore: Bool {
    self["hasNext"]?.bool
      ?? (list("incremental") != nil || list("path") != nil
        || ["pending", "completed"].contains { (list($0)?.count ?? 0) > 0 })
  }
}

extension WebSocketStateMachine.Action {
  fileprivate static func invalid(_ reason: String) -> WebSocketStateMachine.Action {
    .close(SocketClosure(code: 4400, reason: reason))
  }
}
