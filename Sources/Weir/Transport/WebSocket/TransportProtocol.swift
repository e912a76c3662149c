/// The client's side of the `graphql-transport-ws` protocol, for many operations on one connection.
///
/// Pure: its methods say what happened, and answer with what is to be done. The connection itself,
/// time, and those who wait for payloads are its driver's.
struct TransportProtocol {
  typealias ID = String

  enum Action: Equatable {
    /// Open a connection; `connected` or `lost` is the answer.
    case connect
    case send(String)
    /// The server has the operation.
    case accept(ID)
    case deliver(ID, JSON)
    /// The operation is complete, or lost.
    case finish(ID, OperationError?)
    /// There are no operations any more; `idled` may follow.
    case idle
    /// The server broke the protocol: close, and say `lost`.
    case close(SocketClosure)
  }

  private enum Phase { case disconnected, connecting, open }

  private var phase = Phase.disconnected
  /// The operations, with the message that starts each of them until it is sent.
  private var operations: [ID: String?] = [:]
  /// Those that wait to be sent, in order.
  private var waiting: [ID] = []
  private var lastID = 0
  private var hasHeardSincePing = true

  /// Whether the server has acknowledged the connection.
  var isOpen: Bool { phase == .open }
  /// Whether nothing is under way.
  var isIdle: Bool { operations.isEmpty }

  /// An operation is to be started, with the parameters of its request as a JSON object.
  mutating func start(_ request: [UInt8]) -> (id: ID, actions: [Action]) {
    lastID += 1
    let id = String(lastID)
    let text = #"{"id":"\#(id)","type":"subscribe","payload":"#
    let message = text + String(decoding: request, as: UTF8.self) + "}"
    switch phase {
    case .open:
      operations.updateValue(nil, forKey: id)
      return (id, [.send(message), .accept(id)])
    case .connecting, .disconnected:
      operations[id] = message
      waiting.append(id)
      defer { phase = .connecting }
      return (id, phase == .disconnected ? [.connect] : [])
    }
  }

  /// The consumer of an operation has left.
  mutating func leave(_ id: ID) -> [Action] {
    guard let unsent = operations.removeValue(forKey: id) else { return [] }
    waiting.removeAll { $0 == id }
    var actions: [Action] = []
    if phase == .open, unsent == nil {
      actions.append(.send(#"{"id":"\#(id)","type":"complete"}"#))
    }
    if operations.isEmpty { actions.append(.idle) }
    return actions
  }

  /// There is a connection; the server gets a JSON value as parameters, if there is one.
  mutating func connected(_ parameters: [UInt8]?) -> [Action] {
    hasHeardSincePing = true
    let payload = parameters.map { #","payload":"# + String(decoding: $0, as: UTF8.self) } ?? ""
    return [.send(#"{"type":"connection_init"\#(payload)}"#)]
  }

  /// It is time to see whether the server is still there.
  mutating func keepAliveIsDue() -> [Action] {
    guard phase == .open else { return [] }
    guard hasHeardSincePing else {
      return [.close(SocketClosure(code: 4408, reason: "The server does not answer."))]
    }
    hasHeardSincePing = false
    return [.send(#"{"type":"ping"}"#)]
  }

  /// The connection was idle for long enough.
  ///
  /// - Returns: whether it is to be closed; the next operation opens a new one.
  mutating func idled() -> Bool {
    guard operations.isEmpty else { return false }
    phase = .disconnected
    return true
  }

  /// There is no connection, or not any more. Every operation ends.
  mutating func lost(_ error: OperationError) -> [Action] {
    let ids = operations.keys.sorted()
    self = TransportProtocol(lastID: lastID)
    return ids.map { .finish($0, error) }
  }

  init() {}

  private init(lastID: Int) {
    self.lastID = lastID
  }
}

// MARK: - Messages of the server

extension TransportProtocol {
  /// A message has come.
  mutating func received(_ text: String) -> [Action] {
    hasHeardSincePing = true
    guard let message = try? JSON(parsing: text), let type = message["type"]?.string else {
      return [.invalid("A message is not JSON, or has no type.")]
    }
    switch type {
    case "connection_ack": return acknowledged()
    case "ping": return [.send(#"{"type":"pong"}"#)]
    case "pong": return []
    default: break
    }
    guard phase == .open, let id = message["id"]?.string else {
      return [.invalid("A message of type \(type) came too early, or has no id.")]
    }
    switch type {
    case "next": return received(message["payload"], of: id)
    case "error": return failed(message["payload"], of: id)
    case "complete": return finished(id)
    default: return [.invalid("There are no messages of this type.")]
    }
  }

  private mutating func acknowledged() -> [Action] {
    guard phase == .connecting else { return [.invalid("A second connection_ack has come.")] }
    phase = .open
    defer { waiting = [] }
    return waiting.flatMap { id -> [Action] in
      guard case .some(.some(let message)) = operations[id] else { return [] }
      operations.updateValue(nil, forKey: id)
      return [.send(message), .accept(id)]
    }
  }

  /// Messages for operations that were left meanwhile are not for anybody.
  private func received(_ payload: JSON?, of id: ID) -> [Action] {
    guard let payload, payload.kind == .object else {
      return [.invalid("A next message has no payload.")]
    }
    return operations[id] == nil ? [] : [.deliver(id, payload)]
  }

  private mutating func failed(_ payload: JSON?, of id: ID) -> [Action] {
    guard let payload, payload.kind == .array,
      let response = try? JSON(
        parsing: Array(#"{"errors":"#.utf8) + payload.bytes + [UInt8(ascii: "}")])
    else { return [.invalid("An error message has no list of errors.")] }
    return operations[id] == nil ? [] : [.deliver(id, response)] + finished(id)
  }

  private mutating func finished(_ id: ID) -> [Action] {
    guard operations.removeValue(forKey: id) != nil else { return [] }
    return [.finish(id, nil)] + (operations.isEmpty ? [.idle] : [])
  }
}

extension TransportProtocol.Action {
  fileprivate static func invalid(_ reason: String) -> TransportProtocol.Action {
    .close(SocketClosure(code: 4400, reason: reason))
  }
}
