/// The client's side of the `graphql-transport-ws` protocol, for many operations on one connection.
///
/// Pure: its methods say what happened, and answer with what is to be done. The connection itself,
/// time, and those who wait for payloads are its driver's.
struct WebSocketStateMachine {
  typealias ID = String

  enum Action: Equatable {
    /// Open a connection; `connected` or `lost` is the answer.
    case connect
    case send(String)
    /// Send the message that starts an operation, whose consumer waits for that.
    case subscribe(ID, String)
    case deliver(ID, JSON)
    /// The operation is complete, or lost.
    case finish(ID, OperationError?)
    /// There are no operations any more; `idled` may follow.
    case idle
    /// The server broke the protocol: close, and say `lost`.
    case close(SocketClosure)
  }

  private enum Phase { case disconnected, connecting, initializing, open }

  private struct Operation {
    /// The message that starts it, until it is sent.
    var unsent: String?
    let isSubscription: Bool
  }

  private var phase = Phase.disconnected
  private var operations: [ID: Operation] = [:]
  /// Those that waited to be sent when they came, in order; some may have left.
  private var waiting: [ID] = []
  private var lastID = 0
  private var hasHeardSincePing = true
  /// How often the last operation has ended.
  private(set) var idleCount = 0

  /// Whether the server has acknowledged the connection.
  var isOpen: Bool { phase == .open }

  init() {}

  /// An operation is to be started, with the parameters of its request as a JSON object. What is no
  /// subscription ends with its first payload, unless that announces more: there is nothing to
  /// complete any more when its consumer leaves.
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
    waiting.append(id)
    guard phase == .disconnected else { return (id, []) }
    phase = .connecting
    return (id, [.connect])
  }

  /// The consumer of an operation has left.
  mutating func leave(_ id: ID) -> [Action] {
    guard let operation = operations.removeValue(forKey: id) else { return [] }
    let isSent = operation.unsent == nil
    return (isSent ? [.send(#"{"id":"\#(id)","type":"complete"}"#)] : []) + becomeIdle()
  }

  /// There is a connection; the server gets a JSON value as parameters, if there is one.
  mutating func connected(_ parameters: [UInt8]?) -> [Action] {
    phase = .initializing
    hasHeardSincePing = true
    let payload = parameters.map { #","payload":"# + String(decoding: $0, as: UTF8.self) } ?? ""
    return [.send(#"{"type":"connection_init"\#(payload)}"#)]
  }

  /// It is time to see whether the server is still there.
  mutating func keepAliveIsDue() -> [Action] {
    guard phase == .open else { return [] }
    guard hasHeardSincePing else {
      return [.close(SocketClosure(code: 4499, reason: "Nothing was heard since the last ping."))]
    }
    hasHeardSincePing = false
    return [.send(#"{"type":"ping"}"#)]
  }

  /// The connection was idle for long enough.
  ///
  /// - Parameter count: What `idleCount` was when that time began.
  /// - Returns: Whether it is to be closed; the next operation opens a new one.
  mutating func idled(since count: Int) -> Bool {
    guard operations.isEmpty, idleCount == count else { return false }
    reset()
    return true
  }

  /// There is no connection, or not any more. Every operation ends, in the order of their start.
  mutating func lost(_ error: OperationError) -> [Action] {
    let ids = operations.keys.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
    reset()
    return ids.map { .finish($0, error) }
  }

  private mutating func becomeIdle() -> [Action] {
    guard operations.isEmpty else { return [] }
    idleCount += 1
    return [.idle]
  }

  private mutating func reset() {
    phase = .disconnected
    operations = [:]
    waiting = []
  }
}

// MARK: - Messages of the server

extension WebSocketStateMachine {
  /// A message has come.
  mutating func received(_ message: ServerMessage) -> [Action] {
    hasHeardSincePing = true
    switch message {
    case .acknowledgement: return acknowledged()
    case .ping: return [.send(#"{"type":"pong"}"#)]
    case .pong: return []
    case .invalid(let reason): return [.invalid(reason)]
    case .next, .error, .complete:
      guard phase == .open else { return [.invalid("A message came before connection_ack.")] }
    }
    switch message {
    // Messages for operations that were left meanwhile are not for anybody.
    case .next(let id, let payload) where operations[id] != nil:
      let isLast = operations[id]?.isSubscription == false && payload["hasNext"]?.bool != true
      return [.deliver(id, payload)] + (isLast ? finished(id) : [])
    case .error(let id, let response) where operations[id] != nil:
      return [.deliver(id, response)] + finished(id)
    case .complete(let id):
      return finished(id)
    default:
      return []
    }
  }

  private mutating func acknowledged() -> [Action] {
    guard phase == .initializing else { return [.invalid("A connection_ack was not expected.")] }
    phase = .open
    defer { waiting = [] }
    return waiting.compactMap { id in
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

extension WebSocketStateMachine.Action {
  fileprivate static func invalid(_ reason: String) -> WebSocketStateMachine.Action {
    .close(SocketClosure(code: 4400, reason: reason))
  }
}
